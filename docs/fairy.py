#!/usr/bin/env python3
"""fairy.py DEPTH FEN [MOVES], by pyffish: Fairy-Stockfish without UCI"""
import sys
import pyffish


def perft(moves, depth):
    legal = pyffish.legal_moves("chess", fen, moves)
    return len(legal) if depth == 1 else sum(perft(moves + [move], depth - 1) for move in legal)


depth, fen, played = int(sys.argv[1]), sys.argv[2], " ".join(sys.argv[3:]).split()
counts = {move: perft(played + [move], depth - 1) if depth > 1 else 1 for move in pyffish.legal_moves("chess", fen, played)}
for move, nodes in counts.items():
    print(move, nodes)
print(f"\n{sum(counts.values())}")
