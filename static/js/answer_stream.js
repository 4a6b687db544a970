// Follows an answer that is being written: parts of the page arrive one by one. One that is here
// already is replaced by its newer form, others are appended; nothing that is read moves.

import { isFree } from "./keys.js";

const said = document.querySelector("[data-events]");

function apply(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  const fresh = box.content.firstElementChild;
  if (!fresh) return;
  const old = document.getElementById(fresh.id);
  if (old) replace(old, fresh);
  else document.getElementById(fresh.dataset.into)?.append(fresh);
  for (const note of fresh.querySelectorAll("[data-piece]")) cite(note);
}

// The lines a footnote cites carry its number, as the server writes them on a reload.
function cite(note) {
  const [first, last] = note.dataset.lines.split("-").map(Number);
  for (const link of document.querySelectorAll(`#piece-${note.dataset.piece} .code p > a`)) {
    const number = Number(link.textContent);
    if (number < first || number > last) continue;
    const line = link.parentElement;
    const cited = new Set((line.dataset.cited ?? "").split(" ").filter(Boolean));
    line.dataset.cited = [...cited.add(note.dataset.cite)].join(" ");
    line.classList.add("cited");
  }
}

function replace(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const cite = focused?.dataset.cite;
  fresh.toggleAttribute("open", old.hasAttribute("open"));
  old.replaceWith(fresh);
  const heir = cite ? fresh.querySelector(`[data-cite="${cite}"]`) : focused && fresh.querySelector(`#${focused.id || "none"}`);
  heir?.focus({ preventScroll: true });
}

function follow(address) {
  const events = new EventSource(address);
  let faults = 0;
  events.addEventListener("open", () => (faults = 0));
  events.addEventListener("part", (event) => apply(event.data));
  events.addEventListener("end", () => events.close());
  // The browser tries again by itself after a break; not after a refusal, nor for ever.
  events.addEventListener("error", () => {
    faults += 1;
    if (events.readyState !== EventSource.CLOSED && faults < 4) return;
    events.close();
    setTimeout(() => location.reload(), 3000);
  });
  addEventListener("pagehide", () => events.close());
}

// Stopping needs no new page: the stream says how it ended.
document.addEventListener("submit", async (event) => {
  const button = event.target.querySelector("#stop");
  if (!button) return;
  event.preventDefault();
  button.disabled = true;
  const body = new FormData(event.target);
  const answer = await fetch(event.target.action, { method: "POST", body });
  if (!answer.ok) location.reload();
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && isFree(event)) document.getElementById("stop")?.click();
});

if (said) follow(said.dataset.events);
