// Comments, marks and variations of a game in PGN or PDN. The server reads the moves; this reads what is between them.

import { childOf, movesTo } from "./line.js";

/** The usual marks, by their numbers in PGN. */
const GLYPHS = { 1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!", 10: " =", 14: " ⩲", 15: " ⩱", 16: " ±", 17: " ∓", 18: " +−", 19: " −+" };

const MOST_VARIATIONS = 100;

/** The movetext of the first game as a tree of `{ word, glyph, comment, children }`. */
export function readMovetext(text) {
  const body = text.replace(/^\s*(\[[^\]]*\]\s*)*/, "");
  const root = { word: "", glyph: "", comment: "", children: [] };
  let now = root;
  let before = root;
  const outside = [];
  const tokens = body.match(/\{[^}]*\}|;[^\n]*|\(|\)|\$\d+|[^\s(){};]+/g) ?? [];
  for (const token of tokens) {
    if (token[0] === "{" || token[0] === ";") {
      const comment = token.replace(/^[{;]|\}$/g, "").replace(/\[%[^\]]*\]/g, "").replace(/\s+/g, " ").trim();
      now.comment = [now.comment, comment].filter(Boolean).join(" ");
    } else if (token === "(") {
      outside.push([before, now]);
      now = before;
    } else if (token === ")") {
      if (outside.length) [before, now] = outside.pop();
    } else if (token[0] === "$") {
      now.glyph += GLYPHS[token.slice(1)] ?? "";
    } else if (/^(1-0|0-1|1\/2-1\/2|2-0|0-2|1-1|\*)$/.test(token)) {
      if (!outside.length) break;
    } else {
      const word = token.replace(/^\d+\.+/, "");
      if (!word || /^\d+$/.test(word)) continue;
      const [, move, glyph] = /^(.*?)([!?]*)$/.exec(word);
      const node = { word: move, glyph, comment: "", children: [] };
      now.children.push(node);
      [before, now] = [now, node];
    }
  }
  return root;
}

/**
 * Adds comments, marks and variations to the nodes of a main line. `resolve(moves)` returns the moves of a line in the game's
 * own notation. Returns how many variations could not be read.
 */
export async function annotate(root, text, resolve) {
  let unread = 0;
  let asked = 0;
  const copy = (from, to) => Object.assign(to, { comment: from.comment, glyph: from.glyph });
  const walk = async (from, to) => {
    copy(from, to);
    const [main, ...variations] = from.children;
    for (const variation of variations) {
      const words = [];
      for (let one = variation; one; one = one.children[0]) words.push(one.word);
      const before = movesTo(to);
      let line = null;
      if (asked < MOST_VARIATIONS) {
        asked += 1;
        line = await resolve([...before, ...words]).catch(() => null);
      }
      if (line?.length !== before.length + words.length) {
        unread += 1;
        continue;
      }
      let node = to;
      for (const move of line.slice(before.length)) node = childOf(node, move);
      await walk(variation, childOf(to, line[before.length]));
    }
    if (main && to.children.length) await walk(main, to.children[0]);
  };
  await walk(readMovetext(text), root);
  return unread;
}
