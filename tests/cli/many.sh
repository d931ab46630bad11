# Commands that train many trees, and checkpoints. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

# --- trade-off --------------------------------------------------------------------------------------------------------
expect 0 trade-off "$cancer" --positive malignant --max-depth 2 --at-most-missed 5 --out chosen.json --svg trade_off.svg; silent
for word in "false positives" "status    optimal: every corner is proved" "chosen    corner 9" "3 splits on worst_perimeter" "15 for 12 corners" "has fewer false positives"; do out_has "$word"; done
grep -q 'class="forbidden"' trade_off.svg || fail "no picture of the trade-off"
grep -q "benign=" chosen.json || fail "the tree of a corner does not tell its class weights"
expect 0 check chosen.json "$cancer"; out_has holds
expect 0 check chosen.json "$cancer" --again; out_has "as claimed"
expect 0 trade-off "$cancer" --positive malignant --max-depth 1 --ratio 4 --test-share 0.25 --out chosen.json; out_has "best for a ratio of 4"
out_has "test: false positives"; expect 0 check chosen.json "$cancer"; expect 0 score chosen.json "$cancer"; out_has "142 test rows"
expect 0 trade-off "$cancer" --max-depth 1 --test "$cancer" --json --at-most-missed 0; silent
same "$(value positive)" '"malignant"' "the second class is the positive one"
same "$(value chosen)" "$(grep -c ratio_low out)" "none missed: the last corner"
mkdir corners
expect 0 trade-off "$iris" --positive versicolor --max-depth 1 --trees corners; silent; out_has "1 split on sepal_width"
for file in corners/corner-*.json; do expect 0 check "$file" "$iris"; expect 0 score "$file" "$iris"; out_has "not versicolor"; done
expect 0 report corners/corner-2.json "$iris"; out_has "--against-rest versicolor"
expect 0 fit "$iris" --against-rest versicolor --max-depth 2 --proof one.proof --out one.json; out_has "not versicolor"
expect 0 check one.json "$iris" --proof one.proof; out_has "class 'versicolor' against the rest"; out_has "so this tree is optimal"
expect 0 table "$iris" --tree one.json; out_has 'labels "not versicolor" "versicolor"'
expect 3 fit "$iris" --against-rest versicolour; err_has "has no class 'versicolour' (did you mean 'versicolor'?)"
expect 0 trade-off "$cancer" --time-limit 0; out_has "status    time_limit"; out_has "always malignant"; out_has "the certified line holds"
expect 3 trade-off no-such-file.csv; err_has no-such-file.csv
expect 3 trade-off "$cancer" --positive bening; err_has "has no class 'bening' (did you mean 'benign'?)"
expect 3 trade-off "$iris"; err_has "has 3 classes, and a trade-off has two (take one class against the rest: --positive CLASS)"
expect 3 trade-off "$iris" --positive tulip; err_has "no class 'tulip'"
printf 'x,y\n1,a\n2,a\n' > one-class.csv; expect 3 trade-off one-class.csv; err_has "only one class occurs"
expect 2 trade-off "$cancer" --out tree.json; err_has "none is chosen (choose it with --at-most-missed"
expect 2 trade-off "$cancer" --at-most-missed 5 --ratio 2
expect 2 trade-off "$cancer" --at-most-missed -1; err_has "'-1' is no number from 0 on"
expect 2 trade-off "$cancer" --ratio 0; err_has "'0' is no number above 0"
expect 2 trade-off "$cancer" --trees no-such-folder; err_has "no-such-folder: is no folder"
expect 3 trade-off "$cancer" --svg "$cancer"
expect 0 generate bd17-train --depth 4 --features 8 --rows 1500 --classes 2 --label-noise 0.3 --seed 3 --out noise.csv
"$treewright" trade-off noise.csv --max-depth 4 > out 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; same $? 143 "exit code of a trade-off that was ended"; out_has "status    interrupted"

