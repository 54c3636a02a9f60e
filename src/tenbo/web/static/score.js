import { empty, kind, left, press, room, sorted, take, text, tilesOf, turn, win, write } from "./hand.js";

const form = document.getElementById("score");
const at = (id) => document.getElementById(id);
const strip = at("hand");
const box = at("text");
const sprite = form.dataset.sprite;
const KEPT = form.dataset.kept;
const page = form.getAttribute("action");
const names = Object.fromEntries([...document.querySelectorAll("[data-key]")].map((key) => [key.dataset.key, key.ariaLabel]));
const suits = { m: "characters", p: "dots", s: "bamboo" };
const name = (tile) => names[tile] ?? (tile[0] === "0" ? `red five of ${suits[tile[1]]}` : tile);

let hand = empty();
let mode = "";
let past = [];
let future = [];

// ------------------------------------------------------------------------------------------------ what is shown

const SVG = "http://www.w3.org/2000/svg";
const tileOf = (tile, more = "") => {
  const span = document.createElement("span");
  span.className = `tile ${more}`;
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 60 80");
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", `${sprite}#t-${tile}`);
  svg.append(use);
  span.append(svg);
  return span;
};

const button = (className, label, data, ...inside) => {
  const one = document.createElement("button");
  one.type = "button";
  one.className = className;
  one.ariaLabel = label;
  Object.assign(one.dataset, data);
  one.append(...inside);
  return one;
};

const setOf = (meld, i) => {
  const open = meld.text[0] === "[";
  const hidden = (j) => !open && meld.tiles.length === 4 && (j === 0 || j === 3);
  const tiles = meld.tiles.map((tile, j) =>
    hidden(j) ? tileOf("back", "back") : tileOf(tile, open && j === 0 ? "lying" : ""),
  );
  const said = `set: ${meld.tiles.map(name).join(", ")}; ${open ? "exposed" : "concealed"}`;
  return button("set", said, { set: meld.text, tiles: meld.tiles.join(" "), i }, ...tiles);
};

const draw = () => {
  const parts = sorted(hand.tiles).map((tile) => button("key", name(tile), { tile }, tileOf(tile)));
  if (hand.draft && !hand.draft.made) {
    const tile = hand.draft.taps[0];
    parts.push(button("key draft", `a set with ${name(tile)}`, { draft: tile }, tileOf(tile)));
  }
  if (hand.win) parts.push(button("key win", `winning tile: ${name(hand.win)}`, { win: hand.win }, tileOf(hand.win)));
  parts.push(...hand.melds.map(setOf));
  parts.push(...sorted(hand.bonus).map((tile) => button("key", name(tile), { bonus: tile }, tileOf(tile))));
  strip.replaceChildren(...parts);
  strip.classList.toggle("many", parts.length + hand.melds.reduce((sum, one) => sum + one.tiles.length - 0.6, 0) > 16.5);
  for (const key of document.querySelectorAll("[data-key]")) {
    const gone = left(hand, key.dataset.key) < 1;
    key.classList.toggle("gone", gone);
    key.ariaDisabled = gone ? "true" : null;
  }
  for (const chip of form.querySelectorAll(".mode")) {
    chip.ariaPressed = String(chip.dataset.mode === mode);
    const shown = hand[chip.dataset.mode];
    if (!Array.isArray(shown)) continue;
    const label = chip.firstElementChild;
    label.querySelectorAll(".tile").forEach((tile) => tile.remove());
    label.append(...shown.map((tile) => tileOf(tile)));
    chip.ariaLabel = [label.firstChild.textContent, ...shown.map(name)].join(", ");
  }
  document.body.dataset.tapping = mode;
  at("undo").disabled = !past.length;
  at("redo").disabled = !future.length;
  at("clear").hidden = false;
  at("copy").hidden = false;
};

let saying = 0;
const say = (message) => {
  at("say").textContent = message;
  at("say").classList.toggle("on", Boolean(message));
  clearTimeout(saying);
  if (message) saying = setTimeout(() => say(""), 5000);
};

// ------------------------------------------------------------------------------------------------ what is asked

