// The tiles of a hand being entered, as a plain value: what a tap adds, and the same as hand text.
// What a hand is worth, and whether it is one, only the server says.

export const empty = () => ({ tiles: [], melds: [], bonus: [], win: null, draft: null, dora: [], ura: [] });

const SUITS = "mpszf";
export const kind = (tile) => (tile[0] === "0" ? "5" + tile[1] : tile);
const rank = (tile) => Number(kind(tile)[0]);
const place = (tile) => SUITS.indexOf(tile[1]) * 20 + rank(tile) * 2 - (tile[0] === "0" ? 1 : 0);
export const sorted = (tiles) => [...tiles].sort((a, b) => place(a) - place(b));

// "2m","3m","7z" -> "23m7z"
export const write = (tiles) =>
  tiles.map((tile, i) => (tiles[i + 1]?.[1] === tile[1] ? tile[0] : tile)).join("");

export const tilesOf = (text) =>
  [...text.matchAll(/(\d+)([a-z])/g)].flatMap(([, digits, letter]) => [...digits].map((digit) => digit + letter));

export const text = (hand) =>
  [write(sorted(hand.tiles)), ...hand.melds.map((meld) => meld.text), write(sorted(hand.bonus)), hand.win ? "+" + hand.win : ""]
    .filter(Boolean)
    .join(" ");

const all = (hand) => [
  ...hand.tiles,
  ...hand.melds.flatMap((meld) => meld.tiles),
  ...hand.bonus,
  ...(hand.win ? [hand.win] : []),
  ...hand.dora,
  ...hand.ura,
];

// How many more of a tile there can be.
export const left = (hand, tile) =>
  (tile[1] === "f" ? 1 : 4) - all(hand).filter((other) => kind(other) === kind(tile)).length;

// How many more concealed tiles there is room for, the winning tile among them.
export const room = (hand) => 14 - 3 * hand.melds.length - hand.tiles.length - (hand.win ? 1 : 0);

const meld = (tiles, open = true) => {
  const inside = write(sorted(tiles));
  return { text: open ? `[${inside}]` : `(${inside})`, tiles: sorted(tiles) };
};

const tap = (hand, tile) => {
  if (room(hand) < 1) return "The hand is full: tap a tile in it to take it out";
  if (room(hand) === 1 && !hand.win) hand.win = tile;
  else hand.tiles.push(tile);
  return "";
};

const run = (first, second) => {
  const [a, b] = [rank(first), rank(second)];
  if (first[1] !== second[1] || first[1] === "z" || Math.abs(a - b) > 2 || a === b) return null;
  let third = b > a ? (b - a === 2 ? a + 1 : b + 1) : a - b === 2 ? b + 1 : b - 1;
  if (third > 9) third = a - 1;
  if (third < 1) third = a + 1;
  return third + first[1];
};

const add = (hand, tiles) => {
  if (room(hand) < 3) return "There is no room for another set";
  hand.melds.push(meld(tiles));
  if (!hand.win && room(hand) === 0) hand.win = hand.tiles.pop() ?? null;
  return "";
};

// A tap while sets are entered. `hand.draft` holds the first tile of a set that is not whole yet, or the taps of the last one.
const tapSet = (hand, tile) => {
  const last = hand.melds.at(-1);
  const taps = hand.draft?.made ? hand.draft.taps : null;
  if (taps && taps.every((other) => kind(other) === kind(tile))) {
    // the same tile once more: a pung becomes a kong, an honour's kong a pung again
    const size = last.tiles.length;
    if (size === 3 && left(hand, tile) > 0) hand.melds[hand.melds.length - 1] = meld([...last.tiles, tile]);
    else if (size === 4 && tile[1] === "z") hand.melds[hand.melds.length - 1] = meld(last.tiles.slice(1));
    return "";
  }
  if (taps && taps.length === 2 && kind(last.tiles[0]) !== kind(last.tiles[1])) {
    // somebody taps all three tiles of a run
    const ranks = [...taps, tile].map(rank).sort();
    const same = tile[1] === taps[0][1] && ranks[0] + 1 === ranks[1] && ranks[1] + 1 === ranks[2];
    if (same) {
      hand.melds[hand.melds.length - 1] = meld([...taps, tile]);
      hand.draft = { made: true, taps: [...taps, tile] };
      return "";
    }
  }
  const first = hand.draft && !hand.draft.made ? hand.draft.taps[0] : null;
  if (tile[1] === "z" && !first) {
    if (left(hand, tile) < 3) return "There are not three of these left";
    const said = add(hand, [tile, tile, tile]);
    if (!said) hand.draft = { made: true, taps: [tile] };
    return said;
  }
  if (first && kind(first) === kind(tile)) {
    if (left(hand, tile) < 3) return "There are not three of these left";
    const said = add(hand, [first, tile, kind(tile)]);
    hand.draft = said ? null : { made: true, taps: [first, tile] };
    return said;
  }
  const third = first && run(first, tile);
  if (third) {
    if (left(hand, third) < 1 || left(hand, tile) < 1) return "There is none of these left";
    const said = add(hand, [first, tile, third]);
    hand.draft = said ? null : { made: true, taps: [first, tile] };
    return said;
  }
  if (tile[1] === "z") {
    hand.draft = null;
    return tapSet(hand, tile);
  }
  hand.draft = { made: false, taps: [tile] };
  return "";
};

// What a tap on a key does; returns what to say where it does nothing.
export const press = (hand, tile, mode) => {
  const again = mode === "set" && hand.draft?.made && hand.draft.taps.every((other) => kind(other) === kind(tile));
  if (left(hand, tile) < 1 && !again) return "All of these are used";
  if (mode === "dora" || mode === "ura") {
    if (tile[1] === "f") return "A flower is no indicator";
    if (hand[mode].length > 4) return "There are five indicators at most";
    hand[mode].push(tile);
    return "";
  }
  if (tile[1] === "f") {
    hand.bonus.push(tile);
    return "";
  }
  return mode === "set" ? tapSet(hand, tile) : tap(hand, tile);
};

// Takes a tile out of the hand.
export const take = (hand, tile, from) => {
  hand.draft = null;
  if (from === "win") hand.win = null;
  else hand[from].splice(hand[from].indexOf(tile), 1);
};

// Makes a tile in the hand the winning one.
export const win = (hand, tile) => {
  if (hand.win) hand.tiles.push(hand.win);
  hand.tiles.splice(hand.tiles.indexOf(tile), 1);
  hand.win = tile;
};

// A tap on a set: exposed, then concealed; a concealed kong stays a set, and a third tap takes it out.
export const turn = (hand, i) => {
  const one = hand.melds[i];
  hand.draft = null;
  if (one.tiles.length === 4 && one.text[0] === "[") {
    hand.melds[i] = meld(one.tiles, false);
    return "concealed";
  }
  hand.melds.splice(i, 1);
  if (one.tiles.length === 4) return "taken out";
  hand.tiles.push(...one.tiles);
  if (!hand.win && room(hand) === 0) hand.win = hand.tiles.pop();
  return "concealed: its tiles are in the hand";
};
