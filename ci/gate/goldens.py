#!/usr/bin/env python3
"""Golden codes: the hash keys of a few positions under every hashing scheme, computed without the program.

The program compares an incremental key with a full recompute, but both look their keys up with the same index. An
index that is wrong in the same way in both paths shows only against keys computed independently from the definitions.
This script computes them. It shares no code with the program, and prefers the plain form of each definition to a fast
one. It needs only Python 3.10.

    ci/gate/goldens.py > crates/zobrist/src/goldens.tsv           writes the goldens
    ci/gate/goldens.py | diff crates/zobrist/src/goldens.tsv -    checks that the file is what the script says

Each line is scheme, FEN and key, separated by tabs. All keys are for seed 0, except those of schemes with fixed keys.
"""

from itertools import islice
from typing import NamedTuple

MASK = 2**64 - 1

# ---- Random words


def chacha20_block(key, counter, stream):
    """One block of ChaCha20 as 16 words: 64-bit block counter in words 12-13, 64-bit stream number in words 14-15."""
    start = [int.from_bytes(b"expand 32-byte k"[i : i + 4], "little") for i in range(0, 16, 4)]
    start += [int.from_bytes(key[i : i + 4], "little") for i in range(0, 32, 4)]
    start += [counter & 0xFFFFFFFF, counter >> 32, stream & 0xFFFFFFFF, stream >> 32]
    x = start[:]

    def quarter_round(a, b, c, d):
        for p, q, r, n in ((a, b, d, 16), (c, d, b, 12), (a, b, d, 8), (c, d, b, 7)):
            x[p] = (x[p] + x[q]) & 0xFFFFFFFF
            y = x[r] ^ x[p]
            x[r] = (y << n | y >> (32 - n)) & 0xFFFFFFFF

    for _ in range(10):
        for i in range(4):
            quarter_round(i, 4 + i, 8 + i, 12 + i)
        for i in range(4):
            quarter_round(i, 4 + (i + 1) % 4, 8 + (i + 2) % 4, 12 + (i + 3) % 4)
    return [(a + b) & 0xFFFFFFFF for a, b in zip(x, start)]


def random_words(key, stream=0):
    """The endless 64-bit words of a stream: two 32-bit words each, the low one first."""
    counter = 0
    while True:
        block = chacha20_block(key, counter, stream)
        yield from (block[i] | block[i + 1] << 32 for i in range(0, 16, 2))
        counter += 1


def seeded(stream, seed=0):
    return random_words(seed.to_bytes(8, "little") + bytes(24), stream)


def take(n, words):
    return list(islice(words, n))


# ---- Pieces: 12 rows (white P N B R Q K, black P N B R Q K) of 64 squares (a1, b1 .. h8)

PIECES = "PNBRQKpnbrqk"


def rows(key):
    return [[key(p, s) for s in range(64)] for p in range(12)]


def rotl(w, n, bits):
    n %= bits
    return (w << n | w >> (bits - n)) % 2**bits


def lcg15(state):
    return (state * 25173 + 13849) % 2**15


def xorshift16(state):
    state ^= state << 7 & 0xFFFF
    state ^= state >> 9
    return state ^ state << 8 & 0xFFFF


def times_x(w, n):
    """w * x^n in GF(2)[x] / (x^64 + x^4 + x^3 + x + 1)."""
    for _ in range(n):
        w = w << 1 ^ (w >> 63) * (1 << 64 | 0b11011)
    return w


def fmix64(w):
    """The 64-bit finaliser of MurmurHash3."""
    w = (w ^ w >> 33) * 0xFF51AFD7ED558CCD & MASK
    w = (w ^ w >> 33) * 0xC4CEB9FE1A85EC53 & MASK
    return w ^ w >> 33


