// What every page's frame does. Everything here has a plain HTML way as well.

import { isFree } from "./keys.js";

const box = () => document.getElementById("box");

function openKeys() {
  const dialog = document.getElementById("keys");
  if (dialog && !dialog.open) dialog.showModal();
}

function openSwitcher() {
  const menu = document.querySelector(".switcher");
  if (menu) menu.open = true;
}

// A toggle does not bubble.
document.addEventListener(
  "toggle",
  ({ target }) => {
    if (target.open && target.matches(".switcher")) target.querySelector("input").focus();
  },
  true,
);

function focusBox() {
  box()?.focus();
  box()?.select();
}

const KEYS = { "/": focusBox, "?": openKeys, r: openSwitcher };

document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return closeMenus(null);
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey) && event.target === box()) {
    event.preventDefault();
    event.target.form.requestSubmit(event.target.form.querySelector("[data-ask]"));
    return;
  }
  const act = KEYS[event.key];
  if (!act || !isFree(event)) return;
  event.preventDefault();
  act();
});

function closeMenus(except) {
  for (const menu of document.querySelectorAll("details.menu[open]")) {
    if (menu === except) continue;
    const inside = menu.contains(document.activeElement);
    menu.open = false;
    if (inside) menu.querySelector("summary").focus();
  }
}

document.addEventListener("click", (event) => {
  closeMenus(event.target.closest("details.menu"));
  const opener = event.target.closest("[data-open-dialog]");
  if (opener) openKeys();
  const copier = event.target.closest("[data-copy]");
  if (copier) copyText(copier);
});

// The clipboard API exists on https and localhost only; elsewhere a selection does it.
async function copyText(button) {
  const text = button.dataset.copy;
  if (navigator.clipboard) await navigator.clipboard.writeText(text);
  else copyBySelection(text);
  button.classList.add("done");
  setTimeout(() => button.classList.remove("done"), 1200);
}

function copyBySelection(text) {
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  document.execCommand("copy");
  area.remove();
}

// <input data-filter="#list">: shows the items of the list whose text holds every word typed.
document.addEventListener("input", (event) => {
  const list = event.target.dataset.filter && document.querySelector(event.target.dataset.filter);
  if (list) filterItems(list, event.target.value);
});

export function filterItems(list, typed) {
  const words = typed.toLowerCase().split(/\s+/).filter(Boolean);
  for (const item of list.querySelectorAll("li, tbody tr")) {
    const text = item.textContent.toLowerCase();
    item.hidden = !words.every((word) => text.includes(word));
  }
}

// Enter in the switcher's filter goes to the first repository that is left.
document.addEventListener("keydown", (event) => {
  const list = event.target.dataset?.filter;
  if (!list || event.key !== "Enter") return;
  const first = document.querySelector(`${list} li:not([hidden]) a`);
  if (first) {
    event.preventDefault();
    first.click();
  }
});

document.addEventListener("htmx:afterSwap", (event) => {
  const filter = event.target.closest(".menu")?.querySelector("[data-filter]");
  if (filter) filterItems(event.target, filter.value);
});

// The theme changes at once; the form is still sent, so that it is kept.
document.addEventListener("submit", (event) => {
  if (!event.target.matches("[data-theme-form]")) return;
  event.preventDefault();
  const button = event.submitter;
  const form = new FormData(event.target, button);
  fetch(event.target.action, { method: "POST", body: form, headers: { "HX-Request": "true" } });
  if (button.value === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = button.value;
  for (const other of event.target.querySelectorAll("button")) {
    other.setAttribute("aria-pressed", String(other === button));
  }
});
