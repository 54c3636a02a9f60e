// What was typed into a form is there again after a reload, and on the way back to it; a new visit begins empty.
const KEY = `tenbo.typed.${location.pathname}${location.search}`;
const fields = () =>
  [...document.forms].flatMap((form) => [...form.elements]).filter((field) => field.name && !["hidden", "file", "submit"].includes(field.type));
const chosen = (field) => ["radio", "checkbox"].includes(field.type);

const [visit] = performance.getEntriesByType("navigation");
try {
  const typed = JSON.parse(sessionStorage.getItem(KEY) ?? "null");
  if (visit?.type === "navigate") sessionStorage.removeItem(KEY);
  else if (typed?.length === fields().length)
    fields().forEach((field, i) => {
      if (chosen(field)) field.checked = typed[i];
      else if (field.value !== typed[i]) {
        field.value = typed[i];
        field.closest("details")?.setAttribute("open", "");
      }
    });
} catch {
  // nothing kept, or a forbidden store
}
document.addEventListener("input", () => {
  try {
    sessionStorage.setItem(KEY, JSON.stringify(fields().map((field) => (chosen(field) ? field.checked : field.value))));
  } catch {
    // a full or forbidden store: a reload loses what was typed
  }
});
