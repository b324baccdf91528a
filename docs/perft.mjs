// node perft.mjs DEPTH FEN [MOVES], by chess.js
import { Chess } from "chess.js";

const [depth, fen, moves = ""] = process.argv.slice(2);
const board = new Chess(fen);
for (const move of moves.split(" ").filter(Boolean)) board.move(move);
let total = 0;
for (const move of board.moves({ verbose: true })) {
    board.move(move);
    const nodes = depth > 1 ? board.perft(depth - 1) : 1;
    board.undo();
    total += nodes;
    console.log(move.lan, nodes);
}
console.log(`\n${total}`);
