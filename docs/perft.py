#!/usr/bin/env python3
"""perft.py DEPTH FEN [MOVES]"""
import sys
import chess


def perft(board, depth):
    if depth == 0:
        return 1
    nodes = 0
    for move in board.legal_moves:
        board.push(move)
        nodes += perft(board, depth - 1)
        board.pop()
    return nodes


depth, board = int(sys.argv[1]), chess.Board(sys.argv[2])
for move in " ".join(sys.argv[3:]).split():
    board.push_uci(move)
total = 0
for move in list(board.legal_moves):
    board.push(move)
    nodes = perft(board, depth - 1)
    board.pop()
    total += nodes
    print(move, nodes)
print(f"\n{total}")
