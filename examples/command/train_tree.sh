#!/usr/bin/env bash
# Chooses the depth by cross-validation, trains, checks, and writes the tree as SQL: train_tree.sh DATA.csv FOLDER
set -eu
data=$1
out=$2
treewright tune "$data" --folds 5 --try max_depth=1,2,3 --out "$out/tree.json"
treewright check "$out/tree.json" "$data"
treewright export "$out/tree.json" "$data" --to sql --out "$out/tree.sql"
