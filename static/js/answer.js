// Footnotes of an answer: hover or focus lights their lines, a click pins them, Enter follows
// the link. Without this script every footnote is a plain link to its lines.

import { isFree } from "./keys.js";

let pinned = null;

const notes = () => [...document.querySelectorAll("[data-cite]")];
const noteOf = (event) => event.target.closest?.("[data-cite]");
const linesOf = (note) => document.querySelectorAll(`[data-cited~="${note.dataset.cite}"]`);

function light(note) {
  for (const line of document.querySelectorAll(".piece .lit")) line.classList.remove("lit");
  for (const one of notes()) one.setAttribute("aria-pressed", String(one === pinned));
  for (const line of note ? linesOf(note) : []) line.classList.add("lit");
}

// Only the column of the evidence scrolls, so what is being read stays where it is; where the
// columns are stacked the page itself has to.
function reveal(note) {
  const line = linesOf(note)[0];
  const column = line?.closest(".evidence");
  if (!column) return;
  if (column.scrollHeight > column.clientHeight) {
    const above = line.getBoundingClientRect().top - column.getBoundingClientRect().top;
    const isSeen = above >= 0 && above < (3 * column.clientHeight) / 4;
    if (!isSeen) column.scrollTop += above - column.clientHeight / 4;
  } else {
    line.scrollIntoView({ block: "center" });
    back.hidden = false;
  }
}

// Where the columns are stacked, the way back from the lines to what was read.
const back = document.querySelector("[data-back]");
back?.addEventListener("click", () => {
  back.hidden = true;
  pinned?.scrollIntoView({ block: "center" });
  pinned?.focus({ preventScroll: true });
});

for (const name of ["mouseover", "focusin"]) {
  document.addEventListener(name, (event) => {
    const note = noteOf(event);
    if (note) light(note);
  });
}

for (const name of ["mouseout", "focusout"]) {
  document.addEventListener(name, (event) => {
    if (noteOf(event)) light(pinned);
  });
}

document.addEventListener("click", (event) => {
  const note = noteOf(event);
  // A click that comes from the keyboard has no detail; it and the modifiers follow the link.
  if (!note || !event.detail || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  pinned = pinned === note ? null : note;
  light(pinned);
  if (pinned) reveal(pinned);
});

function step(by) {
  const all = notes();
  if (!all.length) return;
  const at = all.indexOf(document.activeElement);
  const next = all[at < 0 ? 0 : Math.min(Math.max(at + by, 0), all.length - 1)];
  next.focus();
  reveal(next);
}

async function copyMarkdown(link) {
  const status = document.querySelector("[data-copy-status]");
  try {
    const response = await fetch(link.href);
    if (!response.ok) throw new Error(String(response.status));
    await navigator.clipboard.writeText(await response.text());
    link.classList.add("good");
    status.textContent = link.dataset.done;
    setTimeout(() => link.classList.remove("good"), 1200);
  } catch (error) {
    // No clipboard outside https and localhost: the text itself is the next best thing.
    status.textContent = link.dataset.failed;
    location.assign(link.href);
  }
}

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-copy-from]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  copyMarkdown(link);
});

document.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) {
    event.target.closest("[data-ask-form]")?.requestSubmit();
    return;
  }
  if (!isFree(event)) return;
  if (event.key === "j") step(1);
  else if (event.key === "k") step(-1);
  else if (event.key === "m") document.querySelector("[data-copy-from]")?.click();
});

// One question is asked once, however often the button is pressed.
document.addEventListener("submit", (event) => {
  const button = event.target.matches("[data-ask-form]") && event.target.querySelector("[data-busy]");
  if (!button) return;
  if (button.disabled) return event.preventDefault();
  button.disabled = true;
  button.textContent = button.dataset.busy;
});

window.addEventListener("pageshow", (event) => {
  const button = event.persisted && document.querySelector("[data-busy]");
  if (button) location.reload();
});

// The text came from the box on another page of ours: ask it at once, unless this page was
// reached by going back to it.
const waiting = document.querySelector("[data-ask-now]");
if (waiting && performance.getEntriesByType("navigation")[0]?.type === "navigate") {
  waiting.requestSubmit();
}
