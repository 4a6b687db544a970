// Keyboard for lists of links: j and k move, Enter opens, f filters, u goes up.
import { isFree } from "./keys.js";

let current = -1;

function links() {
  const rows = document.querySelectorAll("[data-list] tbody tr, [data-list] li");
  return [...rows].filter((row) => !row.hidden && row.querySelector("a"));
}

function move(step) {
  const rows = links();
  if (!rows.length) return;
  current = Math.min(Math.max(current + step, 0), rows.length - 1);
  for (const row of rows) row.classList.toggle("current", row === rows[current]);
  const link = rows[current].querySelector("a");
  link.focus({ preventScroll: true });
  rows[current].scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (!isFree(event)) return;
  if (event.key === "j" || event.key === "k") move(event.key === "j" ? 1 : -1);
  else if (event.key === "u") document.querySelector("[data-up]")?.click();
  else if (event.key === "f") {
    const field = document.querySelector("[data-key=f]");
    if (!field) return;
    field.focus();
    event.preventDefault();
  }
});

document.addEventListener("htmx:afterSwap", () => {
  current = -1;
});
