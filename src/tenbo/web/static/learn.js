// Counts right answers in a row; each question counts once.
const KEPT = "tenbo.learn";
const page = document.getElementById("learn");
const shown = document.getElementById("streak");

let kept = { row: 0, best: 0, answered: "" };
try {
  kept = { ...kept, ...JSON.parse(localStorage.getItem(KEPT)) };
} catch {
  // nothing kept, or something else: a new row begins
}
const { key, right } = page.dataset;
if (right && kept.answered !== key) {
  kept.row = right === "yes" ? kept.row + 1 : 0;
  kept.best = Math.max(kept.best, kept.row);
  kept.answered = key;
  try {
    localStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // a full or forbidden store: the row is not remembered
  }
}
if (kept.row || kept.best) {
  shown.hidden = false;
  shown.textContent = `${kept.row} right in a row${kept.best > kept.row ? `, ${kept.best} at best` : ""}`;
}
for (const select of document.querySelectorAll(".pickers select"))
  select.addEventListener("change", () => select.form.requestSubmit());