const control = (key) => form.elements.namedItem(key);
const COUNTS = ["honba", "sticks"]; // where 0 is what holds anyway; elsewhere it is a player or an option's value
const query = () => {
  const out = new URLSearchParams();
  for (const [key, value] of new FormData(form)) if (value && !(value === "0" && COUNTS.includes(key))) out.append(key, value);
  return out;
};

let asking = null;
let waiting = 0;
const ask = async (typed = false) => {
  const said = query();
  at("dropped")?.remove(); // what was wrong with the address is not in it any more
  try {
    history.replaceState(null, "", `${page}?${said}`);
    localStorage.setItem(KEPT, said);
  } catch {
    // a full or forbidden store: the address still holds the hand
  }
  asking?.abort();
  asking = new AbortController();
  const { signal } = asking;
  clearTimeout(waiting);
  waiting = setTimeout(() => form.classList.add("slow"), 400);
  form.ariaBusy = "true";
  try {
    const answer = await fetch(`${form.dataset.live}?${said}`, { signal, headers: { Accept: "application/json" } });
    if (!answer.ok) throw new Error(answer.status);
    show(await answer.json(), typed);
    form.classList.remove("away");
  } catch (error) {
    if (signal.aborted) return;
    form.classList.add("away");
    say("No connection: the hand is kept here and is scored when the network is back");
    setTimeout(() => !signal.aborted && ask(typed), 3000);
  } finally {
    if (!signal.aborted) {
      clearTimeout(waiting);
      form.classList.remove("slow");
      form.ariaBusy = null;
    }
  }
};

const show = (answer, typed) => {
  at("line").innerHTML = answer.line;
  at("result").innerHTML = answer.result;
  document.title = answer.title;
  offer();
  for (const chip of document.querySelectorAll("label.chip")) {
    const why = answer.why[chip.firstElementChild.value];
    if (why) chip.dataset.why = why;
    else delete chip.dataset.why;
  }
  if (typed) {
    hand = { ...empty(), ...answer.hand, dora: hand.dora, ura: hand.ura };
    commit();
    draw();
  }
};

// The table that this phone keeps score for, where there is one: a scored hand goes there by one tap.
let table = null;
try {
  const known = Object.values(JSON.parse(localStorage.getItem("tenbo.tables") ?? "{}"));
  table = known.filter((one) => one.score && Date.now() - one.seen < 43_200_000).sort((a, b) => b.seen - a.seen)[0];
} catch {
  // nothing kept
}
const offer = () => {
  const figure = at("line").querySelector(".figure.scored");
  if (page !== "/" || !table || !figure) return;
  const said = query();
  const how = control("by").value === "self_draw" ? "self_draw" : (said.get("from") ?? "");
  const there = new URLSearchParams({ hand: box.value, seat: said.get("seat"), how });
  for (const key of ["flag", "dora", "ura"]) for (const value of said.getAll(key)) there.append(key, value);
  const link = document.createElement("a");
  link.className = "button book";
  link.href = `${table.score}/win?${there}`;
  link.textContent = "To the table";
  figure.append(link);
};

// The form's own fields say everything; the boxes for tiles are kept in step with the taps.
const changed = () => {
  box.value = text(hand);
  for (const key of ["dora", "ura"]) if (control(key)) control(key).value = write(hand[key]);
  draw();
  ask();
};

// ------------------------------------------------------------------------------------------------ undo and redo

const now = () =>
  JSON.stringify([{ ...hand, draft: null }, [...new FormData(form)].filter(([key]) => !/^(hand|dora|ura|o\..*)$/.test(key))]);
let state = "";

// What is there now becomes a step that can be undone; says whether anything changed.
const commit = () => {
  const next = now();
  if (next === state) return false;
  past.push(state);
  if (past.length > 200) past.shift();
  future = [];
  state = next;
  return true;
};

const back = (from, to) => {
  if (!from.length) return;
  to.push(state);
  state = from.pop();
  const [tiles, fields] = JSON.parse(state);
  hand = tiles;
  mode = "";
  for (const input of form.querySelectorAll("input[type=radio], input[type=checkbox]"))
    input.checked = fields.some(([key, value]) => key === input.name && value === input.value);
  for (const [key, value] of fields) {
    const field = control(key);
    if (field?.type === "number" || field?.tagName === "SELECT") field.value = value;
  }
  say("");
  changed();
};