# --- column-worth ----------------------------------------------------------------------------------------------------
expect 0 column-worth "$cancer" --max-depth 2; silent; out_has "worst_smoothness                  22           23      1"
out_has "Without worst_area every tree makes at least 1 more error."; out_has "errors    22 of the best tree of depth 2"
out_has "status    optimal: every figure is proved"; out_has "solves    33"
sed '/^seconds/d' out > alone; expect 0 column-worth "$cancer" --max-depth 2 --threads 5; sed '/^seconds/d' out | cmp - alone || fail "threads change the worth of columns"
expect 0 column-worth "$iris" --max-depth 2 --at-most 2; out_has "more than 8"
expect 0 column-worth "$iris" --max-depth 2 --json; silent; same "$(value solves)" 6 "solves for two columns that are used"
expect 0 column-worth "$iris" --max-depth 3 --alpha 0.01 --alpha-scale rows; out_has "cost      "
expect 0 column-worth "$iris" --time-limit 0; out_has "status    time_limit: intervals are proved"; out_has "at least 0"
expect 2 column-worth "$iris" --at-most -1
expect 3 column-worth no-such-file.csv; err_has no-such-file.csv
"$treewright" column-worth noise.csv --max-depth 4 > out 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; same $? 143 "exit code of a search for worths that was ended"; out_has "status    interrupted"
marked='{"column": "petal_length", "below": 2.5, "left": "leaf", "right": "?"}'
expect 0 column-worth "$iris" --max-depth 2 --top "$marked" -v; err_has "petal_width < 1.75: 6"; out_has "petal_width < 1.75        6"; out_has "(a leaf)"
out_has "errors    6 of the best tree of depth 2 that begins so"; out_has "status    optimal: every figure is proved"
sed '/^seconds/d' out > alone; expect 0 column-worth "$iris" --max-depth 2 --top "$marked" --threads 5; sed '/^seconds/d' out | cmp - alone || fail "threads change the splits"
expect 0 column-worth "$iris" --max-depth 2 --top "$marked" --json -v; err_has '{"name":"petal_width","text":"petal_width < 1.75","split":{"column":"petal_width","below":1.75},"bound":6.0,"cost":6.0,"status":"optimal"}'
same "$(value unit)" '"errors"' "the unit of the splits"
echo "$marked" > marked.json; expect 0 column-worth "$iris" --max-depth 2 --top marked.json --test-share 0.2; out_has "status    optimal"
expect 0 column-worth "$iris" --max-depth 3 --top '"?"' --time-limit 0; out_has "status    time_limit: intervals are proved"
expect 0 column-worth "$iris" --max-depth 1 --top "$marked"; out_has "petal_width        -"
expect 2 column-worth "$iris" --top '{"column": "petal_length", "below": 2.5, "left": "...", "right": "leaf"}'; err_has "marks no place"
expect 2 column-worth "$iris" --top '{"column": "petal_length", "below": 2.5, "left": "?", "right": "?"}'; err_has "more than one place"
expect 2 column-worth "$iris" --top "$marked" --max-splits 3; err_has "couples the places"
expect 2 column-worth "$iris" --top "$marked" --at-most 3; expect 2 column-worth "$iris" -v
expect 2 fit "$iris" --top "$marked"; err_has "neither a split"
# A proof speaks of the trees that begin so, and of no others.
begin() { printf '{"column": "%s", "below": %s, "left": "...", "right": "%s"}' "$1" "$2" "${3:-...}"; }
expect 0 fit "$iris" --max-depth 3 --top "$(begin sepal_width 3.1)" --out top.json --proof top.proof; out_has "optimal (verified)"
expect 0 check top.json "$iris" --proof top.proof
out_has 'depth at most 3 that begins with "sepal_width" < 3.1 (yes: ..., no: ...) for "class"'; out_has "so this tree is optimal"
expect 0 fit "$iris" --max-depth 3 --top "$(begin sepal_width 3.2)" --quiet --out other.json
expect 3 check other.json "$iris" --proof top.proof; err_has "speaks of trees that begin with other splits"
expect 0 fit "$iris" --max-depth 3 --top "$(begin sepal_width 3.1 leaf)" --quiet --out other.json
expect 3 check other.json "$iris" --proof top.proof; err_has "speaks of trees that begin with other splits"
expect 0 fit "$iris" --max-depth 3 --quiet --out free.json; expect 3 check free.json "$iris" --proof top.proof
err_has "speaks of trees that begin with other splits"
expect 0 fit "$iris" --max-depth 3 --quiet --proof free.proof; expect 1 check top.json "$iris" --proof free.proof; out_has "this is less than the tree claims"
printf 'class,setosa,versicolor,virginica\nsetosa,0,1,1\nversicolor,1,0,4\nvirginica,1,2,0\n' > costs.csv
expect 0 fit "$iris" --max-depth 2 --top "$(begin sepal_width 3.1)" --costs costs.csv --verify --quiet; out_has "optimal (verified)"
expect 2 fit "$iris" --max-depth 3 --top "$(begin sepal_width 3.1)" --max-splits 3 --proof x.proof; err_has "a proof file and a limit on splits"
expect 2 fit "$iris" --top '{"column": "sepal_width", "column": "sepal_length"}'; err_has "has the key 'column' twice in one place"
expect 2 fit "$iris" --top '{"column": "sepal_width",}'; err_has "byte 26 is out of place"
expect 0 fit "$iris" --max-depth 2 --top '{"column": "sepal_width"}' --out first.json; out_has "begins with the given column makes"; out_has "errors    21 of 150"
expect 0 check first.json "$iris" --again; out_has "the optimum is 21 errors, as claimed"
expect 0 fit "$iris" --max-depth 2 --never petal_width --never petal_length --out never.json; out_has "never asks 'petal_length', 'petal_width'"
expect 0 check never.json "$iris" --again; out_has "the optimum is 32 errors, as claimed"
expect 0 fit "$iris" --max-depth 2 --first sepal_width --out first.json; out_has "asks 'sepal_width' first"; out_has "errors    21 of 150"
expect 0 check first.json "$iris" --again; out_has "the optimum is 21 errors, as claimed"
expect 0 report never.json "$iris"; out_has "that never asks"
sed 's/never_columns/first_column/' never.json > other.json; expect 1 check other.json "$iris"
expect 2 fit "$iris" --first petal_lenght; err_has "--first: there is no column 'petal_lenght' to ask (did you mean"
expect 2 fit "$iris" --first petal_width --max-splits 0; err_has "needs a split"
expect 0 near-trees "$iris" --max-depth 2 --within 1; out_has "all that there are"; out_has "petal_length, petal_width"
mkdir near; expect 0 near-trees "$iris" --max-depth 2 --within 3 --only-sets --trees near --json; out_has '"complete": true'
expect 0 check near/tree-2.json "$iris"; out_has "holds"
expect 0 near-trees "$iris" --max-depth 2 --within 3 --count 2; out_has "2 trees, and there may be more"
expect 2 near-trees "$iris" --at-most 2; expect 2 column-worth "$iris" --only-sets
expect 2 near-trees "$iris" --within 3 --trees no-folder; err_has "no-folder: is no folder"
expect 0 fit "$iris" --max-columns 1 --out few.json; out_has "columns   1 asked: petal_width"; out_has "that asks at most 1 column makes"
expect 0 check few.json "$iris" --again; out_has "as claimed"
expect 0 report few.json "$iris"; out_has "that asks at most 1 column"
expect 0 fit "$iris" --max-depth 2 --column-costs petal_length=5,petal_width=0.5 --alpha-scale errors --out priced.json; out_has "columns   1 asked: petal_width (0.5); they cost 0.5"
expect 0 check priced.json "$iris" --again; out_has "the optimum is a cost of 6.5, as claimed"
expect 0 check priced.json "$iris" --again; out_has "as claimed"
printf 'column,price\npetal_length,5\npetal_width,0.5\n' > prices.csv
expect 0 fit "$iris" --max-depth 2 --column-costs prices.csv --alpha-scale errors --json; out_has '"objective": 6.5'
sed 's/petal_width=0.5/petal_width=0.4/' priced.json > other.json; expect 1 check other.json "$iris"
printf 'petal_length 5\n' > prices.csv; expect 3 fit "$iris" --column-costs prices.csv; err_has "prices.csv, line 1: 'petal_length 5' is not COLUMN,PRICE"
expect 2 fit "$iris" --column-costs petal=5; err_has "there is no column of this name"
expect 2 fit "$iris" --never petal_width --proof never.proof; err_has "--proof: a proof file speaks of all columns"
expect 2 fit "$iris" --first petal_width --method tao; err_has "--first"

