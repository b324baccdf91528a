#!/bin/sh
echo "error: unrecognized subcommand '$1'" >&2; exit 2
