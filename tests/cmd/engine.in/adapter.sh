#!/bin/sh
# An engine without UCI: `adapter.sh FILTER DEPTH FEN [MOVES]` prints `MOVE COUNT` lines, an empty line and the total,
# like the adapters of perftree. FILTER is a shell command that spoils the output.
filter=$1
shift
perft divide --depth "$1" --fen "$2" ${3:+--moves $3} 2>/dev/null |
    sed -n 's/^\([a-h][1-8].*\): /\1 /p; s/^total /\n/p' | eval "$filter"