# --- tune ------------------------------------------------------------------------------------------------------------
expect 0 tune "$iris" --max-depth 3 --min-leaf 0.05 --curve curve.svg --out tuned.json; silent
for word in "alpha" "validation" "chosen" "why" "middle of its interval" "status    optimal"; do out_has "$word"; done
grep -q "<svg" curve.svg || fail "no picture of the curve"
expect 0 check tuned.json "$iris"; out_has holds
expect 0 tune "$iris" --max-depth 1 --folds 3 --repeats 2; out_has "   6 "
expect 2 tune "$iris" --repeats 2
expect 0 tune "$iris" --try max_depth=1,2,3 --folds 4 --test-share 0.2 --out parted.json; out_has "test      "
same "$(grep -c '  max_depth=[123]$' out)" 3 "lines for three settings"
expect 0 score parted.json "$iris"; out_has "on 30 test rows, held out in training"
expect 2 tune "$iris" --test-share 0.2 --split-file parts.tsv
expect 0 tune "$iris" --try max_depth=1,2,3 --try min_samples_leaf=1,10 --folds 4 --rule sparse --json
out_has '"why": "the fewest features'
expect 0 tune "$iris" --try max_depth=1,2,3 --folds 4 --json -v; python3 - out err << 'END' || fail "tune --json"
import json, sys
tuned, told = json.load(open(sys.argv[1])), [json.loads(line) for line in open(sys.argv[2])]
key = "validation_accuracy"
assert [step["setting"] for step in tuned["settings"]] == ["max_depth=1", "max_depth=2", "max_depth=3"]
chosen = next(step for step in tuned["settings"] if step["setting"] == tuned["setting"])
assert (chosen[key], chosen["alpha"], chosen["folds"]) == (tuned[key], tuned["alpha"], 4) and chosen["standard_error"] >= 0
assert max(step[key] for step in tuned["curve"]) == tuned[key]
by_name = lambda trees: sorted(json.dumps(tree, sort_keys=True) for tree in trees)
assert by_name(told) == by_name(tuned["trees"]), "each tree is told when it is known"
END
expect 0 tune "$iris" --method cart --max-depth 10 -v; err_has "fold splits     errors"
expect 2 tune "$iris" --try max_depth; err_has "NAME=VALUE"
expect 2 tune "$iris" --try depth=1; err_has depth
expect 2 tune "$iris" --rule luck; err_has "best or sparse"
expect 0 tune "$iris" --max-depth 2 --scoring log-loss; out_has "mean validation log loss -0."
expect 0 tune "$iris" --max-depth 2 --scoring balanced-accuracy --json; out_has '"validation_balanced_accuracy"'
expect 2 tune "$iris" --scoring luck; err_has "balanced-accuracy"
expect 2 tune "$iris" --on-existing resume; err_has "no checkpoint"
awk 'BEGIN { print "row\tpart"; for (i = 0; i < 150; i++) print i "\t" (i % 4 == 0 ? "test" : i % 4 == 1 ? "valid" : "train") }' > parts.tsv
expect 0 tune "$iris" --split-file parts.tsv --max-depth 2; out_has "test "
# Killed at random moments, resumed, and the same answer as undisturbed. killed_after SECONDS WORD...
killed_after() {
  "$treewright" "${@:2}" > /dev/null 2>&1 < /dev/null &
  sleep "$1"
  kill -9 $! 2> /dev/null
  wait $! 2> /dev/null
}
expect 0 generate bd17-train --depth 3 --features 6 --rows 1200 --label-noise 0.2 --seed 3 --out noisy.csv
tuning=(tune noisy.csv --max-depth 3 --min-leaf 0.02 --try min_samples_leaf=0.02,0.1 --folds 3 --threads 1 --json)
expect 0 "${tuning[@]}"
grep -v seconds out > undisturbed
for moment in 0.01 0.03 0.06 0.1 0.15 0.2 0.3 0.4 0.5 0.7; do killed_after "$moment" "${tuning[@]}" --checkpoint solves --on-existing resume; done
expect 0 "${tuning[@]}" --checkpoint solves --on-existing resume
grep -v seconds out | cmp -s - undisturbed || fail "a resumed run ends with another answer"
expect 3 tune noisy.csv --max-depth 2 --checkpoint solves --on-existing resume
err_has "max_depth (3 there, 2 here)"
expect 3 "${tuning[@]}" --checkpoint solves; err_has "exists already"; err_has "on_existing=resume"
cp noisy.csv data.csv
expect 3 "${tuning[@]}" --checkpoint data.csv; expect 3 "${tuning[@]}" --checkpoint data.csv --on-existing resume; err_has "not a line of a checkpoint"
cmp -s noisy.csv data.csv || fail "a file that is no checkpoint was changed"
printf 0123 >> solves
expect 0 "${tuning[@]}" --checkpoint solves --on-existing resume; err_has "last line"