def piece_keys(kind, words):
    if kind == "table":
        return rows(lambda p, s: next(words))
    if kind in ("overlap-bytes", "overlap-bits"):
        # Both are windows on one long little-endian number and differ only in the step.
        step, count = (8, 97) if kind == "overlap-bytes" else (1, 13)
        array = sum(w << 64 * i for i, w in enumerate(take(count, words)))
        return rows(lambda p, s: array >> step * (64 * p + s) & MASK)
    if kind == "rotate":
        # The 64 rotations of an even-weight word are linearly dependent, so such a draw is discarded.
        r = take(12, (w for w in words if w.bit_count() % 2))
        return rows(lambda p, s: rotl(r[p], s, 64))
    if kind == "gf64":
        r = take(12, words)
        return rows(lambda p, s: times_x(r[p], s))
    if kind in ("composite", "piece-xor-square"):
        a, b = take(12, words), take(64, words)
        return rows(lambda p, s: (a[p] + b[s]) & MASK if kind == "composite" else a[p] ^ b[s])
    if kind == "rotate-halves":
        r = take(12, words)
        return rows(lambda p, s: rotl(r[p] >> 32, s, 32) << 32 | rotl(r[p] & 0xFFFFFFFF, s, 32))
    if kind in ("lcg15", "tiny-seed"):
        # `count` outputs of a small generator, the first one highest, make a word.
        step, bits, start, count = (lcg15, 15, 0x7FFF, 5) if kind == "lcg15" else (xorshift16, 16, 0xFFFF, 4)
        state, listed = next(words) & start | (kind == "tiny-seed"), []
        for _ in range(768):
            word = 0
            for _ in range(count):
                state = step(state)
                word = (word << bits | state) & MASK
            listed.append(word)
        return rows(lambda p, s: listed[64 * p + s])
    if kind == "golden-ratio":
        seed_word = next(words)
        return rows(lambda p, s: (seed_word + 64 * p + s + 1) * 0x9E3779B97F4A7C15 & MASK)
    if kind == "computed":
        seed_word = next(words)
        return rows(lambda p, s: fmix64((64 * p + s + 1 + 1024 * seed_word) & MASK))
    raise ValueError(kind)


# ---- BCH: the columns of the parity-check matrix of the extended primitive code of length 1024 with t = 6


def powers_of_alpha():
    """alpha^0 .. alpha^1022 in GF(2^10) with the primitive polynomial x^10 + x^3 + 1, alpha = x."""
    powers, a = [], 1
    for _ in range(1023):
        powers.append(a)
        a = a << 1 ^ (a >> 9) * 0b10000001001
    assert a == 1 and len(set(powers)) == 1023, "the polynomial is not primitive"
    return powers


def independent(words):
    """The words that are linearly independent over GF(2) of those kept before them."""
    basis = {}  # top bit -> a combination of kept words with that top bit
    for w in words:
        rest = w
        while rest and rest.bit_length() in basis:
            rest ^= basis[rest.bit_length()]
        if rest:
            basis[rest.bit_length()] = rest
            yield w


def bch_keys():
    """All 781 keys. The matrix has full column rank, so it keeps every independence of the 61-bit columns."""
    alpha = powers_of_alpha()
    matrix = take(61, independent(seeded(4)))
    result = []
    for j in range(781):
        column = 1  # the parity bit that extends the code
        for i in range(6):
            column |= alpha[(2 * i + 1) * j % 1023] << 1 + 10 * i
        word = 0
        for b in range(61):
            word ^= matrix[b] * (column >> b & 1)
        result.append(word)
    return result


# ---- The keys of a scheme

# The number of keys that an axis draws. c4x16 is c4 in a table: the same keys.
CLOCKS = {"none": None, "14by8": (14, 8), "16by8": (16, 8), "20by10": (20, 10)}  # first keyed clock, clocks per key
LAST_CLOCK = 127  # later clocks share its key
COUNT = {"c16": 16, "c4": 4, "c5": 5, "c4x16": 4, "e8": 8, "e9": 9, "e17": 17, "e64": 64, "e65": 65, "s1": 1, "s1w": 1, "s2": 2}


class Keys(NamedTuple):
    pieces: list  # [piece][square]
    castling: list
    ep: list
    side: list
    clock: list = []


