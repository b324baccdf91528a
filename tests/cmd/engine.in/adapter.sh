#!/bin/sh
# An engine without UCI: `adapter.sh FILTER DEPTH FEN [MOVES]` prints `MOVE COUNT` lines, an empty line and the total, as
# the adapters of perftree do. FILTER is a shell command that spoils it.
filter=$1
shift
perft divide --depth "$1" --fen "$2" ${3:+--moves $3} 2>/dev/null |
    sed -n 's/^\([a-h][1-8].*\): /\1 /p; s/^total /\n/p' | eval "$filter"