// Does something to the hand.
const act = (doing) => {
  say(doing() || "");
  if (commit()) changed();
  else draw();
};

// ------------------------------------------------------------------------------------------------ taps

const HINTS = {
  set: "Set: two tiles of a run; twice the same for a pung, three times for a kong; one honour is a pung, twice a kong",
  win: "Tap the tile in the hand that won",
  dora: "Tap the dora indicator; tap Dora again to take them out",
  ura: "Tap the under-dora indicator; tap Under-dora again to take them out",
  red: "The next five is red",
};

const switchTo = (next) => {
  const off = mode === next;
  hand.draft = null;
  if (off && Array.isArray(hand[next]) && hand[next].length) act(() => void (hand[next] = []));
  mode = off ? "" : next;
  document.body.classList.toggle("reds", mode === "red");
  for (const key of document.querySelectorAll("[data-key^='5']:not([data-key$='z']):not([data-key$='f'])"))
    key.querySelector("use").setAttribute("href", `${sprite}#t-${mode === "red" ? "0" : "5"}${key.dataset.key[1]}`);
  draw();
  say(off ? "" : HINTS[next]);
};

let behind = ""; // the mode that a red five goes back to
const tapKey = (tile) => {
  const red = mode === "red" && tile[0] === "5" && "mps".includes(tile[1]);
  act(() => press(hand, red ? "0" + tile[1] : tile, mode === "red" ? behind : mode));
  if (red) {
    switchTo("red");
    mode = behind;
    behind = "";
    draw();
  }
  if (mode === "dora" || mode === "ura") {
    mode = "";
    draw();
  }
};

// At a table the discarder is named; until then a discard is from nobody.
const wonBy = (by) => {
  const way = form.querySelector(`[name=by][value=${by}]`) ?? form.querySelector(`[name=how][value=${by}]`);
  if (way) way.checked = true;
  else if (control("how")?.value === "self_draw") form.querySelector("[name=how]:checked").checked = false;
};

form.addEventListener("click", (event) => {
  const hit = event.target.closest("button, a.price, label.chip");
  if (!hit) return;
  const data = hit.dataset;
  if (data.key) tapKey(data.key);
  else if (data.mode) {
    if (data.mode === "red" && mode !== "red") behind = mode;
    switchTo(data.mode);
  } else if (data.tile && mode === "win") {
    act(() => win(hand, data.tile));
    switchTo("win");
  } else if (data.tile) act(() => take(hand, data.tile, "tiles"));
  else if (data.win) act(() => take(hand, data.win, "win"));
  else if (data.bonus) act(() => take(hand, data.bonus, "bonus"));
  else if (data.draft) act(() => void (hand.draft = null));
  else if (data.set) {
    let done = "";
    act(() => void (done = turn(hand, Number(data.i ?? [...strip.querySelectorAll(".set")].indexOf(hit)))));
    say(`The set is ${done}`);
  } else if (data.hand) {
    event.preventDefault();
    act(() => {
      hand.win = data.hand.split("+")[1];
      wonBy(data.by);
      hand.draft = null;
    });
    mode = "";
    draw();
  } else if (hit.matches("label.chip") && data.why && !hit.firstElementChild.checked) {
    event.preventDefault();
    say(data.why);
  } else if (hit.id === "undo") back(past, future);
  else if (hit.id === "redo") back(future, past);
  else if (hit.id === "clear") {
    act(() => {
      hand = empty();
      for (const input of form.querySelectorAll("input[type=checkbox]")) input.checked = false;
    });
    mode = "";
    draw();
  } else if (hit.id === "copy") share();
});

const share = async () => {
  const url = location.href;
  try {
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ title: document.title, url });
    else {
      await navigator.clipboard.writeText(url);
      say("The link is copied: it opens with this hand, these rules and this result");
    }
  } catch {
    say("The address above is the link: it opens with this hand, these rules and this result");
  }
};

// At a table: whoever bet in this deal has declared riichi.
const betIsRiichi = (winner) => {
  const [riichi, twice] = ["riichi", "double_riichi"].map((flag) => form.querySelector(`[name=flag][value=${flag}]`));
  if (riichi && !twice?.checked && form.querySelector("[name=seat][data-bet]")) riichi.checked = "bet" in winner.dataset;
};

