// A table followed live: whatever is booked anywhere is shown here within a second or two.
const here = () => document.getElementById("table");
const { token, id } = here().dataset;
let seen = Number(here().dataset.version);

// Bets of the deal under way are no event yet: they are kept on this phone until the deal is booked.
const kept = () => `tenbo.bets.${id}.${here().dataset.deal}`;
const bets = () => [...document.querySelectorAll("[name=bet]")];
const restore = () => {
  if (!bets().length) return;
  const on = JSON.parse(localStorage.getItem(kept()) ?? "[]");
  for (const bet of bets()) bet.checked ||= on.includes(bet.value);
};
document.addEventListener("change", (event) => {
  if (event.target.name !== "bet") return;
  localStorage.setItem(kept(), JSON.stringify(bets().filter((bet) => bet.checked).map((bet) => bet.value)));
});

let loading = false;
const load = async () => {
  if (loading) return;
  loading = true;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, cache: "no-store" });
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const fresh = page.getElementById("table");
    if (!fresh || Number(fresh.dataset.version) === Number(here().dataset.version)) return;
    const focused = document.activeElement?.id;
    here().replaceWith(document.adoptNode(fresh));
    seen = Number(here().dataset.version);
    restore();
    if (focused) document.getElementById(focused)?.focus();
  } catch {
    // no network: the next sign of life brings it
  } finally {
    loading = false;
  }
};

let source = null;
let heard = 0;
const follow = () => {
  source?.close();
  source = new EventSource(`/api/tables/${token}/live?since=${seen}`);
  heard = Date.now();
  source.addEventListener("table", (event) => {
    heard = Date.now();
    const version = Number(event.lastEventId);
    if (version !== seen) load();
  });
  source.addEventListener("ping", () => (heard = Date.now()));
  source.addEventListener("deleted", () => location.reload());
  source.addEventListener("error", () => {
    if (source.readyState === EventSource.CLOSED) setTimeout(follow, 2000);
  });
};
// A phone that slept may hold a line that is long dead.
const awake = () => {
  if (document.visibilityState !== "visible") return;
  load();
  if (Date.now() - heard > 20_000 || source?.readyState === EventSource.CLOSED) follow();
};
document.addEventListener("visibilitychange", awake);
addEventListener("online", awake);
addEventListener("pageshow", (event) => event.persisted && awake());
setInterval(() => Date.now() - heard > 40_000 && awake(), 10_000);

try {
  // This phone knows its tables again on the page for new ones.
  const tables = JSON.parse(localStorage.getItem("tenbo.tables") ?? "{}");
  const mark = document.querySelector(".top .mark");
  const role = document.querySelector(".board .acts") || document.querySelector('.top a[href$="/more"]') ? "score" : "watch";
  tables[id] = { name: "", ...tables[id], [role]: `/t/${token}`, seen: Date.now() };
  if (mark && mark.textContent !== "tenbo") tables[id].name = mark.textContent;
  localStorage.setItem("tenbo.tables", JSON.stringify(tables));
} catch {
  // a full or forbidden store: only the list of tables is missing
}
restore();
follow();
