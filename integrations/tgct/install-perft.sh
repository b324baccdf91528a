#!/usr/bin/env bash
# Installs perft for the leaderboard's harness: put this script into its folder `scripts`, and perft.json into `engines`.
#
#   scripts/install-perft.sh        PERFT_REPO=ADDRESS-OR-FOLDER: where to clone from
set -euo pipefail
cd "$(dirname "$0")/.."
repository=${PERFT_REPO:-https://github.com/OWNER/perft-gate}
source=src/perft binary=bin/perft/perft
command -v cargo >/dev/null || { echo "cargo is missing: install Rust from https://rustup.rs" >&2; exit 1; }
[ -d "$source/.git" ] || git clone "$repository" "$source"
# Instructions are detected at run time, so no flags for this processor are needed.
(cd "$source" && cargo build --release --locked --target-dir target)
mkdir -p "$(dirname "$binary")"
cp "$source/target/release/perft" "$binary"
found=$(printf 'uci\nposition startpos\ngo perft 4\nquit\n' | "$binary" uci)
grep -q '^Nodes searched: 197281$' <<<"$found" || { echo "wrong answer to 'go perft 4':" >&2; echo "$found" >&2; exit 1; }
sed -n 's/^id name //p' <<<"$found"
