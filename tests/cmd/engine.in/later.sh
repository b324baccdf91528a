#!/bin/sh
# `later.sh SCRIPT DEPTH FEN` answers the start position, so that the run begins, and runs a script for every other position.
depth=$2
fen=$3
right() {
    ./adapter.sh cat "$depth" "$fen"
}
case $fen in
rnbqkbnr*) right ;;
*) eval "$1" ;;
esac
