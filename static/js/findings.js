// One box that chooses every finding of the page; without script each is chosen by itself.
const all = document.querySelector("#choose-all");

if (all) {
  all.closest("label").hidden = false;
  const boxes = () => document.querySelectorAll('input[name="finding"]');
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
  });
  document.addEventListener("change", (event) => {
    if (event.target.name !== "finding") return;
    all.checked = [...boxes()].every((box) => box.checked);
  });
}
