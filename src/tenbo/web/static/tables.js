// The tables that this phone has seen, and the links of a new one.
const KEPT = "tenbo.tables";
let tables = {};
try {
  tables = JSON.parse(localStorage.getItem(KEPT) ?? "{}");
} catch {
  tables = {};
}

// A table that was deleted is not listed any more.
const gone = async (table) => {
  const answer = await fetch(`/api/tables/${(table.score ?? table.watch).slice("/t/".length)}`).catch(() => null);
  if (answer?.status !== 404) return false;
  for (const [id, one] of Object.entries(tables)) if (one === table) delete tables[id];
  localStorage.setItem(KEPT, JSON.stringify(tables));
  return true;
};

const list = document.getElementById("kept");
if (list) {
  const known = Object.values(tables).sort((a, b) => (b.seen ?? 0) - (a.seen ?? 0));
  for (const table of known.slice(0, 5)) {
    const link = document.createElement("a");
    link.href = table.score ?? table.watch;
    const when = new Date(table.seen ?? 0).toLocaleDateString();
    link.textContent = [table.name || table.rules || "Table", when, table.score ? "" : "watching"].filter(Boolean).join(", ");
    const item = document.createElement("li");
    item.append(link);
    list.append(item);
    gone(table).then((is) => {
      if (is) item.remove();
      list.hidden = !list.children.length;
    });
  }
  list.hidden = !known.length;
}

const made = document.getElementById("made");
if (made) {
  const { id, name, rules, score, watch } = made.dataset;
  const known = tables[id] ?? {};
  const now = { ...known, name, rules, seen: Date.now() };
  if (score) now.score = score;
  if (watch) now.watch = watch;
  tables[id] = now;
  try {
    localStorage.setItem(KEPT, JSON.stringify(tables));
  } catch {
    // a full or forbidden store: the links are still on the page
  }
  if (score && watch) history.replaceState(null, "", `${score}/links`); // a reload makes no second table
  else if (score && now.watch) {
    const other = document.getElementById("other");
    other.hidden = false;
    other.querySelector("input").value = new URL(now.watch, location.href).href;
  }
  for (const copy of document.querySelectorAll("[data-copy]")) {
    copy.hidden = false;
    copy.addEventListener("click", async () => {
      const field = document.getElementById(copy.dataset.copy);
      field.select();
      try {
        await navigator.clipboard.writeText(field.value);
        copy.textContent = "Copied";
      } catch {
        document.execCommand("copy");
      }
    });
  }
}
