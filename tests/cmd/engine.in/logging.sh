#!/bin/sh
# Logs its arguments, and counts one leaf too few below e5g6 of Kiwipete, unless that is the root position.
for word; do printf '[%s]' "$word"; done >>log
echo >>log
./adapter.sh "awk -v depth=$1 'depth >= 2 && \$1 == \"e5g6\" { print \$1, \$2 - 1; next } { print }'" "$@"