form.addEventListener("change", (event) => {
  if (event.target === box) return;
  if (event.target.name === "rules") {
    location.href = `${page}?${query()}`;
    return;
  }
  if (event.target.name === "seat") {
    betIsRiichi(event.target);
    const how = form.querySelector(`[name=how][value=${event.target.value}]`); // nobody wins on their own discard
    if (how) how.checked = false;
  }
  commit();
  draw();
  ask();
});
form.addEventListener("input", (event) => {
  if (event.target === box) ask(true);
});
form.addEventListener("submit", (event) => {
  if (event.submitter?.classList.contains("book")) {
    const untold = control("seat").value ? "Say how it was won: drawn, or from whom" : "Say who won";
    if (control("how") && !(control("seat").value && control("how").value)) {
      event.preventDefault();
      say(untold);
    }
    return;
  }
  event.preventDefault();
  box.blur();
  ask(true);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape") {
    mode = "";
    hand.draft = null;
    for (const open of document.querySelectorAll("details.more[open], details.menu[open]")) open.open = false;
    draw();
  }
  if (event.target === box || !(event.ctrlKey || event.metaKey) || event.key.toLowerCase() !== "z") return;
  event.preventDefault();
  if (event.shiftKey) back(future, past);
  else back(past, future);
});
document.addEventListener("pointerdown", (event) => {
  for (const open of document.querySelectorAll("details.more[open], details.menu[open]"))
    if (!open.contains(event.target)) open.open = false;
});
addEventListener("online", () => ask());
// An arrow goes to the next key: the whole keyboard need not be tabbed through.
at("keys").addEventListener("keydown", (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1, ArrowDown: 9, ArrowUp: -9 }[event.key];
  if (!step) return;
  const keys = [...at("keys").querySelectorAll("button")];
  const next = keys[keys.indexOf(event.target.closest("button")) + step];
  if (!next) return;
  event.preventDefault();
  next.focus();
});

// ------------------------------------------------------------------------------------------------ the start

const read = () => {
  const tile = (key) => [...strip.querySelectorAll(`[data-${key}]`)].map((one) => one.dataset[key]);
  hand.tiles = tile("tile");
  hand.bonus = tile("bonus");
  hand.win = tile("win")[0] ?? null;
  hand.melds = [...strip.querySelectorAll("[data-set]")].map((one) => ({
    text: one.dataset.set,
    tiles: one.dataset.tiles.split(" "),
  }));
  for (const key of ["dora", "ura"]) hand[key] = control(key) ? tilesOf(control(key).value) : [];
};

// At a table only the hand comes back: bets and the rest of the deal are as this page was opened with.
const HAND = ["hand", "seat", "how", "flag", "dora", "ura"];
const restored = (last) => {
  if (page === "/") return last;
  const was = new URLSearchParams(last);
  const out = new URLSearchParams([...was].filter(([key]) => HAND.includes(key)));
  for (const key of ["dora", "ura"]) if (control(key)?.value) out.set(key, control(key).value); // as other winners had them
  for (const field of form.querySelectorAll("input[type=hidden]")) out.append(field.name, field.value);
  const bet = form.querySelector(`[name=seat][value="${out.get("seat")}"]`)?.matches("[data-bet]");
  const declared = out.getAll("flag").some((flag) => ["riichi", "double_riichi"].includes(flag));
  if (bet && !declared && out.getAll("bet").join() !== was.getAll("bet").join() && form.querySelector("[name=flag][value=riichi]"))
    out.append("flag", "riichi");
  return out.toString();
};

// A hand left half-entered comes back where none is asked for.
const kept = box.value || (page === "/" && location.search) ? null : localStorage.getItem(KEPT);
const last = kept && (page === "/" || new URLSearchParams(kept).get("hand")) ? restored(kept) : null;
if (last && last !== query().toString()) location.replace(`${page}?${last}`);
else {
  read();
  const own = control("how")?.value && form.querySelector(`.how [value="${control("seat").value}"]:checked`);
  if (own) own.checked = false; // nobody wins on their own discard
  state = now();
  draw();
  offer();
  if (matchMedia("(pointer: fine) and (min-width: 60rem)").matches) box.focus({ preventScroll: true });
}