def seeded_keys(axes, part):
    """Each axis draws from a separate stream, so changing one leaves the keys of the others alone."""
    if axes["pieces"] == "bch":
        assert [axes[a] for a in ("castling", "ep", "side", "combine", "width", "clock")] == ["c4", "e8", "s1", "xor", "64", "none"]
        w = bch_keys()
        return Keys(rows(lambda p, s: w[64 * p + s]), w[768:772], w[772:780], w[780:])
    pieces, castling, ep, side, _, clock = (seeded(16 * part + axis) for axis in range(6))
    return Keys(
        piece_keys(axes["pieces"], pieces),
        take(COUNT[axes["castling"]], castling),
        take(COUNT[axes["ep"]], ep),
        take(COUNT[axes["side"]], side),
        take(LAST_CLOCK, clock),  # more than there are
    )


def rustic_keys(axes):
    """Rustic draws all its keys from one generator, in its particular order."""
    words = random_words(bytes([125] * 32))
    drawn = {piece: take(64, words) for piece in "KQRBNPkqrbnp"}
    castling, side = take(COUNT[axes["castling"]], words), take(COUNT[axes["side"]], words)
    return Keys([drawn[piece] for piece in PIECES], castling, take(COUNT[axes["ep"]], words), side)


# ---- Positions


class Position(NamedTuple):
    board: dict  # square -> piece letter
    black: bool  # Black is to move
    rights: int  # K=1 Q=2 k=4 q=8
    ep: int | None  # the FEN's square
    clock: int  # halfmoves since a capture or a pawn's move


def parse_fen(fen):
    placement, side, castling, ep, clock, _ = fen.split()
    board = {}
    for rank, row in zip(range(7, -1, -1), placement.split("/")):
        file = 0
        for c in row:
            if c.isdigit():
                file += int(c)
            else:
                board[8 * rank + file] = c
                file += 1
        assert file == 8, fen
    rights = sum(1 << "KQkq".index(c) for c in castling if c != "-")
    square = None if ep == "-" else "abcdefgh".index(ep[0]) + 8 * (int(ep[1]) - 1)
    return Position(board, side == "b", rights, square, int(clock))


ORTHOGONAL = [(0, 1), (1, 0), (0, -1), (-1, 0)]
DIAGONAL = [(1, 1), (1, -1), (-1, -1), (-1, 1)]
KNIGHT = [(a, b) for a in (-2, -1, 1, 2) for b in (-2, -1, 1, 2) if abs(a) != abs(b)]
SLIDERS = {"r": ORTHOGONAL, "b": DIAGONAL, "q": ORTHOGONAL + DIAGONAL}


def step(square, df, dr):
    file, rank = square % 8 + df, square // 8 + dr
    return 8 * rank + file if 0 <= file < 8 and 0 <= rank < 8 else None


def attacks(board, origin):
    """The squares that the piece on `origin` attacks."""
    piece = board[origin]
    kind = piece.lower()
    if kind in SLIDERS:
        for df, dr in SLIDERS[kind]:
            square = step(origin, df, dr)
            while square is not None:
                yield square
                square = None if square in board else step(square, df, dr)
    else:
        forward = 1 if piece.isupper() else -1
        steps = {"p": [(-1, forward), (1, forward)], "n": KNIGHT, "k": ORTHOGONAL + DIAGONAL}[kind]
        yield from (step(origin, df, dr) for df, dr in steps)


def in_check(board, black):
    king = next(square for square, piece in board.items() if piece == "Kk"[black])
    return any(king in attacks(board, square) for square, piece in board.items() if piece.islower() != black)


def ep_square(position, policy):
    """The en passant square, if it counts under the policy."""
    board, black, _, target, _ = position
    if target is None or policy == "always":
        return target
    forward = -1 if black else 1
    victim = step(target, 0, -forward)
    assert board[victim] == "pP"[black]
    for df in (-1, 1):
        origin = step(target, df, -forward)
        if origin is None or board.get(origin) != "Pp"[black]:
            continue
        if policy == "pseudo":
            return target
        after = {square: piece for square, piece in board.items() if square not in (origin, victim)}
        after[target] = board[origin]
        if not in_check(after, black):
            return target
    return None


# ---- Keys


