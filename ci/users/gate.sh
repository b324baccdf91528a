#!/usr/bin/env bash
# Copy this into a project's CI: gets perft, runs the gate, keeps the JUnit report.
#
#   ci/users/gate.sh [ARGUMENTS OF perft…]        default: --suite quick
#
# perft is the one on the PATH, else a build of the checkout that this script stands in, else an installation from the
# repository that PERFT_SOURCE names. The report is perft-junit.xml, or what PERFT_JUNIT says.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)

if command -v perft >/dev/null; then
    perft=perft
elif grep -qs '^name = "perft-gate"' "$here/Cargo.toml"; then
    (cd "$here" && cargo build --release --locked)
    perft=${CARGO_TARGET_DIR:-$here/target}/release/perft
else
    : "${PERFT_SOURCE:?expected the address of the repository of perft-gate}"
    cargo install --locked --git "$PERFT_SOURCE" --root .perft perft-gate
    perft=.perft/bin/perft
fi
[ $# -gt 0 ] || set -- --suite quick
[ -z "${GITHUB_ACTIONS:-}" ] || set -- "$@" --github
exec "$perft" "$@" --junit "${PERFT_JUNIT:-perft-junit.xml}"
