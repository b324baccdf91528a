// Uses the page as a visitor does: pastes, clicks and reads. Posts the problems of each case to `tests/cli/web.rs`.
const frame = document.querySelector("iframe");
const ENPASSANT = "8/8/8/K1pP3r/8/8/8/4k3 w - c6 0 1";
const FOLLOWED = "8/2p5/8/K2P3r/8/8/8/4k3 b - - 0 1";
const START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

const at = (id) => frame.contentDocument.getElementById(id);
const text = (id) => at(id).innerText.replace(/\s+/g, " ");
const button = (name) => [...frame.contentDocument.querySelectorAll("button")].find((button) => button.textContent.startsWith(name));
const fail = (message) => {
  throw new Error(message);
};
const expect = (found, part) => found.includes(part) || fail(`found '${found.slice(0, 300)}', expected '${part}'`);

/** Waits until a text is there. */
async function see(id, part) {
  for (let tries = 0; !text(id).includes(part); tries++) {
    if (tries === 3000) fail(`found '${text(id).slice(0, 300)}' in ${id}, expected '${part}'`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

let pages = 0;
async function open(hash = "") {
  frame.src = `index.html?${pages++}${hash}`;
  await new Promise((resolve) => (frame.onload = resolve));
  await see("class", hash.includes("img") ? "" : "legal moves");
}

function paste(id, value) {
  at(id).value = value;
  at(id).dispatchEvent(new frame.contentWindow.Event("input", { bubbles: true }));
}

/** Lets the page list the leaves of a position. */
async function listing(position, depth) {
  paste("position", position);
  paste("count-depth", depth);
  button("Count").click();
  await see("count-answer", `leaves at depth ${depth}`);
  return at("moves").querySelector("pre").textContent;
}

async function compare(position, depth, lines) {
  paste("position", position);
  paste("depth", depth);
  paste("listing", lines);
  button("Compare").click();
  await see("divide-answer", "As JSON");
  return text("divide-answer");
}

const isEqual = (found, expected) => found === expected || fail(`found ${found}, expected ${expected}`);
const arrows = (kind) => frame.contentDocument.querySelectorAll(`.board path.${kind}.head`).length;

/** A listing of perft 1 with a fault in each family of rules: the position, the fault, and what the page says. */
const RULES = [
  ["castling", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "+e1g1", "illegal e1g1: castling on the king's side through f1, which is attacked"],
  ["e.p.", ENPASSANT, "+d5c6", "illegal d5c6: e.p. capture while pinned along the rank"],
  ["promotion", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "-a7a8n", "missing a7a8n: promotion to a knight"],
  ["pin", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "+e2c3", "illegal e2c3: a knight pinned along the file leaves its pin"],
  ["check", "4r1k1/8/8/8/8/8/3N4/4K3 w - - 0 1", "+d2b3", "illegal d2b3: the check is not answered"],
  ["king", "4k3/8/8/8/8/8/3r4/5K2 w - - 0 1", "+f1e2", "illegal f1e2: the king moves into check"],
  ["geometry", START, "+b1b3", "illegal b1b3: a knight does not move like that"],
  ["double push", START, "-e2e4", "missing e2e4: double push"],
  ["twice", START, "+e2e4", "too many e2e4: a legal move, listed twice"],
];

const DIALECTS = [
  ["Stockfish", (move, nodes) => `${move}: ${nodes}`],
  ["a table", (move, nodes, number) => `| ${number + 1} | ${move} | ${nodes} |`],
  ["JSON", (move, nodes) => `{"move": "${move}", "nodes": "${nodes}"}`],
];

const CASES = {
  async "a count is the published one"() {
    await listing(START, 5);
    expect(text("count-answer"), "4865609 leaves at depth 5");
    await see("plies", "4865609 82719 258 0 0 27351 6 0 347");
  },
  async "a listing is followed to the wrong move"() {
    const [first, second] = [await listing(FOLLOWED, 3), await listing(ENPASSANT, 2)];
    const below = first.replace(/c7c5: (\d+)/, (_, nodes) => `c7c5: ${+nodes + 16}`);
    expect(await compare(FOLLOWED, 3, below), "Next: run go perft 2 on the position after c7c5");
    isEqual(arrows("below"), 1);
    button("Go to").click();
    await see("trail", "After c7c5");
    expect(at("position").value, "8/8/8/K1pP3r/8/8/8/4k3 w - c6");
    isEqual(at("depth").value, "2");
    expect(await compare(at("position").value, 2, `${second}\nd5c6: 16`), "The moves of this position are wrong.");
    expect(text("divide-answer"), "illegal d5c6: e.p. capture while pinned along the rank");
    isEqual(arrows("illegal"), 1);
    isEqual(button("Go to"), undefined);
  },
  async "a word is no position, and its reason is shown"() {
    paste("position", "kiwi");
    await see("class", "expected one of startpos, kiwipete or a FEN");
    paste("position", "8/8/8 w - - 0 1");
    await see("class", "illegal: ");
    button("Count").click();
    await see("count-answer", "illegal: ");
  },
  async "a text is no listing"() {
    paste("listing", "hello");
    button("Compare").click();
    await see("divide-answer", "expected root moves with counts, such as 'e2e4: 20'");
  },
  async "a count and a comparison are cancelled"() {
    for (const [name, depth] of [["count", "count-depth"], ["divide", "depth"]]) {
      paste("listing", "e2e4: 20");
      paste(depth, 20);
      button(name === "count" ? "Count" : "Compare").click();
      await see(`${name}-answer`, "working");
      at(`${name}-cancel`).click();
      await see(`${name}-answer`, "cancelled");
      isEqual(at(`${name}-cancel`).disabled, true);
    }
    expect(await listing(START, 2), "e2e4: 20");
  },
  async "a link holds the state"() {
    await compare(START, 1, "e2e4: 1");
    const { hash } = frame.contentWindow.location;
    await open(hash);
    await see("divide-answer", "missing d2d4: double push");
    isEqual(at("listing").value, "e2e4: 1");
    isEqual(arrows("missing"), 19);
  },
  async "200 kB of garbage get an answer"() {
    let state = 1;
    const letters = Array.from({ length: 200000 }, () => (state = (state * 48271) % 2147483647) % 95);
    paste("listing", letters.map((letter) => String.fromCharCode(32 + letter)).join("").replace(/(.{80})/g, "$1\n"));
    button("Compare").click();
    await see("divide-answer", "expected root moves");
    paste("position", at("listing").value);
    await see("class", "illegal: ");
  },
  async "markup is text"() {
    const markup = "<img src=x onerror=parent.isHacked=1>";
    await open(`#${new URLSearchParams({ fen: markup, listing: markup })}`);
    await see("class", "illegal: ");
    await see("divide-answer", "found");
    isEqual(frame.contentDocument.images.length, 0);
    paste("position", START);
    await compare(START, 1, `${markup}\ne2e4: 1`);
    isEqual(window.isHacked, undefined);
  },
  async "a position line and a position of the suite are read"() {
    paste("position", "position startpos moves e2e4 e7e5");
    await see("class", "plausible, 29 legal moves");
    at("suite").selectedIndex = 2;
    at("suite").dispatchEvent(new frame.contentWindow.Event("change"));
    await see("class", "48 legal moves");
    paste("position", "k3Q3/8/8/8/8/8/8/K3Q3 w KQ - 0 1");
    await see("class", "illegal");
  },
  // Source of the key: the Polyglot book format, http://hgm.nubati.net/book_format.html.
  async "a key is recognised with its policy"() {
    paste("position", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3");
    paste("one-key", "22a48b5a8e47ff78");
    button("Compare keys").click();
    await see("key-answer", "is that of polyglot");
    paste("other-position", START);
    // The key of the start, without the number of the side to move.
    paste("other-key", "0xbeedb0b2b9b67995");
    button("Compare keys").click();
    await see("key-answer", "Key 2 is that of no scheme");
    expect(text("key-answer"), "side to move missing");
  },
  async "a key table is audited"() {
    paste("table", "# layout: cpw781\n1234");
    button("Audit").click();
    await see("table-answer", "expected 781");
    let state = 1n;
    const next = () => (state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn) ^ (state >> 29n);
    const numbers = Array.from({ length: 781 }, () => next().toString(16).padStart(16, "0"));
    numbers[20] = numbers[10];
    paste("table", ["# layout: cpw781", ...numbers].join("\n"));
    button("Audit").click();
    await see("table-answer", "numbers is broken");
  },
};
for (const [name, write] of DIALECTS) {
  CASES[`a right listing in the dialect ${name}`] = async () => {
    const lines = (await listing(START, 2)).split("\n").map((line, number) => write(...line.split(": "), number));
    expect(await compare(START, 2, lines.join("\n")), "The listing is right.");
    isEqual(arrows("below") + arrows("missing") + arrows("illegal"), 0);
  };
}
for (const [name, position, fault, said] of RULES) {
  CASES[`the rule ${name}`] = async () => {
    const [right, move] = [await listing(position, 1), fault.slice(1)];
    const lines = fault[0] === "+" ? `${right}\n${move}: 1` : right.replace(`${move}: 1`, "");
    expect(await compare(position, 1, lines), said);
    isEqual(arrows("illegal"), +(fault[0] === "+"));
    isEqual(arrows("missing"), +(fault[0] === "-"));
  };
}

/** The problems that a look at the whole page shows; see tests/page/check.js. */
async function look(width) {
  frame.style.width = `${width}px`;
  await open();
  await listing(ENPASSANT, 2);
  await compare(ENPASSANT, 2, "a5a4: 17\na5a6: 17\na5b5: 17\nd5c6: 16");
  await open(frame.contentWindow.location.hash);
  await see("divide-answer", "As JSON");
  const check = frame.contentDocument.createElement("script");
  check.src = "check.js";
  frame.contentDocument.body.append(check);
  await new Promise((resolve) => (check.onload = resolve));
  frame.contentWindow.dispatchEvent(new Event("load"));
  const { problems } = JSON.parse(document.querySelector("script.verdict").textContent);
  document.querySelector("script.verdict").remove();
  const unnamed = [...frame.contentDocument.querySelectorAll("input, textarea, select")].filter((field) => !field.labels.length);
  return [...problems.filter((problem) => !problem.startsWith("network")), ...unnamed.map((field) => `no label: ${field.id}`)];
}

(async () => {
  frame.style = "width:1400px;height:1200px;border:0";
  const problems = [];
  for (const [name, run] of Object.entries(CASES)) {
    try {
      await open();
      await run();
    } catch (error) {
      problems.push(`${name}: ${error.message}`);
    }
  }
  for (const width of [390, 1400]) problems.push(...(await look(width)).map((problem) => `${width} wide: ${problem}`));
  const json = frame.contentDocument.querySelector("#divide-answer details pre").textContent;
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  fetch("verdict", { method: "POST", body: JSON.stringify({ cases: Object.keys(CASES).length, problems, json, isDark }) });
})();
