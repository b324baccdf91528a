// The page asks a WebAssembly module, the program itself. Questions and answers are JSON; see crates/web.
"use strict";

const $ = (id) => document.getElementById(id);

/** Makes an element with attributes and children. Children are text or elements, never markup. */
function make(name, attributes, ...children) {
  const isDrawn = ["svg", "rect", "text", "path", "title"].includes(name);
  const element = isDrawn ? document.createElementNS("http://www.w3.org/2000/svg", name) : document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

/** The code of a worker: answers each question with the module that it gets first. */
function work() {
  let module;
  onmessage = ({ data }) => {
    if (data instanceof WebAssembly.Module) return void (module = new WebAssembly.Instance(data).exports);
    const question = new TextEncoder().encode(JSON.stringify(data));
    const room = module.room(question.length);
    new Uint8Array(module.memory.buffer, room, question.length).set(question);
    const length = module.answer();
    postMessage(JSON.parse(new TextDecoder().decode(new Uint8Array(module.memory.buffer, module.text(), length))));
  };
}

const code = URL.createObjectURL(new Blob([`(${work})()`], { type: "text/javascript" }));
const compiled = WebAssembly.compile(Uint8Array.from(atob(MODULE), (letter) => letter.charCodeAt(0)));

/** A worker that answers one question after the other, until it is cancelled. */
class Asker {
  last = Promise.resolve();
  cancels = 0;

  ask(question) {
    const answer = this.last.then(() => this.send(question));
    this.last = answer.catch(() => {});
    return answer;
  }

  async send(question) {
    const { cancels } = this;
    const module = await compiled;
    if (cancels !== this.cancels) throw new Error("cancelled");
    if (!this.worker) {
      this.worker = new Worker(code);
      this.worker.postMessage(module);
    }
    const answer = await new Promise((resolve, reject) => {
      this.reject = reject;
      this.worker.onmessage = ({ data }) => resolve(data);
      this.worker.onerror = ({ message }) => {
        reject(new Error(`the module failed: ${message}`));
        this.cancel();
      };
      this.worker.postMessage(question);
    });
    if (answer?.error !== undefined) throw new Error(answer.error);
    return answer;
  }

  cancel() {
    this.cancels++;
    this.worker?.terminate();
    this.worker = null;
    this.reject?.(new Error("cancelled"));
  }
}

// Positions are read while a count runs.
const [reader, divider, counter, keyer, auditor] = Array.from({ length: 5 }, () => new Asker());

/** Runs `work` when the form is submitted; its errors are shown in `answer`. A second run ends the first. */
function onSubmit(form, answer, asker, work) {
  const cancel = $(`${form}-cancel`);
  let run = 0;
  const start = async () => {
    asker.cancel();
    const number = ++run;
    const isCurrent = () => run === number;
    if (cancel) cancel.disabled = false;
    $(answer).replaceChildren(make("p", { class: "legend" }, "working…"));
    try {
      await work(isCurrent);
    } catch (error) {
      if (isCurrent()) $(answer).replaceChildren(make("p", { class: "wrong" }, error.message));
    }
    if (isCurrent() && cancel) cancel.disabled = true;
  };
  $(`${form}-form`).addEventListener("submit", (event) => {
    event.preventDefault();
    start();
  });
  cancel?.addEventListener("click", () => {
    run++;
    asker.cancel();
    cancel.disabled = true;
    $(answer).querySelector(".legend")?.remove();
    $(answer).append(make("p", { class: "wrong" }, "cancelled"));
  });
  return start;
}

// The board.

const GLYPHS = { k: "♚", q: "♛", r: "♜", b: "♝", n: "♞", p: "♟" };
const SIDE = 40;
const center = (square) => [SIDE * (square.charCodeAt(0) - 97.5 + 1), SIDE * (8.5 - square[1])];

function drawArrow(kind, move) {
  const [[x, y], [toX, toY]] = [center(move.slice(0, 2)), center(move.slice(2, 4))];
  const angle = Math.atan2(toY - y, toX - x);
  const [endX, endY] = [toX - 6 * Math.cos(angle), toY - 6 * Math.sin(angle)];
  const barb = (turn) => `${endX - 11 * Math.cos(angle + turn)} ${endY - 11 * Math.sin(angle + turn)}`;
  const head = `M${barb(0.5)}L${endX} ${endY}L${barb(-0.5)}`;
  return [make("path", { class: kind, d: `M${x} ${y}L${endX} ${endY}` }), make("path", { class: `${kind} head`, d: head })];
}

function drawBoard(fen, arrows) {
  const words = arrows.map(([kind, move]) => `${kind} ${move}`).join(", ");
  const label = `The position ${fen}${words && `; ${words}`}`;
  const board = make("svg", { class: "board", viewBox: "-12 0 332 332", role: "img", "aria-label": label });
  fen.split(" ")[0].split("/").forEach((rank, row) => {
    const pieces = rank.replace(/\d/g, (blank) => " ".repeat(blank));
    board.append(make("text", { x: -6, y: SIDE * row + 23 }, String(8 - row)));
    board.append(make("text", { x: SIDE * row + 20, y: 330 }, "abcdefgh"[row]));
    [...pieces].forEach((piece, column) => {
      const [x, y, shade] = [SIDE * column, SIDE * row, (row + column) % 2 ? "dark" : "light"];
      board.append(make("rect", { class: shade, x, y, width: SIDE, height: SIDE }));
      const [glyph, color] = [GLYPHS[piece.toLowerCase()], piece === piece.toLowerCase() ? "b" : "w"];
      if (glyph) board.append(make("text", { class: `piece ${color}`, x: x + 20, y: y + 32 }, `${glyph}\ufe0e`));
    });
  });
  const isDrawn = ([, move]) => /^[a-h][1-8][a-h][1-8]/.test(move);
  board.append(...arrows.filter(isDrawn).flatMap(([kind, move]) => drawArrow(kind, move)));
  const kinds = { illegal: "red: not legal, or listed twice", missing: "blue, dashed: missing", below: "orange: wrong below" };
  const legend = Object.keys(kinds).filter((kind) => arrows.some(([found]) => found === kind)).map((kind) => kinds[kind]);
  $("board").replaceChildren(board, make("p", { class: "legend" }, legend.join("; ")));
}

/** Reads the position, and shows its board and class. */
async function showPosition(arrows = []) {
  const text = $("position").value;
  const refused = ({ message }) => ({ class: "no position", reason: message });
  const position = await reader.ask({ position: text }).catch(refused);
  if (text !== $("position").value) return position;
  $("board").replaceChildren();
  if (position.moves) drawBoard(position.fen, arrows);
  const names = [position.class, position.is_chess960 && "Chess960", position.moves && `${position.moves.length} legal moves`];
  $("class").textContent = names.filter(Boolean).join(", ") + (position.reason ? `: ${position.reason}` : "");
  return position;
}

// Divide.

/** The moves that led here from the first position. */
let path = [];

function writeState() {
  const state = new URLSearchParams({ fen: $("position").value, depth: $("depth").value });
  if (path.length) state.set("path", path.join(" "));
  // A longer address is not a link that anybody can send.
  if ($("listing").value.length < 16000) state.set("listing", $("listing").value);
  if (`#${state}` !== location.hash) history.pushState(null, "", `#${state}`);
}

function readState() {
  const state = new URLSearchParams(location.hash.slice(1));
  if (!state.has("fen")) return;
  $("position").value = state.get("fen");
  $("depth").value = state.get("depth") ?? $("depth").value;
  $("listing").value = state.get("listing") ?? "";
  path = (state.get("path") ?? "").split(" ").filter(Boolean);
  showStep();
}

function showStep() {
  $("trail").textContent = path.length ? `After ${path.join(" ")}` : "";
  $("divide-answer").replaceChildren();
  $("listing").value.trim() ? compare() : showPosition();
}

function describeNext({ move, fen, depth }) {
  const go = make("button", { type: "button" }, `Go to the position after ${move}`);
  go.addEventListener("click", () => {
    path.push(move);
    [$("position").value, $("depth").value, $("listing").value] = [fen, depth, ""];
    writeState();
    showStep();
    $("listing").focus();
  });
  const what = make("p", {}, `Next: run go perft ${depth} on the position after ${move}, and paste its listing here.`);
  return make("div", { class: "next" }, what, make("pre", { tabindex: 0 }, `position fen ${fen}\ngo perft ${depth}`), go);
}

const compare = onSubmit("divide", "divide-answer", divider, async (isCurrent) => {
  const [position, depth, listing] = [$("position").value, +$("depth").value, $("listing").value];
  writeState();
  const before = showPosition();
  const { document: json, text, next } = await divider.ask({ divide: [position, depth, listing] });
  await before;
  if (!isCurrent()) return;
  const { comparison } = JSON.parse(json);
  const { same, missing, extra, subtotals } = comparison;
  const illegal = extra.map(({ move }) => ["illegal", move]);
  await showPosition([...subtotals.map(({ move }) => ["below", move]), ...missing.map(({ move }) => ["missing", move]), ...illegal]);
  const isHere = missing.length + extra.length > 0;
  const verdict = same ? "The listing is right." : isHere ? "The moves of this position are wrong." : "The listing is wrong.";
  const lines = text.split("\n").filter((line) => line && !/^( |next step|the listing is)/.test(line));
  const found = make("ul", { class: "found" }, ...lines.map((line) => make("li", {}, line.replace(/ +/g, " "))));
  const whole = make("details", {}, make("summary", {}, "As JSON"), make("pre", { tabindex: 0 }, json));
  $("divide-answer").replaceChildren(make("p", { class: same ? "verdict right" : "verdict wrong" }, verdict), found, whole);
  if (next) whole.before(describeNext(next));
});

// Count.

const KINDS = ["nodes", "captures", "en_passant", "castles", "promotions", "checks", "discovered", "double", "mates"];

onSubmit("count", "count-answer", counter, async (isCurrent) => {
  const [depth, progress, plies] = [+$("count-depth").value, $("count-progress"), $("plies")];
  $("moves").hidden = plies.parentElement.hidden = true;
  progress.value = 0;
  const { moves, fen, class: name, reason } = await reader.ask({ position: $("position").value });
  if (!isCurrent()) return;
  if (!moves) throw new Error(`${name}: ${reason}`);
  moves.sort(([one], [other]) => (one < other ? -1 : 1));
  const start = performance.now();
  const leaves = [];
  for (const [move, after] of moves) {
    leaves.push([move, depth > 1 ? await counter.ask({ leaves: [after, depth - 1] }) : "1"]);
    if (!isCurrent()) return;
    progress.value = leaves.length / moves.length;
  }
  const total = leaves.reduce((sum, [, nodes]) => sum + BigInt(nodes), 0n);
  const seconds = ((performance.now() - start) / 1000).toFixed(2);
  $("count-answer").textContent = `${total} leaves at depth ${depth}, in ${seconds} s`;
  $("moves").hidden = false;
  $("moves").querySelector("pre").textContent = leaves.map(([move, nodes]) => `${move}: ${nodes}`).join("\n");
  const head = ["ply", ...KINDS].map((kind) => make("th", { scope: "col", class: "number" }, kind.replace("en_passant", "e.p.")));
  const body = make("tbody", {});
  plies.replaceChildren(make("caption", {}, "Moves into each ply"), make("thead", {}, make("tr", {}, ...head)), body);
  plies.parentElement.hidden = false;
  for (let ply = 1; ply <= depth; ply++) {
    const kinds = await counter.ask({ statistics: [fen, ply] });
    if (!isCurrent()) return;
    body.append(make("tr", {}, ...[ply, ...KINDS.map((kind) => kinds[kind])].map((cell) => make("td", { class: "number" }, String(cell)))));
  }
});

// Keys.

const paragraphs = (lines) => lines.map((line) => make("p", {}, line));
const list = (words) => words.join(", ") || "nothing";
function describeKey(name, { matches, published }) {
  const own = ({ policies, policy }) => (policies.includes(policy) ? "" : `, whose own policy is ${policy}`);
  const found = matches.map((it) => `${name} is that of ${it.scheme} (${it.about}) under e.p. policy ${it.policies.join(", ")}${own(it)}.`);
  const keys = published.map(([scheme, key]) => `${scheme} ${key}`).join(", ");
  return found.length ? found : [`${name} is that of no scheme here. Published schemes: ${keys}.`];
}

onSubmit("key", "key-answer", keyer, async () => {
  const [position, key, other, otherKey] = ["position", "one-key", "other-position", "other-key"].map((id) => $(id).value);
  let lines;
  if (other.trim() || otherKey.trim()) {
    const { keys, terms, is_equal, diagnosis } = await keyer.ask({ keys: [[position, other], [key, otherKey]] });
    const differ = `Only the first position has: ${list(terms[0])}. Only the second: ${list(terms[1])}.`;
    lines = [is_equal ? "The keys are equal." : "The keys differ.", differ, ...describeKey("Key 1", keys[0]), ...describeKey("Key 2", keys[1])];
    if (diagnosis) lines.push(diagnosis);
  } else {
    lines = describeKey("The key", await keyer.ask({ key: [position, key] }));
  }
  $("key-answer").replaceChildren(...paragraphs(lines));
});

onSubmit("table", "table-answer", auditor, async () => {
  const { verdict, entries, remarks, findings } = await auditor.ask({ audit: $("table").value });
  const lines = [`The table of ${entries} numbers is ${verdict}.`, ...remarks, ...findings.map((finding) => `${finding.verdict}: ${finding.text}`)];
  $("table-answer").replaceChildren(...paragraphs(lines));
});

// Start.

$("position").addEventListener("input", () => {
  path = [];
  $("trail").textContent = "";
  showPosition();
});
$("suite").addEventListener("change", ({ target }) => {
  if (target.value) $("position").value = target.value;
  $("position").dispatchEvent(new Event("input"));
});
addEventListener("popstate", readState);
reader.ask("suite").then((suite) => {
  const rows = suite.split("\n").map((line) => line.match(/^([^#;]+?) *;id ([^;]+?) *;/)).filter(Boolean);
  $("suite").append(...rows.map(([, fen, id]) => make("option", { value: fen }, id)));
});
showPosition();
readState();
