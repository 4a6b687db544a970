// Dropping an archive, and taking a folder from the list. Both work without this as well.

const zone = document.querySelector("[data-drop]");
const file = zone?.querySelector("input[type=file]");

function holdsFiles(event) {
  return event.dataTransfer?.types.includes("Files");
}

// A file dropped beside the zone must not replace the page.
for (const name of ["dragover", "drop"]) {
  addEventListener(name, (event) => {
    if (!holdsFiles(event)) return;
    event.preventDefault();
    zone.classList.toggle("over", name === "dragover" && zone.contains(event.target));
  });
}

zone?.addEventListener("dragleave", () => zone.classList.remove("over"));
zone?.addEventListener("drop", (event) => {
  if (!event.dataTransfer.files.length) return;
  const one = new DataTransfer();
  one.items.add(event.dataTransfer.files[0]);
  file.files = one.files;
  file.focus();
});

document.addEventListener("click", (event) => {
  const link = event.target.closest("[data-folder]");
  if (!link || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  const source = document.getElementById("id_source");
  source.value = link.dataset.folder;
  source.dispatchEvent(new Event("input", { bubbles: true }));
  source.focus();
});
