// Lines of a file: click and shift-click choose a range, the address holds it as #L10-L20.
import "./lists.js";
import { isFree } from "./keys.js";

const source = document.getElementById("source");
const START = "1111111111"; // stand for the lines in the host's address, see views/explore.py
const END = "2222222222";

function chosen() {
  const match = /^#L(\d{1,9})(?:-L?(\d{1,9}))?$/.exec(location.hash);
  if (!match) return null;
  const from = Number(match[1]);
  const to = match[2] ? Number(match[2]) : from;
  return { start: Math.min(from, to), end: Math.max(from, to) };
}

// An anchor on another page of the file: the server cuts files into pages of lines.
function goToPage(range) {
  const { first, last, total } = source.dataset;
  if (range.start >= Number(first) && range.start <= Number(last)) return false;
  if (range.start > Number(total)) return false;
  const address = new URL(location.href);
  address.searchParams.set("line", range.start);
  location.replace(address);
  return true;
}

function show({ scroll }) {
  for (const line of source.querySelectorAll(".lit")) line.classList.remove("lit");
  const range = chosen();
  if (range && goToPage(range)) return;
  if (range) light(range);
  if (range && scroll) document.getElementById(`L${range.start}`)?.scrollIntoView({ block: "center" });
  showSelection(range);
  showHostLink(range);
}

function light({ start, end }) {
  const last = Math.min(end, Number(source.dataset.last));
  for (let n = start; n <= last; n += 1) document.getElementById(`L${n}`)?.classList.add("lit");
}

function label(range) {
  return range.start === range.end ? `L${range.start}` : `L${range.start}-L${range.end}`;
}

function showSelection(range) {
  const bar = document.getElementById("selection");
  bar.hidden = !range;
  if (!range) return;
  bar.querySelector("[data-range]").textContent = label(range);
  askAboutLines(bar.querySelector("[data-ask-lines]"), range);
}

// The question form opens with the lines as what the question is about.
function askAboutLines(link, range) {
  const address = new URL(link.href);
  address.searchParams.set("lines", `${range.start}-${range.end}`);
  link.href = address;
}

function showHostLink(range) {
  const link = document.getElementById("host-link");
  if (!link) return;
  const one = range && range.start === range.end;
  const form = range ? (one ? link.dataset.line : link.dataset.lines) : link.dataset.page;
  link.href = range ? form.replace(START, range.start).replace(END, range.end) : form;
}

function choose(start, end) {
  const range = { start: Math.min(start, end), end: Math.max(start, end) };
  history.replaceState(null, "", `#${label(range)}`);
  show({ scroll: false });
}

source?.addEventListener("click", (event) => {
  const link = event.target.closest("div > a");
  if (!link) return;
  event.preventDefault();
  const line = Number(link.textContent);
  const range = chosen();
  if (event.shiftKey && range) choose(range.start, line);
  else choose(line, line);
});

async function copyLink() {
  if (navigator.clipboard) await navigator.clipboard.writeText(location.href);
}

document.querySelector("[data-copy-link]")?.addEventListener("click", copyLink);
document.addEventListener("keydown", (event) => {
  if (event.key === "y" && isFree(event)) copyLink();
});

if (source) {
  window.addEventListener("hashchange", () => show({ scroll: true }));
  show({ scroll: true });
}
