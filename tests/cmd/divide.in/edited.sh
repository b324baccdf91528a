# Compares a correct listing after an edit by sed: edited.sh EDIT DEPTH FEN
perft divide "$2" --fen "$3" 2>/dev/null | sed "$1" | perft divide "$2" --fen "$3" --compare -
