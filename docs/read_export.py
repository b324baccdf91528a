#!/usr/bin/env python3
"""Reads what `perft unique --export FILE` writes; the format is described in crates/unique/src/export.rs.

    docs/read_export.py FILE      the header, then a line per position: multiplicity, tab, FEN without clocks
"""
import struct
import sys
import zlib

LETTERS = ".PNBRQK..pnbrqk."


def fen(planes):
    codes = [sum((plane >> square & 1) << bit for bit, plane in enumerate(planes)) for square in range(64)]
    turn, board, pushed, castling = "w" if 14 in codes else "b", [], "-", []
    for square, code in enumerate(codes):
        black, file = square >= 32, chr(ord("a") + square % 8)
        if code == 7:  # a rook that may still castle: Shredder-FEN names its file
            castling.append((black, -square, file if black else file.upper()))
        if code == 8:  # the pawn just pushed two steps
            pushed = file + ("6" if black else "3")
        king = "K" if turn == "w" else "k"  # code 15: the king of the side to move
        board.append({7: "Rr"[black], 8: "Pp"[black], 15: king}.get(code, LETTERS[code]))
    rows = ["".join(board[rank * 8 : rank * 8 + 8]) for rank in reversed(range(8))]
    for gap in range(8, 0, -1):
        rows = [row.replace("." * gap, str(gap)) for row in rows]
    return f"{'/'.join(rows)} {turn} {''.join(c for *_, c in sorted(castling)) or '-'} {pushed}"


def read(data):
    magic, version, policy, ply, length, positions, low, high = struct.unpack_from("<8s4I3Q", data)
    assert magic == b"PERFTPOS" and version == 1, "not an export of version 1"
    assert zlib.crc32(data[:-4]) == struct.unpack("<I", data[-4:])[0], "the checksum is wrong"
    at = 48 + length
    print(f"# root {data[48:at].decode()}; ply {ply}; e.p. {('always', 'pseudo', 'legal')[policy]}; perft {low | high << 64}")
    for _ in range(positions):
        planes, at, count, shift = struct.unpack_from("<4Q", data, at), at + 32, 0, 0
        while True:
            byte, at = data[at], at + 1
            count, shift = count | (byte & 127) << shift, shift + 7
            if byte < 128:
                break
        print(f"{count}\t{fen(planes)}")


if __name__ == "__main__":
    read(open(sys.argv[1], "rb").read())
