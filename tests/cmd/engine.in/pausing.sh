#!/bin/sh
# A UCI engine, `pausing.sh FILTER`. It counts in the background, answers meanwhile, prints no total, and pauses for
# longer than the silence that ends an answer. FILTER spoils every position except the start position.
while read -r line; do
    case $line in
    uci) echo uciok ;;
    isready) echo readyok ;;
    "position startpos") fen=startpos filter=cat ;;
    "position fen "*) fen=${line#position fen } filter=$1 ;;
    "go perft "*)
        depth=${line#go perft }
        ./adapter.sh "sed '/^[0-9]*$/d' | $filter" "$depth" "$fen" | while read -r move; do
            [ "$depth" = 1 ] || sleep 0.6
            echo "$move"
        done &
        ;;
    quit) exit ;;
    esac
done