# --- fit --checkpoint ------------------------------------------------------------------------------------------------
long=(fit noisy.csv --max-depth 4 --threads 2 --json)
expect 0 "${long[@]}"
grep -v seconds out > undisturbed
for moment in 0.02 0.05 0.1 0.2 0.3; do killed_after "$moment" "${long[@]}" --checkpoint facts --on-existing resume; done
expect 0 "${long[@]}" --checkpoint facts --on-existing resume
grep -v seconds out | cmp -s - undisturbed || fail "a resumed run ends with another answer"
cp facts kept
expect 3 "${long[@]}" --checkpoint facts; err_has "exists already"; err_has "on_existing=resume"
expect 3 fit noisy.csv --max-depth 3 --checkpoint facts --on-existing resume; err_has "other max_depth (4 there"
expect 3 fit "$iris" --max-depth 2 --checkpoint noisy.csv --on-existing overwrite; err_has "not overwritten"
cp facts anew; expect 0 fit "$iris" --max-depth 2 --checkpoint anew --on-existing overwrite; expect 0 fit "$iris" --max-depth 2 --checkpoint anew --on-existing resume
expect 2 fit "$iris" --on-existing overwrite; err_has "no checkpoint"
expect 2 tune "$iris" --on-existing overwrite; err_has "no checkpoint"
expect 3 fit "$iris" --max-depth 4 --checkpoint facts --on-existing resume; err_has "other data"
expect 3 "${tuning[@]}" --checkpoint facts --on-existing resume; err_has "another command or version"
expect 2 fit "$iris" --on-existing resume; err_has "no checkpoint"
expect 2 fit "$iris" --method cart --checkpoint other; err_has "checkpoint"; err_has "cart"
expect 3 fit "$iris" --checkpoint same --out same; err_has "same"
cmp -s kept facts || fail "a refused run changed the checkpoint"
"$treewright" fit noisy.csv --max-depth 6 --time-limit 20 --checkpoint busy > /dev/null 2>&1 < /dev/null &
sleep 1
expect 3 fit noisy.csv --max-depth 6 --checkpoint busy --on-existing resume; err_has "in use by another run"
kill -9 $! 2> /dev/null
wait $! 2> /dev/null