def keys_of_position(axes, keys, position):
    """The keys whose xor or sum is the position's key."""
    yield from (keys.pieces[PIECES.index(piece)][square] for square, piece in position.board.items())

    if axes["castling"] == "c16":
        yield keys.castling[position.rights]
    else:
        yield from (keys.castling[i] for i in range(4) if position.rights >> i & 1)
        if axes["castling"] == "c5" and position.rights == 0:
            yield keys.castling[4]

    square = ep_square(position, axes["policy"])
    if axes["ep"] == "e64":
        if square is not None:
            yield keys.ep[square]
    elif axes["ep"] == "e9":
        yield keys.ep[8 if square is None else square % 8]
    elif axes["ep"] == "e65":
        yield keys.ep[64 if square is None else square]
    elif axes["ep"] == "e17":
        yield keys.ep[16 if square is None else square % 8 + 8 * (square // 8 == 5)]
    elif square is not None:
        yield keys.ep[square % 8]

    if axes["side"] == "s2":
        yield keys.side[position.black]
    elif position.black == (axes["side"] == "s1"):
        yield keys.side[0]

    clock = min(position.clock, LAST_CLOCK)
    if axes["clock"] != "none" and clock >= CLOCKS[axes["clock"]][0]:
        first, step = CLOCKS[axes["clock"]]
        yield keys.clock[(clock - first) // step]


def key(axes, parts, position):
    """The key in hexadecimal. Part 0 is its low half."""
    sums = []
    for keys in parts:
        total = 0
        for one in keys_of_position(axes, keys, position):
            total = (total + one) & MASK if axes["combine"] == "add" else total ^ one
        sums.append(total)
    # The low bits of a sum modulo 2^64 are the sum modulo the smaller power of two, so one cut at the end is enough.
    bits = {"32": 32, "48": 48, "64": 64, "128": 64, "2x32": 32}[axes["width"]]
    return "".join(f"{total % 2**bits:0{bits // 4}x}" for total in reversed(sums))


# ---- Output

CPW793 = dict(pieces="table", castling="c16", ep="e8", side="s1", policy="legal", combine="xor", width="64", clock="none")

# The presets, as changes to cpw793.
PRESETS = {
    "cpw781": "castling=c4",
    "cpw793": "",
    "rustic803": "ep=e17,side=s2,policy=always",
    "rustic851": "ep=e65,side=s2,policy=always",
    "rustic-c5": "castling=c5,ep=e17,side=s2,policy=always",
    "polyglot": None,  # published keys only, see POLYGLOT
    "rotate": "pieces=rotate",
    "overlap-bytes": "pieces=overlap-bytes",
    "overlap-bits": "pieces=overlap-bits",
    "gf64": "pieces=gf64",
    "bch": "pieces=bch,castling=c4",
    "composite": "pieces=composite",
    "computed": "pieces=computed",
    "additive48": "combine=add,width=48",
    "dual32": "width=2x32",
}

VARIANTS = """
    castling=c4 castling=c5 castling=c4x16 ep=e9 ep=e17 ep=e64 ep=e65 policy=pseudo policy=always side=s1w side=s2
    combine=add width=32 width=48 width=128 width=2x32 pieces=rotate,castling=c4,ep=e65,side=s1
    pieces=gf64,castling=c5,ep=e17,side=s2,policy=always pieces=overlap-bytes,combine=add,width=128,side=s1w
    pieces=table,combine=add,width=2x32,castling=c4,policy=pseudo pieces=overlap-bits,width=128,policy=always,castling=c4x16
    pieces=computed,castling=c4,width=32 pieces=composite,width=48,ep=e17 pieces=rotate,width=128 pieces=gf64,width=2x32
    clock=14by8 clock=16by8,ep=e64,side=s1w clock=20by10,combine=add,width=48 clock=14by8,width=128 clock=16by8,width=2x32
""".split()

# Weak schemes that the program runs as examples.
EXHIBITS = """
    pieces=piece-xor-square composite,combine=add pieces=rotate-halves pieces=lcg15 pieces=golden-ratio pieces=tiny-seed
""".split()

STARTPOS = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
KIWIPETE = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"
AFTER_E4 = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"  # e.p. square, no pawn to use it
LEGAL_EP = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
PINNED_EP = "4k3/8/8/1K1pP2r/8/8/8/8 w - d6 0 2"  # exd6 takes both pawns off the king's rank: pseudo, not legal
NO_RIGHTS = "r3k2r/8/8/8/8/8/8/4K3 b k - 3 9"  # Black to move, rooks at home, every right lost
# These distinguish the four rights, and include an e.p. capture by Black on the edge.
WHITE_RIGHTS = "r3k2r/8/8/8/8/8/8/R3K2R w KQ - 0 1"
KING_SIDES = "r3k2r/8/8/8/8/8/8/R3K2R w Kk - 0 1"
EDGE_EP = "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1"
CLOCK_FENS = [f"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - {clock} 70" for clock in (13, 14, 19, 22, 30, 99, 400)]
FENS = [STARTPOS, KIWIPETE, AFTER_E4, LEGAL_EP, PINNED_EP, NO_RIGHTS, WHITE_RIGHTS, KING_SIDES, EDGE_EP]

# The keys that the Polyglot specification prints for these positions. Its 781 numbers are not in this file.
POLYGLOT = {STARTPOS: "463b96181691fc9c", AFTER_E4: "823c9b50fd114196", LEGAL_EP: "22a48b5a8e47ff78"}

# Published keys of Rustic's 851-word layout. They tie the generator and the positions to an outside source.
RUSTIC851 = {STARTPOS: "2bfacd1095943841", KIWIPETE: "54baa773a23829d9", AFTER_E4: "9130af5e06b79ec7"}


def goldens():
    for scheme, changes in [*PRESETS.items(), *((variant, variant) for variant in VARIANTS + EXHIBITS)]:
        if scheme == "polyglot":
            yield from ((scheme, fen, POLYGLOT[fen]) for fen in FENS if fen in POLYGLOT)
            continue
        base, _, rest = changes.partition(",")
        if base in PRESETS:
            changes = PRESETS[base] + "," + rest
        changed = dict(change.split("=") for change in changes.split(",") if change)
        assert changed.keys() <= CPW793.keys(), scheme
        axes = CPW793 | changed
        if scheme.startswith("rustic"):
            parts = [rustic_keys(axes)]
        else:
            parts = [seeded_keys(axes, part) for part in range(2 if axes["width"] in ("128", "2x32") else 1)]
        fens = FENS if axes["clock"] == "none" else CLOCK_FENS
        yield from ((scheme, fen, key(axes, parts, parse_fen(fen))) for fen in fens)


def check_primitives():
    """Checks published values, so that a mistake here is not blamed on the program."""

    def first_bytes(counter, stream):
        return b"".join(w.to_bytes(4, "little") for w in chacha20_block(bytes(32), counter, stream)[:4]).hex()

    # RFC 8439, A.1, vectors 1, 2 and 5: block 0, block 1, and a stream number in word 15.
    assert first_bytes(0, 0) == "76b8e0ada0f13d90405d6ae55386bd28"
    assert first_bytes(1, 0) == "9f07e7be5551387a98ba977c732d080d"
    assert first_bytes(0, 2 << 56) == "c2c64d378cd536374ae204b9ef933fcd"
    # draft-agl-tls-chacha20poly1305-04, section 7, the vector of nonce 01 00 ..: a stream number in word 14.
    assert first_bytes(0, 1) == "ef3fdfd6c61578fbf5cf35bd3dd33b80"
    assert fmix64(1) == 0xB456BCFC34C2CB2C
    assert times_x(1, 64) == 0b11011
    ep = {policy: ep_square(parse_fen(PINNED_EP), policy) for policy in ("legal", "pseudo", "always")}
    assert ep == {"legal": None, "pseudo": 43, "always": 43}


def main():
    check_primitives()
    lines = list(goldens())
    computed = {fen: code for scheme, fen, code in lines if scheme == "rustic851"}
    assert computed.items() >= RUSTIC851.items(), computed
    print("# scheme, FEN, key in hexadecimal; seed 0. Written by ci/gate/goldens.py, not by the program it tests.")
    for line in lines:
        print(*line, sep="\t")


if __name__ == "__main__":
    main()
