// Keys of the result list, and messages of a refused search. The page works without it.

import { isFree } from "./keys.js";

const links = () => [...document.querySelectorAll("#results .hit-path")];

// The hit that holds the focus, else the last one that was moved to.
let last = -1;

function current() {
  const hit = document.activeElement?.closest?.(".hit");
  const found = hit ? links().indexOf(hit.querySelector(".hit-path")) : -1;
  return found >= 0 ? found : last;
}

function move(step) {
  const all = links();
  if (!all.length) return;
  last = Math.min(Math.max(current() + step, 0), all.length - 1);
  all[last].focus();
  all[last].closest(".hit").scrollIntoView({ block: "nearest" });
}

function open() {
  links()[Math.max(current(), 0)]?.click();
}

function expand() {
  const more = links()[Math.max(current(), 0)]?.closest(".hit").querySelector(".more");
  if (more) more.open = !more.open;
}

const KEYS = { j: () => move(1), k: () => move(-1), o: open, e: expand };

document.addEventListener("keydown", (event) => {
  const act = KEYS[event.key];
  if (!act || !isFree(event)) return;
  event.preventDefault();
  act();
});

// Enter on a focused link opens it without help; here it opens the one moved to.
document.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || document.activeElement !== document.body || last < 0) return;
  open();
});

// 400 and 422 carry the same fragment with a message: show it.
document.addEventListener("htmx:beforeSwap", (event) => {
  if (event.detail.target.id !== "results") return;
  if ([400, 422].includes(event.detail.xhr.status)) event.detail.shouldSwap = true;
});

document.addEventListener("htmx:beforeRequest", (event) => {
  if (event.detail.target?.id === "results") event.detail.target.setAttribute("aria-busy", "true");
});

document.addEventListener("htmx:afterSwap", () => {
  last = -1;
});
