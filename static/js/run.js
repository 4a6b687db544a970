// Follows a run: events from the server, or the page's fragment every two seconds.

const live = document.getElementById("live");
const shown = new Map();
for (const part of live?.querySelectorAll("[data-part]") ?? []) shown.set(part.id, key(part));

// A part with a version is compared by that: its form carries a token that changes each time.
function key(part) {
  return part.dataset.version ?? part.outerHTML;
}

function parts(html) {
  const box = document.createElement("template");
  box.innerHTML = html;
  return box.content.querySelectorAll("[data-part]");
}

// Replaces only the parts that changed, so that focus and opened lists stay.
function apply(html) {
  for (const fresh of parts(html)) {
    const old = document.getElementById(fresh.id);
    const text = key(fresh);
    if (fresh.dataset.said) say(fresh.dataset.said);
    if (shown.get(fresh.id) === text) continue;
    shown.set(fresh.id, text);
    if (old) replace(old, fresh);
    else document.getElementById("stages")?.append(fresh);
  }
}

function replace(old, fresh) {
  const focused = old.contains(document.activeElement) ? document.activeElement.id : "";
  for (const open of old.querySelectorAll("details[open][id]")) {
    fresh.querySelector(`#${CSS.escape(open.id)}`)?.setAttribute("open", "");
  }
  old.replaceWith(fresh);
  if (focused) document.getElementById(focused)?.focus({ preventScroll: true });
}

function say(words) {
  const region = document.getElementById("said");
  if (region.textContent !== words) region.textContent = words;
}

function end() {
  for (const one of document.querySelectorAll("[data-while-active]")) one.hidden = true;
}

function follow(address) {
  const events = new EventSource(address);
  let faults = 0;
  events.addEventListener("open", () => (faults = 0));
  events.addEventListener("progress", (event) => apply(event.data));
  events.addEventListener("details", (event) => apply(event.data));
  events.addEventListener("leave", (event) => {
    events.close();
    location.assign(event.data);
  });
  events.addEventListener("end", () => {
    events.close();
    end();
  });
  // The browser tries again by itself after a break; not after a refusal, nor for ever.
  events.addEventListener("error", () => {
    faults += 1;
    if (events.readyState !== EventSource.CLOSED && faults < 4) return;
    events.close();
    poll();
  });
  addEventListener("pagehide", () => events.close());
}

function poll() {
  live.setAttribute("hx-get", live.dataset.url);
  live.setAttribute("hx-trigger", "every 2s");
  live.setAttribute("hx-swap", "none");
  live.addEventListener("htmx:afterRequest", (event) => {
    if (!event.detail.successful) return;
    apply(event.detail.xhr.responseText);
    if (event.detail.xhr.status === 286) end();
  });
  window.htmx.process(live);
}

if (live?.dataset.events) {
  if ("EventSource" in window) follow(live.dataset.events);
  else if (window.htmx) poll();
  else addEventListener("load", poll);
}
