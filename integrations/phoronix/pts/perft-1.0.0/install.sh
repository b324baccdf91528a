#!/bin/sh
# Builds perft from its source archive, which has all its libraries: nothing is fetched. The Phoronix Test Suite runs this in
# the folder of the test, with HOME set to it.
version=0.1.0
tar -xzf "perft-$version-source.tar.gz" || { echo 1 >"$HOME/install-exit-status"; exit 1; }
cd "perft-$version-source" || exit 1
cargo build --release --locked --offline
status=$?
echo $status >"$HOME/install-exit-status"
[ $status = 0 ] || exit $status
cd "$HOME" || exit 1
cat >perft <<'EOT'
#!/bin/sh
# One line for each workload, on all threads.
perft=$HOME/perft-0.1.0-source/target/release/perft
results=$HOME/results
rm -rf "$results"
"$perft" bench --threads "${NUM_CPU_CORES:-1}" --budget "${PERFT_BUDGET:-90s}" --results "$results" >"$LOG_FILE.full" 2>&1
status=$?
[ $status = 0 ] || { cat "$LOG_FILE.full" >"$LOG_FILE"; echo $status >"$HOME/test-exit-status"; exit $status; }
"$perft" report "$results" --csv - 2>>"$LOG_FILE.full" |
    sed -n 's|^rates,.*, \([a-z]*\), [0-9]*",M/s,\(.*\)$|perft \1: \2 M/s|p' >"$LOG_FILE"
grep -q '^perft setwise: ' "$LOG_FILE"
echo $? >"$HOME/test-exit-status"
EOT
chmod +x perft
