#!/usr/bin/env bash
# Copy this into an engine's repository. It gets perft, gates the engine, and keeps the JUnit report.
#
#   gate.sh [OPTIONS OF perft engine…] -- ENGINE [ARGUMENTS…]        default options: --suite standard --depth 4
#
# It uses perft from the PATH, else a build of the checkout that contains this script, else an installation from the
# repository PERFT_SOURCE. The report is perft-junit.xml, or the file PERFT_JUNIT.
set -euo pipefail
here=$(cd "$(dirname "$0")/../.." && pwd)

options=()
while [ $# -gt 0 ] && [ "$1" != -- ]; do
    options+=("$1")
    shift
done
if [ $# -lt 2 ]; then
    echo "gate.sh: found no engine, expected its command after --: gate.sh --suite standard --depth 4 -- ./myengine" >&2
    exit 2
fi
[ ${#options[@]} -gt 0 ] || options=(--suite standard --depth 4)

if command -v perft >/dev/null; then
    perft=perft
elif grep -qs '^name = "perft-gate"' "$here/Cargo.toml"; then
    (cd "$here" && cargo build --release --locked)
    perft=${CARGO_TARGET_DIR:-$here/target}/release/perft
else
    if [ -z "${PERFT_SOURCE:-}" ]; then
        echo "gate.sh: found no perft on the PATH, expected one there, or the address of perft-gate's repository in PERFT_SOURCE" >&2
        exit 2
    fi
    cargo install --locked --git "$PERFT_SOURCE" --root .perft perft-gate
    perft=.perft/bin/perft
fi
[ -z "${GITHUB_ACTIONS:-}" ] || options+=(--github)
exec "$perft" engine "${options[@]}" --junit "${PERFT_JUNIT:-perft-junit.xml}" "$@"
