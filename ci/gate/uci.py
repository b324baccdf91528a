"""Drives `perft uci` with python-chess: positions of random games, by FEN and moves, of chess and of Chess960.

python-chess generates the moves, counts the leaves, writes the FEN and computes the Polyglot key by itself; all must agree.
"""

import asyncio
import random
import sys

import chess
import chess.engine
import chess.polyglot

GAMES, PLIES, DEPTH = 40, 120, 2


class Asked(chess.engine.BaseCommand):
    """Sends a position and a request; reads the lines up to the one that `last` begins."""

    def __init__(self, engine, board, request, last):
        super().__init__(engine)
        self.protocol, self.board, self.request, self.last, self.lines = engine, board, request, last, []

    def start(self):
        self.protocol._position(self.board)
        self.protocol.send_line(self.request)

    def line_received(self, line):
        self.lines.append(line)
        if line.startswith(self.last):
            self.result.set_result(self.lines)
            self.set_finished()


def leaves(board, depth):
    if depth == 0:
        return 1
    total = 0
    for move in board.legal_moves:
        board.push(move)
        total += leaves(board, depth - 1)
        board.pop()
    return total


def divided(board, depth):
    counts = {}
    for move in board.legal_moves:
        name = board.uci(move)
        board.push(move)
        counts[name] = leaves(board, depth - 1)
        board.pop()
    return counts


def same(what, board, expected, found):
    if expected != found:
        moves = " ".join(move.uci() for move in board.move_stack)
        sys.exit(f"{what} of {board.root().fen()} after {moves or 'no moves'}: expected {expected}, found {found}")


async def check(engine, board):
    # Chess960 is a managed option: python-chess sets it when it sends such a board.
    listing = await engine.communicate(lambda protocol: Asked(protocol, board, f"go perft {DEPTH}", "Nodes searched: "))
    found = {move: int(count) for move, count in (line.split(": ") for line in listing if ": " in line)}
    total = found.pop("Nodes searched")
    expected = divided(board, DEPTH)
    same("root moves", board, expected, found)
    same("total", board, sum(expected.values()), total)
    shown = await engine.communicate(lambda protocol: Asked(protocol, board, "d", "Key: "))
    fields = dict(line.split(": ", 1) for line in shown if ": " in line)
    same("FEN", board, board.fen(en_passant="legal", shredder=board.chess960), fields["Fen"])
    same("key", board, f"{chess.polyglot.zobrist_hash(board):016x}", fields["Key"])


async def main():
    _, engine = await chess.engine.popen_uci([sys.argv[1], "uci", "--scheme", "polyglot"])
    await engine.configure({"Threads": 2, "Hash": 16})
    await engine.ping()
    rng, positions = random.Random(1), 0
    for game in range(GAMES):
        board = chess.Board.from_chess960_pos(rng.randrange(960)) if game % 2 else chess.Board()
        for ply in range(PLIES):
            moves = list(board.legal_moves)
            if not moves:
                break
            if ply % 10 == game % 10:
                await check(engine, board)
                positions += 1
            board.push(rng.choice(moves))
    await engine.quit()
    print(f"python-chess {chess.__version__}: {positions} positions of {GAMES} games agree in moves, counts, FEN and key")


asyncio.run(main())
