// node chessops.mjs DEPTH FEN [MOVES]
import { Chess } from "chessops/chess";
import { perft } from "chessops/debug";
import { parseFen } from "chessops/fen";
import { parseUci } from "chessops/util";

const [depth, fen, moves = ""] = process.argv.slice(2);
const position = Chess.fromSetup(parseFen(fen).unwrap()).unwrap();
for (const move of moves.split(" ").filter(Boolean)) position.play(parseUci(move));
console.log(`\n${perft(position, Number(depth), true)}`);
