// Whether a single key may be taken as a command.
export function isTyping(target) {
  return target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
}

export function isFree(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return false;
  return !document.querySelector("dialog[open]");
}
