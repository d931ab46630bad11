#!/usr/bin/env bash
# Runs the built command as a user would: exit codes, output, files, interruption.
#   cli_test.sh COMMAND SOURCE_DIR
set -u
treewright=$1
source=$2
iris=$source/data/iris.csv
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
failures=0

fail() { echo "FAILED: $*"; sed 's/^/    out: /' out; sed 's/^/    err: /' err; failures=$((failures + 1)); }

# expect CODE ARGUMENT...: runs the command and compares its exit code; leaves its output in the files out and err.
expect() {
  local wanted=$1; shift
  "$treewright" "$@" > out 2> err < /dev/null
  local code=$?
  [ "$code" -eq "$wanted" ] || fail "exit code $code instead of $wanted: treewright $*"
}
out_has() { grep -qF -- "$1" out || fail "the output lacks: $1"; }
err_has() { grep -qF -- "$1" err || fail "the messages lack: $1"; }
silent() { [ ! -s err ] || fail "standard error should be empty"; }
keys() { sed -n 's/^ *"\([a-z_]*\)":.*/\1/p' "$1" | tr '\n' ' '; }
value() { sed -n "s/^ *\"$1\": *\(.*[^,]\),*\$/\1/p" out; }
same() { [ "$1" = "$2" ] || fail "'$1' is not '$2' ($3)"; }

# --- what it says of itself ------------------------------------------------------------------------------------------
expect 0 --version; out_has "treewright "
expect 0 --help; out_has "Exit codes"
for command in fit tune tradeoff alternatives predict score show export report explain check describe generate partition methods completion manual; do
  expect 0 "$command" --help
  grep -qE -- '->|\{' out && fail "the help of $command shows how its choices are stored"
  expect 0 "$command" --help-all
  grep -qE 'BD17|AHL24|DGMP23|V23|Z20' out && fail "the help of $command uses the short name of a paper"
  "$treewright" --help | grep -q "^  $command" || fail "--help does not list $command"
done
COLUMNS=50 "$treewright" fit --help > narrow; [ "$(wc -L < narrow)" -le 70 ] || fail "help is not fitted to 50 columns"
COLUMNS=120 "$treewright" fit --help > wide; [ "$(wc -l < wide)" -lt "$(wc -l < narrow)" ] || fail "help does not use a wide terminal"
expect 0 fit --help; out_has "--max-depth NUMBER"; out_has "more: treewright fit --help-all"
same "$(grep -c '^  --slack-price' out)" 0 "rare options in --help"
expect 0 fit --help-all; out_has "--slack-price"; out_has "Zhu, Murali, Phan, Nguyen and Kalagnanam 2020"
for name in $("$treewright" methods | sed -n '/^options/,/^$/s/^  \([a-z_]*\) .*/\1/p'); do
  [ "$name" = method ] && continue
  grep -qiE -- "--$(echo "$name" | tr _ -)[, ]" out || case $name in
    n_jobs|random_state|protected_column|gap_tolerance|mip_start) ;;
    *) fail "--help-all lacks $name" ;;
  esac
done
expect 2; out_has "Usage: treewright COMMAND"; out_has "train a tree on a data file"
expect 2 ft; err_has "'ft' is not a command (did you mean 'fit'?)"; err_has "the commands are fit, tune"
expect 2 no-such-command
expect 2 fit "$iris" --depth 2; err_has "fit has no option --depth (did you mean '--max-depth'?)"
expect 2 fit "$iris" --method crt; err_has "--method: there is no method 'crt' (did you mean 'cart'?)"
expect 2 fit "$iris" --min-leaf 200; err_has "--min-leaf: asks for 200 rows"
expect 2 fit "$iris" --method cart --stall-limit=3; err_has "--stall-limit: method 'cart' does not read it"
expect 2 tune "$iris" --try max_deph=1; err_has "there is no such option (did you mean 'max_depth'?)"
expect 2 tune "$iris" --try depth=1; err_has "did you mean 'max_depth'?"
expect 0 fit "$iris" --method cart --max-depth 2 --threads 1 --seed 3 --quiet; silent
expect 0 fit "$iris"; err_has "'treewright tune' compares them on rows kept aside"
expect 0 fit "$iris" --json; silent
expect 0 fit "$iris" --alpha 0.01; silent
expect 0 fit "$iris" --method auto --max-depth 1 --restarts 0 --scoring balanced-accuracy; silent; out_has "balanced accuracy 66.67 %"
out_has "rows has the least log loss on the validation parts"
# The command of its report trains the same tree, with the same probabilities.
expect 0 fit "$iris" --method auto --max-depth 2 --restarts 0 --quiet --out chosen.json --html chosen.html
again=$(grep -o "treewright fit iris.csv --method [^<]*--shrinkage [^<]*" chosen.html | head -1)
[ -n "$again" ] || fail "the report does not name the chosen shrinkage"
expect 0 fit "$iris" ${again#treewright fit iris.csv} --quiet --out again.json
expect 0 predict chosen.json "$iris" --proba; cp out chosen.csv
expect 0 predict again.json "$iris" --proba; cmp -s out chosen.csv || fail "the command of a report of auto gives other probabilities"
expect 0 fit "$iris" --method auto --max-depth 2 --restarts 0 --split-kind axis --json; silent
case $(value method) in '"oct"' | '"cart"') ;; *) fail "auto without hyperplanes takes them" ;; esac
expect 2 fit "$iris" --scoring auc; err_has "--scoring: method 'oct' does not read it"
expect 0 fit "$iris" --method tao --max-depth 2; out_has "is chosen by 4 folds:"
expect 3 fit "$iris" --target clas; err_has "did you mean 'class'?"
expect 2 fit "$iris" --max-dept 2; err_has "fit has no option --max-dept (did you mean '--max-depth'?)"
expect 2 fit "$iris" --max-leaf-nodes 4; err_has "fit has no option --max-leaf-nodes; a tree with L leaves has L - 1 splits, so say --max-splits"
expect 2 fit "$iris" "$iris"; err_has "one argument too many"
expect 0 fit "$iris" --max_depth 2 --min_samples_leaf=5; silent; out_has "depth 2"
expect 0 methods; grep -qE 'BD17|AHL24|DGMP23' out && fail "methods uses the short name of a paper"

# --- completion and manual page --------------------------------------------------------------------------------------
complete_with_bash() {
  # shellcheck disable=SC1090
  ( source <("$treewright" completion bash); COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _treewright; echo "${COMPREPLY[*]}" )
}
same "$(complete_with_bash treewright fi)" "fit" "completion of a command"
same "$(complete_with_bash treewright fit --max-d)" "--max-depth" "completion of an option"
same "$(complete_with_bash treewright fit data.csv --criterion e)" "entropy" "completion of a choice"
same "$(complete_with_bash treewright completion z)" "zsh" "completion of an argument"
same "$(complete_with_bash treewright fit --out tr)" "" "file names are left to bash"
for shell in zsh fish; do
  expect 0 completion "$shell"; out_has "max-depth"; out_has "entropy"
  if command -v "$shell" > /dev/null; then "$shell" -n out || fail "the $shell completion does not parse"; fi
done
expect 2 completion tcsh; err_has "tcsh"
expect 0 manual; out_has ".SS treewright fit"; out_has '\fB\-\-max\-depth\fR'
if command -v groff > /dev/null; then
  groff -man -Tutf8 -ww out > page 2> warnings || fail "the manual page is no troff"
  [ -s warnings ] && { cp warnings err; fail "groff warns about the manual page"; }
fi
expect 0 methods
for word in oct cart max_depth merge_rows; do out_has "$word"; done

# --- fit -------------------------------------------------------------------------------------------------------------
expect 0 fit "$iris" --max-depth 2; silent
out_has "petal"; out_has "status    optimal (verified)"; out_has "errors    6 of 150"
expect 0 fit "$iris" --max-depth 2 --json --threads 2 --alpha 0.01; silent
same "$(keys out)" "method status objective bound gap errors n accuracy splits terms leaves depth seconds seed threads proved verified " "keys of --json"
same "$(value status)" '"optimal"' status
same "$(value errors)" 6.0 errors
same "$(value n)" 150 n
same "$(value accuracy)" 0.96 accuracy
same "$(value splits)" 2 splits
same "$(value leaves)" 3 leaves
same "$(value depth)" 2 depth
same "$(value seed)" 0 seed
same "$(value threads)" 2 threads
same "$(value objective)" "$(value bound)" "bound of an optimal tree"
expect 0 fit "$iris" -v --max-depth 2; err_has "incumbent"
expect 0 fit "$iris" -v --method cart
expect 0 fit "$iris" --target class --drop petal_length,petal_width --max-depth 2
grep -q petal out && fail "a dropped column was used"
expect 0 fit "$iris" --target -1 --categorical 0,petal_width --max-depth 1; out_has "status"

# --- costs -----------------------------------------------------------------------------------------------------------
cancer=$source/data/breast-cancer.csv
printf 'true,malignant,benign\nbenign,1,0\nmalignant,0,10\n' > costs.csv
expect 0 fit "$cancer" --max-depth 1 --costs costs.csv --out cautious.json; silent
out_has "status    optimal (verified)"; out_has "cost      "; out_has "errors    "
cost=$(sed -n 's/^cost *\([0-9]*\) on the training rows/\1/p' out)
expect 0 check cautious.json "$cancer"; out_has "cost $cost, objective"
expect 0 check cautious.json "$cancer" --again; out_has "the optimum is a cost of $cost, as claimed"
expect 0 score cautious.json "$cancer"; out_has "cost $cost, "
expect 0 score cautious.json "$cancer" --json; same "$(value cost)" "$cost.0" "cost of score --json"
expect 0 fit "$cancer" --max-depth 1 --costs costs.csv --json; same "$(value cost)" "$cost.0" "cost of fit --json"
expect 0 fit "$cancer" --max-depth 1 --costs costs.csv --test-share 0.25 --html page.html; out_has "on 142 test rows"
expect 0 report cautious.json "$cancer" --out page.html
expect 0 report cautious.json "$cancer" --path --out page.html; grep -q 'Every optimal size' page.html || fail "no path of costs"
expect 0 export cautious.json "$cancer" --to sql
sed "s/\"cost\": $cost/\"cost\": 1/" cautious.json > changed.json
expect 1 check changed.json "$cancer"; out_has "FAILS: the cost is $cost by recount, but 1 is claimed"; out_has "checksum"
expect 2 fit "$cancer" --costs costs.csv --method svm1; err_has "--method: 'svm1' cannot minimize costs (use one of oct, "
expect 0 fit "$cancer" --costs costs.csv --method auto --max-depth 1 --out auto.json; out_has "mean cost"
expect 0 check auto.json "$cancer"
expect 0 fit "$cancer" --costs costs.csv --min-leaf 5 --min-weight-fraction-leaf 0.02 --max-splits 2 --out limited.json; out_has "at least 5 rows in every leaf"
expect 0 check limited.json "$cancer" --again
expect 0 tune "$cancer" --costs costs.csv --try max_depth=1,2 --out tuned.json; out_has "mean validation cost"; out_has "the least mean cost"
expect 0 check tuned.json "$cancer"; out_has "cost "
expect 0 tune "$cancer" --costs costs.csv --method cart --folds 3 --test-share 0.25 --json; out_has '"validation_cost"'; out_has '"test_cost"'
expect 0 tune "$cancer" --costs costs.csv --scoring accuracy; out_has "mean validation accuracy"
expect 2 tune "$cancer" --scoring cost; err_has "scoring"; err_has "is the cost, and the labels have none"
expect 0 tune "$cancer" --costs costs.csv --max-depth 1 --curve costly.svg; silent; grep -q '>mean cost on the validation rows<' costly.svg || fail "the curve of costs does not say so"
expect 0 alternatives "$cancer" --costs costs.csv --max-depth 1; out_has "costs at least"; out_has "cost      "
expect 0 alternatives "$cancer" --costs costs.csv --max-depth 1 --within 2; out_has "all that there are"; out_has "cost      $cost of the best tree"
expect 0 report cautious.json "$cancer" --within 3 --out page.html; grep -q 'Other trees' page.html || fail "no other trees in the report"
expect 0 fit "$cancer" --max-depth 2 --costs costs.csv --proof cost.proof --out proved.json; out_has "proof in cost.proof"
expect 0 check proved.json "$cancer" --proof cost.proof
out_has "so this tree is optimal; costs of the labels 'benign', 'malignant' by class: 'benign' 0 1, 'malignant' 10 0"
expect 0 fit "$cancer" --max-depth 2 --out errors.json
expect 3 check errors.json "$cancer" --proof cost.proof; err_has "speaks of other costs of labels by class than the tree"
cat > offers.csv <<'END'
age,visits,call,letter,nothing
25,3,-1,2,0
31,0,4,2,0
47,1,3,-5,0
52,4,-6,1,0
38,2,-2,2.5,0
61,0,2,-4,0
29,5,-3,1,0
55,3,-1,-2,0
END
expect 0 fit offers.csv --cost-columns call,letter,nothing --max-depth 2 --proof policy.proof --out policy.json; out_has "proof in policy.proof"
expect 0 check policy.json offers.csv --proof policy.proof; out_has "so this tree is optimal; costs of the labels in the columns 'call', 'letter', 'nothing'"
expect 0 fit offers.csv --cost-columns call,letter,nothing --max-depth 2 --out policy.json; silent; out_has "cheapest  "; out_has "call  (4 rows, cost -12)"
expect 0 check policy.json offers.csv --again; out_has "the optimum is a cost of"
out_has "which get their cheapest label, objective"; grep -q "error" out && fail "check of a policy speaks of errors"
expect 0 score policy.json offers.csv; out_has "get their cheapest label"; out_has "nothing  "
expect 0 score policy.json offers.csv --json; out_has '"cost": '
cut -d, -f1,2 offers.csv > new.csv
expect 0 predict policy.json new.csv; out_has "call"
expect 3 score policy.json new.csv; err_has "there is no column 'call'"; err_has "as this tree was trained with (add it, name other columns with --cost-columns, or use predict"
expect 0 report policy.json offers.csv --out policy.html; grep -q -- '--cost-columns call,letter,nothing' policy.html || fail "the page does not say how to train the policy"
grep -q "What the labels cost" policy.html || fail "the page of a policy has no table of costs"
grep -q "more error" policy.html && fail "the page of a policy speaks of errors"
expect 2 fit offers.csv --cost-columns call,letter --target nothing; err_has "there is no target beside them"
expect 2 fit offers.csv --cost-columns call,letter --costs costs.csv; err_has "costs of classes and of rows at once"
expect 2 fit offers.csv --cost-columns call,letter,nothing --class-weight balanced; err_has "--class-weight: weighs classes, and these costs are by row"
expect 0 tune offers.csv --cost-columns call,letter,nothing --valid-share 0.5; out_has "mean validation cost"
expect 0 alternatives offers.csv --cost-columns call,letter,nothing --max-depth 1; out_has "of the best tree of depth 1"
expect 3 fit "$cancer" --costs no-such-file.csv; err_has "no-such-file.csv"
printf 'true,malignant,benign\nbening,1,0\n' > costs.csv
expect 3 fit "$cancer" --costs costs.csv; err_has "costs.csv, line 2: the true class 'bening' is no class of the data (did you mean 'benign'?)"
printf 'true,malignant,benign\nbenign,1,0\n' > costs.csv
expect 3 fit "$cancer" --costs costs.csv; err_has "costs.csv: has not a line for the true class 'malignant'"
expect 3 fit "$cancer" --costs costs.csv --out costs.csv; err_has "costs.csv: is read by this run"

# --- partition -------------------------------------------------------------------------------------------------------
expect 0 partition "$iris" --drop sepal_length,sepal_width --out clusters.csv --representatives means.csv --svg clusters.svg; silent
out_has "clusters       18"; out_has "homogeneity    1"; out_has "consistency    1"
same "$(head -n 1 clusters.csv)" "row,cluster" "header of the clusters"
same "$(sed 1d clusters.csv | cut -d, -f2 | sort -u | wc -l)" 18 "clusters in the file"
same "$(wc -l < clusters.csv)" 151 "lines of the clusters"
same "$(wc -l < means.csv)" 19 "lines of the representatives"
same "$(grep -c '<circle class="c' clusters.svg)" 153 "rows and legend in the picture"
grep -q '</svg>' clusters.svg || fail "the picture has no end"
expect 0 partition "$iris" --partition gp --rho 0.1 --json; same "$(value clusters)" 15 "clusters of --json"
expect 0 partition "$iris" --out -; out_has "149,"
expect 2 partition "$iris" --rho 2; err_has "rho"
expect 2 partition "$iris" --partition best; err_has "gp|igp|crm"
expect 3 partition "$iris" --svg picture.svg; err_has "two numeric columns"
[ -e picture.svg ] && fail "a picture was written all the same"
expect 3 partition no-such-file.csv
expect 3 partition "$iris" --out no/such/folder.csv; err_has "no/such/folder.csv"
expect 0 fit "$iris" --method partition --partition crm --refine eiia --max-depth 3 --gamma 5 --json
same "$(value status)" '"optimal"' "status of partition"
expect 0 fit "$iris" --method partition --refine hiia --max-depth 3 --gamma 5; out_has "clusters of 150 rows by igp"; err_has "treewright: --refine is now called --partition-algorithm"

# --- wrong usage: 2; wrong data: 3 -----------------------------------------------------------------------------------
expect 2 fit
expect 2 fit "$iris" --no-such-option 1
expect 2 fit "$iris" --max-depth two; err_has "--max-depth"
expect 2 fit "$iris" --max-depth -2; err_has "--max-depth"
expect 2 fit "$iris" --method guess; err_has "use one of oct, "
expect 2 fit "$iris" --restarts 5; err_has "does not read it"; err_has "oct-h, tao"
expect 2 fit "$iris" --method cart --level-costs 10; err_has "margot, margot-hfs"
expect 2 fit "$iris" --disable magic; err_has "the rules are"
expect 2 fit "$iris" --min-leaf 151; err_has "151 rows in every leaf"
expect 2 fit "$iris" --class-weight rose=1; err_has "no class of this name"
expect 3 fit no-such-file.csv; err_has "no-such-file.csv: No such file"
expect 3 fit .; err_has "."
expect 3 fit "$iris" --target rose; err_has "rose"
printf 'x,class\n1,a\n' > one-row.csv
expect 3 fit one-row.csv; err_has "one-row.csv"
printf 'x,class\n1,a\n2,a\n3,a\n' > one-class.csv
expect 3 fit one-class.csv; err_has "only one class"
: > empty.csv
expect 3 fit empty.csv; err_has "empty.csv"
printf 'x,class\n1,a\n2\n3,b\n' > ragged.csv
expect 3 fit ragged.csv; err_has "line 3"

# --- tree files: show, predict, check --------------------------------------------------------------------------------
expect 0 fit "$iris" --max-depth 3 --out tree.json
cp out fit-report
expect 0 show tree.json
head -n "$(wc -l < out)" fit-report | cmp -s - out || fail "show prints another tree than fit"
expect 0 show tree.json --out shown.txt; [ -s shown.txt ] || fail "show --out wrote nothing"
for format in rules text dot svg latex json c cpp python sql pmml onnx; do
  expect 0 export tree.json "$iris" --to "$format" --out "exported.$format"
  case $format in
    onnx | python) err_has "in Python runs it" ;;
    c | cpp | sql | pmml) err_has "tested on 150 rows by the thresholds as written, but not run" ;;
    *) silent ;;
  esac
  expect 0 export tree.json --to "$format"; err_has "the export was not tested"
  cmp -s out "exported.$format" || fail "export --to $format differs without the rows"
done
cmp -s exported.json tree.json || fail "export --to json is not the file"
cmp -s exported.rules shown.txt || fail "export --to rules is not what show prints"
expect 2 export tree.json --to picture; err_has "is not one of rules, text"
expect 2 export tree.json --to sqll; err_has "did you mean 'sql'?"
expect 2 export tree.json
expect 3 export tree.json no-such-file.csv --to c
expect 0 fit "$iris" --max-depth 3 --quiet --out proved.json --proof bound.proof; out_has "proof in bound.proof"
expect 0 check proved.json "$iris" --proof bound.proof; out_has "so this tree is optimal"
expect 0 report proved.json "$iris" --proof bound.proof --out proved.html
grep -q "so this tree is optimal" proved.html || fail "the report does not tell what the proof shows"
sed 's/"bound":1,/"bound":2,/' bound.proof > raised.proof
expect 3 check proved.json "$iris" --proof raised.proof; err_has "its checksum does not match"
expect 0 fit "$iris" --max-depth 3 --max-splits 3 --quiet --out few.json --proof few.proof; out_has "proof in few.proof"
expect 0 check few.json "$iris" --proof few.proof; out_has "no tree of depth at most 3 and at most 3 splits has an objective below"
expect 0 fit "$iris" --max-depth 3 --max-splits 4 --quiet --out more.json
expect 3 check more.json "$iris" --proof few.proof; err_has "speaks of trees with 3 splits at most, and the tree may have more"
expect 0 fit "$iris" --max-depth 3 --min-leaf 5 --proof leaves.proof; out_has "optimal (verified)"
expect 3 fit "$iris" --max-depth 60 --proof no/such/folder/bound.proof; err_has "No such file"
[ ! -e no.proof ] || fail "a proof where there is none"
if [ -w /dev/full ]; then
  expect 3 fit "$iris" --max-depth 2 --quiet --proof /dev/full; out_has "petal"; out_has "its proof could not be written"; err_has "No space"
fi
expect 0 check tree.json "$iris"; out_has "holds: 1 error on 150 rows"; out_has "not checked: that no tree is better"
if [ -e /dev/full ]; then
  "$treewright" check tree.json "$iris" > /dev/full 2> err && fail "a full disk went unnoticed"
  err_has "standard output cannot be written"
fi
sed 's/"seed": 0/"seed": 1/' tree.json > edited.json
expect 1 check edited.json "$iris"; out_has "changed after it was written"; out_has "the seed is 1"
expect 0 predict tree.json "$iris"
paste -d, <(tail -n +2 "$iris") <(tail -n +2 out) | awk -F, '$5 != $6' | wc -l > wrong
same "$(cat wrong)" 1 "wrong predictions on the training rows"
same "$(head -n 1 out)" class "head of the predictions"
cut -d, -f1-4 "$iris" > unlabeled.csv
cp out labeled
expect 0 predict tree.json unlabeled.csv; cmp -s out labeled || fail "labels change predictions"
expect 0 predict tree.json "$iris" --proba --out proba.csv
same "$(head -n 1 proba.csv)" "setosa,versicolor,virginica" "head of the probabilities"
same "$(tail -n +2 proba.csv | awk -F, '{ s = $1 + $2 + $3; if (s < 0.999999 || s > 1.000001) bad++ } END { print NR, bad + 0 }')" "150 0" "sums of probabilities"
sed '2s/setosa/virginica/' "$iris" > changed.csv
expect 1 check tree.json changed.csv; out_has "FAILS: errors are 2 by recount, but 1"
head -n 100 "$iris" > fewer.csv
expect 1 check tree.json fewer.csv; out_has "the data have 99 rows"
sed 's/"errors": 1.0/"errors": 0.0/' tree.json > boasting.json
expect 1 check boasting.json "$iris"; out_has "by recount, but 0"
expect 3 check tree.json unlabeled.csv
expect 3 show "$iris"; err_has "JSON"
head -c 500 tree.json > half.json
expect 3 show half.json; err_has "half.json: is not complete JSON"
expect 3 predict no-such-tree.json "$iris"; err_has "no-such-tree.json"
expect 0 fit "$iris" --out - --max-depth 1; cp out dash.json
expect 0 show dash.json
expect 0 fit "$iris" --class-weight balanced --max-depth 2 --out weighted.json
expect 0 check weighted.json "$iris"

# --- score, test rows, shortcuts -------------------------------------------------------------------------------------
awk -F, 'NR == 1 || NR % 3 == 0' "$iris" > every-third.csv
expect 0 score tree.json "$iris"; silent; out_has "accuracy           0.9933 (149 of 150 right; 95 % interval 0.96 to 1.00)"; out_has "confusion matrix"
out_has "AUC "; out_has "mean F1 "
out_has "balanced accuracy  0.9933"
out_has "Brier score"; out_has "log loss"
expect 0 score tree.json "$iris" --json
same "$(value accuracy)" 0.9933333333333333 "accuracy of score"
# Shrinkage changes probabilities and their scores, but no label.
sharp=$(value log_loss)
expect 0 score tree.json "$iris" --json --shrinkage 20
same "$(value accuracy)" 0.9933333333333333 "accuracy with shrinkage"
[ "$(value log_loss)" != "$sharp" ] || fail "shrinkage does not change the log loss"
expect 0 predict tree.json "$iris" --proba; cp out smooth.csv
expect 0 predict tree.json "$iris" --proba --shrinkage 10; cmp -s out smooth.csv || fail "the usual shrinkage is not 10"
expect 0 predict tree.json "$iris" --proba --shrinkage 0; ! cmp -s out smooth.csv || fail "shrinkage changes no probability"
out_has "1,0,0"
expect 2 predict tree.json "$iris" --proba --shrinkage -1
expect 2 predict tree.json "$iris" --shrinkage 20
expect 0 fit "$iris" --quiet --max-depth 1 --shrinkage 0 --out sharp.json
expect 0 predict sharp.json "$iris" --proba; out_has "1,0,0"
expect 2 fit "$iris" --shrinkage -1
head -60 "$iris" > two-classes.csv
expect 0 score tree.json two-classes.csv; out_has "log loss"
expect 3 score tree.json "$iris" --threshold 0.3; err_has "needs two classes, and the tree has 3"
# 40 rows of two classes that one question parts 18:2 and 3:17.
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; i++) print (i < 20 ? 1 : 2) "," (i < 18 || i > 36 ? "no" : "yes") }' > forty.csv
expect 0 fit forty.csv --max-depth 1 --out forty.json
expect 0 score forty.json forty.csv; out_has "positive class yes"
out_has "sensitivity  0.8947 (17 of 19 found; 95 % interval 0.69 to 0.97)"; out_has "specificity  0.8571 (18 of 21 "
out_has "PPV          0.8500 (17 of 20 "; out_has "NPV          0.9000 (18 of 20 "; out_has "lift         1.7895 "; out_has "F1           0.8718"
expect 0 score forty.json forty.csv --threshold 0.1; out_has "sensitivity  1.0000 (19 of 19 "; out_has "specificity  0.0000 (0 of 21 "
expect 0 predict forty.json forty.csv --threshold 0.1; [ "$(grep -c yes out)" = 40 ] || fail "a threshold that all reach"
expect 0 predict forty.json forty.csv --threshold 0.3 --positive no; [ "$(grep -c no out)" = 20 ] || fail "the threshold of the first class"
expect 2 predict forty.json forty.csv --threshold 0.1 --proba
expect 2 predict forty.json forty.csv --positive no; err_has "add --threshold"
expect 3 score tree.json "$iris" --positive setosa; err_has "positive: a decision"
expect 2 fit "$iris" --max-depth 2 --max-depth 3; err_has "--max-depth is given more than once"
expect 3 fit "$iris" --out no-such-folder/tree.json; err_has "make its folder first"
expect 2 fit "$iris" --bins 3 --target-classes
expect 0 tune "$iris" --try min-leaf=1,5 --try max-depth=1,2 --folds 3; out_has "min_samples_leaf"
printf 'a,b,y,\n1,2,x,\n3,4,z,\n' > ends.csv
expect 0 fit ends.csv --max-depth 1 --out ends.json; err_has "each line ends with a separator"
expect 0 check ends.json ends.csv; expect 0 predict ends.json ends.csv; out_has "x"
printf 'a,b\n1,\n2,\n' > no-labels.csv
expect 0 describe no-labels.csv; out_has "target    none"; out_has "no row has a label (name another target; 'b' is the target because it is the last column"
awk 'BEGIN { print "id,x,y"; for (i = 0; i < 40; i++) print 1000 + i * 7 % 41 "," i % 2 "," (i % 3 ? "a" : "b") }' > with-id.csv
expect 0 describe with-id.csv; out_has "without the columns that are left out"; ! grep -q "ceiling  100" out || fail "identifiers count for the ceiling"
awk 'BEGIN { print "x,w,y"; for (i = 0; i < 90; i++) print i * 2 % 90 + i / 45 "," 1 + i % 3 "," (i % 30 < 10 ? "a" : "b") }' > weighted.csv
expect 0 fit weighted.csv --weights w --max-depth 2 --test-share 0.3 --out weighted.json; grep "^accuracy" out > trained.txt
expect 0 score weighted.json weighted.csv; grep "^accuracy" out | head -1 | cmp -s - trained.txt || fail "score forgets the weights"
expect 3 predict tree.json "$iris" --threshold 0.3; err_has "needs two classes, and the tree has 3"
expect 0 score forty.json forty.csv --positive no; out_has "sensitivity  0.8571 (18 of 21 "
expect 3 score forty.json forty.csv --positive maybe; err_has "'maybe' is no class of the tree"
expect 0 score forty.json forty.csv --json --threshold 0.86; out_has '"positive": "yes"'; same "$(value accuracy)" 0.525 "accuracy at a high threshold"
expect 3 score tree.json unlabeled.csv
sed 's/setosa/rose/' every-third.csv > rose.csv
expect 3 score tree.json rose.csv; err_has "'rose' is not a class of the tree"
awk -F, 'NR == 1 { print "w," $0; next } { print ($5 == "setosa" ? 2 : 0.5) "," $0 }' "$iris" > heavy.csv
expect 0 score tree.json heavy.csv --weights w; out_has "(weight 149.5 of 150, 149 of 150 rows right;"
out_has "confusion matrix, numbers of rows"
expect 0 fit "$iris" --max-depth 2 --test-share 0.2 --html short.html --svg short.svg --out short.json
out_has "on 30 test rows"; out_has "balanced accuracy"; out_has "of 120 "
grep -q '<svg' short.svg || fail "fit --svg wrote no picture"
grep -q 'accuracy on test rows' short.html || fail "the page of fit lacks the test rows"
expect 0 score short.json "$iris"; out_has "on 30 test rows, held out in training"; out_has "on 120 training rows"
expect 0 score short.json "$iris" --json; out_has '"training_rows"'
{ head -1 "$iris"; tail -n +2 "$iris" | tac; } > turned.csv
expect 0 score short.json turned.csv; err_has "training and test rows are scored together"
expect 0 fit "$iris" --max-depth 2 --test-share 0.2 --html short.html
cp out once; expect 0 fit "$iris" --max-depth 2 --test-share 0.2
diff <(grep -v seconds once) <(grep -v seconds out) || fail "other rows are held out the second time"
expect 0 fit "$iris" --max-depth 2 --test every-third.csv --json; out_has '"balanced_accuracy"'
expect 2 fit "$iris" --test every-third.csv --test-share 0.5
expect 2 fit "$iris" --out - --html -; err_has "more than one"
expect 3 fit "$iris" --test rose.csv; err_has "rose"
# Only the columns that the tree asks for are needed.
expect 0 fit "$iris" --max-depth 1 --out one-split.json
used=$(sed -n 's/ < .*//p' out | head -n 1)
column=$(head -n 1 "$iris" | tr , '\n' | grep -n "^$used\$" | cut -d: -f1)
cut -d, -f"$column" "$iris" > one-column.csv
expect 0 predict one-split.json one-column.csv; cp out by-one
expect 0 predict one-split.json "$iris"; cmp -s out by-one || fail "columns that the tree does not ask for change predictions"
cut -d, -f"$column" --complement "$iris" > other-columns.csv
expect 3 predict one-split.json other-columns.csv; err_has "the tree's column '$used' is missing"

# --- report ----------------------------------------------------------------------------------------------------------
expect 0 report tree.json --out small.html; silent
expect 0 report tree.json "$iris" --test "$iris" --path --with-rows --title 'Iris & Co' --out full.html; silent
for word in 'Iris &amp; Co' 'Proven optimal' 'all figures above were recounted' 'Every optimal size' 'accuracy on test rows' 'Compared with the greedy tree' "treewright fit iris.csv" '<h2>Confusion matrix'; do
  grep -qF "$word" full.html || fail "the report lacks: $word"
done
grep -qF "$(sha256sum "$iris" | cut -d' ' -f1)" full.html || fail "the report lacks the checksum of the data"
grep -q 'missing value' full.html && fail "the report speaks of missing values where none are"
expect 0 report tree.json --author 'A. <Signer>' --out signed.html; grep -q 'A. &lt;Signer&gt;' signed.html || fail "no author"
grep -qE '20[0-9]{2}-[0-9]{2}-[0-9]{2} · treewright' signed.html || fail "no date"
if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
  script -qec "$treewright report tree.json" /dev/null < /dev/null > typescript || true
  grep -q 'a terminal cannot show' typescript || fail "HTML is poured on a terminal"
fi
grep -qF "$source" full.html && fail "the report names a folder of this machine"
grep -o 'https*://[^"]*' full.html | grep -qv 'www.w3.org/2000/svg' && fail "the report names an address"
expect 0 report tree.json changed.csv; out_has "these claims do not hold on the rows"
expect 3 report tree.json --with-rows; err_has "training data"
expect 3 report tree.json unlabeled.csv
expect 0 fit "$iris" --class-weight balanced --max-depth 2 --alpha 0.01 --out balanced.json
expect 0 report balanced.json "$iris"; out_has "all figures above were recounted"; out_has "--alpha 0.01 --class-weight balanced"

# --- tradeoff --------------------------------------------------------------------------------------------------------
expect 0 tradeoff "$cancer" --positive malignant --max-depth 2 --at-most-missed 5 --out chosen.json --svg tradeoff.svg; silent
for word in "false positives" "status    optimal: every corner is proved" "chosen    corner 9" "3 splits on worst_perimeter" "15 for 12 corners" "has fewer false positives"; do out_has "$word"; done
grep -q 'class="forbidden"' tradeoff.svg || fail "no picture of the trade-off"
grep -q "benign=" chosen.json || fail "the tree of a corner does not tell its class weights"
expect 0 check chosen.json "$cancer"; out_has holds
expect 0 check chosen.json "$cancer" --again; out_has "as claimed"
expect 0 tradeoff "$cancer" --positive malignant --max-depth 1 --ratio 4 --test-share 0.25 --out chosen.json; out_has "best for a ratio of 4"
out_has "test: false positives"; expect 0 check chosen.json "$cancer"; expect 0 score chosen.json "$cancer"; out_has "142 test rows"
expect 0 tradeoff "$cancer" --max-depth 1 --test "$cancer" --json --at-most-missed 0; silent
same "$(value positive)" '"malignant"' "the second class is the positive one"
same "$(value chosen)" "$(grep -c ratio_low out)" "none missed: the last corner"
mkdir corners
expect 0 tradeoff "$iris" --positive versicolor --max-depth 1 --trees corners; silent; out_has "1 split on sepal_width"
for file in corners/corner-*.json; do expect 0 check "$file" "$iris"; expect 0 score "$file" "$iris"; out_has "not versicolor"; done
expect 0 report corners/corner-2.json "$iris"; out_has "--against-rest versicolor"
expect 0 fit "$iris" --against-rest versicolor --max-depth 2 --proof one.proof --out one.json; out_has "not versicolor"
expect 0 check one.json "$iris" --proof one.proof; out_has "; class 'versicolor' against the rest"
expect 3 fit "$iris" --against-rest versicolour; err_has "has no class 'versicolour' (did you mean 'versicolor'?)"
expect 0 tradeoff "$cancer" --time-limit 0; out_has "status    time_limit"; out_has "always malignant"; out_has "the certified line holds"
expect 3 tradeoff no-such-file.csv; err_has no-such-file.csv
expect 3 tradeoff "$cancer" --positive bening; err_has "has no class 'bening' (did you mean 'benign'?)"
expect 3 tradeoff "$iris"; err_has "has 3 classes, and a trade-off has two (take one class against the rest: --positive CLASS)"
expect 3 tradeoff "$iris" --positive tulip; err_has "no class 'tulip'"
printf 'x,y\n1,a\n2,a\n' > one-class.csv; expect 3 tradeoff one-class.csv; err_has "only one class occurs"
expect 2 tradeoff "$cancer" --out tree.json; err_has "none is chosen (choose it with --at-most-missed"
expect 2 tradeoff "$cancer" --at-most-missed 5 --ratio 2
expect 2 tradeoff "$cancer" --at-most-missed -1
expect 2 tradeoff "$cancer" --trees no-such-folder; err_has "no-such-folder: is no folder"
expect 3 tradeoff "$cancer" --svg "$cancer"
expect 0 generate bd17-train --depth 4 --features 8 --rows 1500 --classes 2 --label-noise 0.3 --seed 3 --out noise.csv
"$treewright" tradeoff noise.csv --max-depth 4 > out 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; same $? 0 "exit code of a trade-off that was ended"; out_has "status    interrupted"

# --- alternatives ----------------------------------------------------------------------------------------------------
expect 0 alternatives "$cancer" --max-depth 2; silent; out_has "worst_smoothness                  22           23      1"
out_has "Without worst_area every tree makes at least 1 more error."; out_has "errors    22 of the best tree of depth 2"
out_has "status    optimal: every figure is proved"; out_has "solves    33"
sed '/^seconds/d' out > alone; expect 0 alternatives "$cancer" --max-depth 2 --threads 5; sed '/^seconds/d' out | cmp - alone || fail "threads change the worth of columns"
expect 0 alternatives "$iris" --max-depth 2 --at-most 2; out_has "more than 8"
expect 0 alternatives "$iris" --max-depth 2 --json; silent; same "$(value solves)" 6 "solves for two columns that are used"
expect 0 alternatives "$iris" --max-depth 3 --alpha 0.01 --alpha-scale rows; out_has "cost      "
expect 0 alternatives "$iris" --time-limit 0; out_has "status    time_limit: intervals are proved"; out_has "at least 0"
expect 2 alternatives "$iris" --at-most -1
expect 3 alternatives no-such-file.csv; err_has no-such-file.csv
"$treewright" alternatives noise.csv --max-depth 4 > out 2> err & pid=$!
sleep 1; kill -TERM $pid; wait $pid; same $? 0 "exit code of alternatives that were ended"; out_has "status    interrupted"
expect 0 fit "$iris" --max-depth 2 --never petal_width --never petal_length --out never.json; out_has "never asks 'petal_length', 'petal_width'"
expect 0 check never.json "$iris" --again; out_has "the optimum is 32 errors, as claimed"
expect 0 fit "$iris" --max-depth 2 --first sepal_width --out first.json; out_has "asks 'sepal_width' first"; out_has "errors    21 of 150"
expect 0 check first.json "$iris" --again; out_has "the optimum is 21 errors, as claimed"
expect 0 report never.json "$iris"; out_has "that never asks"
sed 's/never_columns/first_column/' never.json > other.json; expect 1 check other.json "$iris"
expect 2 fit "$iris" --first petal_lenght; err_has "--first: there is no column 'petal_lenght' to ask (did you mean"
expect 2 fit "$iris" --first petal_width --max-splits 0; err_has "needs a split"
expect 0 alternatives "$iris" --max-depth 2 --within 1; out_has "all that there are"; out_has "petal_length, petal_width"
mkdir near; expect 0 alternatives "$iris" --max-depth 2 --within 3 --only-sets --trees near --json; out_has '"complete": true'
expect 0 check near/tree-2.json "$iris"; out_has "holds"
expect 0 alternatives "$iris" --max-depth 2 --within 3 --count 2; out_has "2 trees of more"
expect 2 alternatives "$iris" --within 3 --at-most 2; expect 2 alternatives "$iris" --only-sets
expect 2 alternatives "$iris" --within 3 --trees no-folder; err_has "no-folder: is no folder"
expect 0 fit "$iris" --max-columns 1 --out few.json; out_has "columns   1 asked: petal_width"; out_has "asks at most 1 column)"
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
expect 0 tune "$iris" --method cart --max-depth 10 -v; err_has "fold splits     errors"
expect 2 tune "$iris" --try max_depth; err_has "NAME=VALUE"
expect 2 tune "$iris" --try depth=1; err_has depth
expect 2 tune "$iris" --rule luck; err_has "best or sparse"
expect 0 tune "$iris" --max-depth 2 --scoring log-loss; out_has "mean validation log loss -0."
expect 0 tune "$iris" --max-depth 2 --scoring balanced-accuracy --json; out_has '"validation_balanced_accuracy"'
expect 2 tune "$iris" --scoring luck; err_has "balanced-accuracy"
expect 2 tune "$iris" --resume; err_has "no checkpoint"
awk 'BEGIN { print "row\tpart"; for (i = 0; i < 150; i++) print i "\t" (i % 4 == 0 ? "test" : i % 4 == 1 ? "valid" : "train") }' > parts.tsv
expect 0 tune "$iris" --split-file parts.tsv --max-depth 2; out_has "test "
# Killed at random moments, resumed, and the same answer as undisturbed.
expect 0 generate bd17-train --depth 3 --features 6 --rows 1200 --label-noise 0.2 --seed 3 --out noisy.csv
tuning=(tune noisy.csv --max-depth 3 --min-leaf 0.02 --try min_samples_leaf=0.02,0.1 --folds 3 --threads 1 --json)
expect 0 "${tuning[@]}"
grep -v seconds out > undisturbed
for moment in 0.01 0.03 0.06 0.1 0.15 0.2 0.3 0.4 0.5 0.7; do
  "$treewright" "${tuning[@]}" --checkpoint solves --resume > /dev/null 2>&1 < /dev/null &
  sleep "$moment"
  kill -9 $! 2> /dev/null
  wait $! 2> /dev/null
done
expect 0 "${tuning[@]}" --checkpoint solves --resume
grep -v seconds out | cmp -s - undisturbed || fail "a resumed run ends with another answer"
expect 3 tune noisy.csv --max-depth 2 --checkpoint solves --resume
err_has "max_depth (3 there, 2 here)"
expect 3 "${tuning[@]}" --checkpoint solves; err_has "exists already"; err_has "--resume"
cp noisy.csv data.csv
expect 3 "${tuning[@]}" --checkpoint data.csv; expect 3 "${tuning[@]}" --checkpoint data.csv --resume; err_has "not a line of a checkpoint"
cmp -s noisy.csv data.csv || fail "a file that is no checkpoint was changed"
printf 0123 >> solves
expect 0 "${tuning[@]}" --checkpoint solves --resume; err_has "last line"

# --- fit --checkpoint ------------------------------------------------------------------------------------------------
long=(fit noisy.csv --max-depth 4 --threads 2 --json)
expect 0 "${long[@]}"
grep -v seconds out > undisturbed
for moment in 0.02 0.05 0.1 0.2 0.3; do
  "$treewright" "${long[@]}" --checkpoint facts --resume > /dev/null 2>&1 < /dev/null &
  sleep "$moment"
  kill -9 $! 2> /dev/null
  wait $! 2> /dev/null
done
expect 0 "${long[@]}" --checkpoint facts --resume
grep -v seconds out | cmp -s - undisturbed || fail "a resumed run ends with another answer"
cp facts kept
expect 3 "${long[@]}" --checkpoint facts; err_has "exists already"; err_has "--resume"
expect 3 fit noisy.csv --max-depth 3 --checkpoint facts --resume; err_has "other max_depth (4 there"
expect 3 fit "$iris" --max-depth 2 --checkpoint noisy.csv --overwrite; err_has "not overwritten"
cp facts anew; expect 0 fit "$iris" --max-depth 2 --checkpoint anew --overwrite; expect 0 fit "$iris" --max-depth 2 --checkpoint anew --resume
expect 2 fit "$iris" --overwrite; err_has "no checkpoint"
expect 2 tune "$iris" --overwrite; err_has "no checkpoint"
expect 3 fit "$iris" --max-depth 4 --checkpoint facts --resume; err_has "other data"
expect 3 "${tuning[@]}" --checkpoint facts --resume; err_has "another command or version"
expect 2 fit "$iris" --resume; err_has "no checkpoint"
expect 2 fit "$iris" --method cart --checkpoint other; err_has "checkpoint"; err_has "cart"
expect 3 fit "$iris" --checkpoint same --out same; err_has "same"
cmp -s kept facts || fail "a refused run changed the checkpoint"
"$treewright" fit noisy.csv --max-depth 6 --time-limit 20 --checkpoint busy > /dev/null 2>&1 < /dev/null &
sleep 1
expect 3 fit noisy.csv --max-depth 6 --checkpoint busy --resume; err_has "in use by another run"
kill -9 $! 2> /dev/null
wait $! 2> /dev/null

# --- explain ---------------------------------------------------------------------------------------------------------
expect 0 explain tree.json petal_length=4.7,petal_width=1.4,sepal_length=6; silent
out_has "training rows in its leaf belong to this class"; out_has "nearest change of label"; out_has "Shapley values"
expect 0 explain tree.json 0 "$iris"; out_has "setosa: 100 % of"; out_has "permutation importance"
expect 3 explain tree.json 0; err_has "name the data file"
expect 3 explain tree.json 150 "$iris"; err_has "150 rows"
expect 3 explain tree.json wings=2; err_has "the columns are sepal_length"
expect 3 explain tree.json petal_length=long; err_has "is not a number"

# --- other ways in ---------------------------------------------------------------------------------------------------
gzip -c "$iris" > iris.csv.gz
expect 0 fit iris.csv.gz --max-depth 2; out_has "errors    6 of 150"
"$treewright" fit - --max-depth 2 < "$iris" > out 2> err || fail "standard input"
out_has "errors    6 of 150"
"$treewright" fit - --max-depth 2 < iris.csv.gz > out 2> err || fail "gzipped standard input"
out_has "errors    6 of 150"
expect 0 generate tic-tac-toe --out ttt.csv
same "$(wc -l < ttt.csv)" 959 "lines of tic-tac-toe"
expect 0 fit ttt.csv --max-depth 1 --json
expect 2 generate chess; err_has "no such generator"
expect 2 generate monks-3 --label-noise 2; err_has "label_noise"
{ printf '<script>alert(1)</script>,"a ""quoted"" name",class\n'; for i in 1 2 3 4 5 6; do echo "$i,0,$((i / 4))"; done; } > script.csv
expect 0 fit script.csv --out script.json; out_has "<script>alert(1)</script> < 3.5?"
# Names do not steer the terminal: not in messages, not in notes.
{ printf 'a\033[31mb,class\n'; for i in 1 2 3 4 5 6; do echo "7,$((i / 4))"; done; } > steering.csv
expect 0 fit steering.csv; err_has "note: "; grep -q $'\033' err out && fail "a note lets a control character through"
expect 2 fit steering.csv --first b; err_has "there is no column 'b'"; grep -q $'\033' err && fail "a message lets a control character through"
expect 0 check script.json script.csv
expect 0 predict script.json script.csv
expect 0 export script.json --to dot; out_has 'label="<script>alert(1)</script> < 3.5?"'
awk 'BEGIN { for (f = 1; f <= 200; ++f) printf "f%d,", f; print "class"
             for (i = 0; i < 60; ++i) { for (f = 1; f <= 200; ++f) printf "%d,", (i * (f + 7) * (f + 7)) % 61; print i * 7 % 3 } }' > wide.csv
expect 0 fit wide.csv --max-depth 2 --out wide.json; out_has "status    optimal"
expect 0 check wide.json wide.csv

expect 0 describe "$iris"; out_has "petal_width"; out_has "150"; grep -q '^note:' out && fail "a note on data in order"

# --- notes on the data -----------------------------------------------------------------------------------------------
dirty_data=$source/tests/python/dirty
awk 'BEGIN { print "id,name,age,site,grade,outcome"
             for (i = 1; i <= 200; ++i) print i ",person " i "," (i == 77 ? "unknown" : 20 + i * 7 % 60) ",A," i * i % 17 "," (i % 5 < 2 ? "yes" : "no") }' > dirty.csv
expect 0 fit dirty.csv --max-depth 2 --out dirty.json
err_has "note: column 'id' only counts the rows; new rows will have other numbers: it is left out (--numeric id keeps it)"
err_has "note: column 'name' has 200 categories in 200 rows; it is left out (--categorical name keeps it)"
err_has "note: column 'age' holds numbers and 1 other cell ('unknown'), so it reads as 61 categories; it is left out (--missing unknown reads the others"
err_has "note: 1 column has one value only ('site')"
grep -q 'name' out && fail "a column of names was used"
expect 0 check dirty.json dirty.csv
expect 0 predict dirty.json dirty.csv
expect 0 fit dirty.csv --max-depth 2 --drop id,name,site --missing unknown; silent
expect 0 fit dirty.csv --max-depth 1 --drop id,age,site --categorical name; silent; out_has "name in {"
expect 0 fit dirty.csv --max-depth 2 --quiet; silent
expect 0 fit dirty.csv --max-depth 1 --drop name,age,site,grade --numeric id; silent; out_has "id < "
awk 'BEGIN { print "n,y"; for (i = 1; i <= 50; ++i) print i "," i % 2 }' > count.csv
expect 3 fit count.csv; err_has "no column is left to train on"; err_has "--numeric n"
expect 0 describe dirty.csv; out_has "note: column 'name' has 200 categories"
cut -d, -f2,6 dirty.csv > names-only.csv
expect 3 fit names-only.csv; err_has "no column is left to train on"; err_has "--categorical name"
# A quantity as the target: refused, grouped, or each number a class.
awk 'BEGIN { print "size,price"; for (i = 0; i < 100; ++i) print i * 37 % 29 "," 1000 + i * 37 % 29 * 13 + i }' > prices.csv
expect 3 fit prices.csv --max-depth 1; err_has "target 'price': there are 100 different numbers in 100 rows: a quantity"
err_has "'price' is the target because it is the last column, --target names another"
expect 3 fit prices.csv --target price; err_has "--target-classes"; grep -q "last column" err && fail "the user has named the target"
expect 0 fit prices.csv --max-depth 1 --target-classes; err_has "the target 'price' has 100 different numbers"
expect 0 fit prices.csv --max-depth 2 --bins 2 --out bins.json; out_has "below 1"; out_has "from 1"; silent
expect 0 check bins.json prices.csv; out_has "holds"
expect 0 score bins.json prices.csv; out_has "from 1"
expect 0 report bins.json prices.csv; out_has "treewright fit prices.csv --bins 2 --max-depth 2"
expect 0 describe prices.csv; out_has "the target 'price' has 100 different numbers"
expect 3 fit "$iris" --bins 2; err_has "is no number, so the target cannot be grouped"

# Files as people have them.
{ printf '# made by hand\n#\n'; cat "$iris"; } > remarks.csv
expect 0 fit remarks.csv --max-depth 2 --out remarks.json; err_has "note: the first 2 lines begin with '#'"; out_has "errors    6 of 150"
expect 0 check remarks.json remarks.csv
printf 'st\344dt,n,y\n' > latin.csv; for i in $(seq 40); do printf 'Z\374rich,%d,a\nBern,%d,b\nBern,%d,a\nBasel,2,b\n' $((i % 4)) $((i % 3)) $((i % 3)); done >> latin.csv
expect 0 fit latin.csv --max-depth 1 --out latin.json; err_has "reads as Windows-1252 (Latin-1)"; out_has "Zürich"
expect 0 check latin.json latin.csv
sed '1s/.*/a,a,b,c,species/' "$iris" > equal-names.csv
expect 0 fit equal-names.csv --max-depth 2; err_has "several columns are called 'a': one of them reads as 'a.1'"
printf 'PK\003\004\000' > table.xlsx; cp table.xlsx table.csv; printf 'PAR1' > table.parquet
expect 3 fit table.xlsx; err_has "save the sheet as CSV"; expect 3 fit table.csv; err_has "save the sheet as CSV"
expect 3 fit table.parquet; err_has "pandas.read_parquet('table.parquet').to_csv("
awk 'BEGIN { print "rooms,zip,id,y"; for (i = 0; i < 300; ++i) print (i % 111 == 5 ? "many" : i * 7 % 15) "," (i % 5 ? "00501" : "94501") "," i * 77 % 1009 "," (i % 2 ? "yes" : i % 6 ? "no" : "Yes") }' > guesses.csv
expect 0 fit guesses.csv --max-depth 1
err_has "note: column 'rooms' holds numbers and 3 other cells ('many'), so it reads as 16 categories; --missing many reads it as numbers"
err_has "note: column 'zip' holds numbers such as 00501, which look like codes; --categorical zip reads them as categories"
err_has "note: column 'id' holds another whole number in each row; new rows will have other numbers: it is left out (--numeric id keeps it)"
err_has "note: target 'y': the classes 'Yes' and 'yes' differ in capital letters only; write them alike if they mean the same"
awk 'BEGIN { print "day,y"; for (i = 0; i < 200; ++i) print (i == 7 ? "2022-02-30" : "2022-0" 1 + i % 9 "-" 10 + i % 16) "," (i % 9 < 4 ? "yes" : "no") }' > odd-day.csv
expect 3 fit odd-day.csv --max-depth 1; err_has "column 'day' holds dates and 1 other cell ('2022-02-30'), so it reads as"
expect 0 fit odd-day.csv --max-depth 1 --missing 2022-02-30; out_has "day < 2022-0"
awk 'BEGIN { print "town,y"; for (i = 0; i < 1800; ++i) print "t" i % 60 "," (i % 60 % 2) }' > towns.csv
expect 0 fit towns.csv --max-depth 1 --out towns.json; err_has "note: column 'town' has 60 categories in 1800 rows"; out_has "... 20 more}"
same "$(tr -d ' \n' < towns.json | grep -o '"t[0-9]*"' | sort -u | wc -l)" 60 "levels in the tree file"
# describe tells of faults that stop training.
expect 0 describe "$dirty_data/heart-unknown.csv"; out_has "note: "; out_has "the label is missing"; out_has "rows "
awk 'BEGIN { print "x;day;y"; for (i = 0; i < 60; ++i) print i ",5;2020-0" 1 + i % 6 "-1" i % 10 ";" (i % 6 < 2 ? "early" : i == 44 ? "" : "late") }' > spread.csv
expect 3 fit spread.csv; err_has "the label is missing"
expect 0 fit spread.csv --drop-unlabeled --max-depth 1 --out day.json; out_has "day < 2020-0"
expect 0 predict day.json spread.csv
expect 0 explain day.json day=2020-03-01; out_has "nearest change"
expect 0 check day.json spread.csv
awk 'BEGIN { print "day,y"; for (i = 0; i < 60; ++i) print "0" 1 + i % 6 "/0" 1 + i % 9 "/2020," (i % 6 < 2 ? "early" : "late") }' > slash.csv
expect 0 describe slash.csv; out_has "may begin with the day or with the month"; out_has "2020-0"
expect 3 fit slash.csv; err_has "may begin with the day or with the month"; err_has "--dates day-first"
expect 0 fit slash.csv --dates month-first --max-depth 1 --out slash.json; out_has "day < 2020-0"; out_has "errors    0 of 60"
expect 0 predict slash.json slash.csv; silent
expect 0 check slash.json slash.csv
expect 0 report slash.json slash.csv; out_has "treewright fit slash.csv --dates month-first --max-depth 1"
expect 0 export day.json spread.csv --drop-unlabeled --to rules; out_has "day < 2020-0"
printf 'a,b,y\n1,2,u\n1e400,3,v\n4,-Infinity,u\n' > infinite.csv
expect 0 describe infinite.csv; out_has "note: infinite.csv, line 3, column 'a': the value is infinite"; out_has "a       numeric  2         1        1 .. 2.5 .. 4"
# Lines that do not fit the others are told, and the rest is described.
{ cat "$iris"; printf '5.1,3.5\n5.1,3.5,1.4,0.2,0.9,setosa\n"5.1,3.5,1.4,0.2,setosa\n4.9,3.0,1.4,0.2,setosa\n'; } > ragged.csv
expect 3 fit ragged.csv; err_has "line 152: 2 cells, but the first row has 5"
expect 0 describe ragged.csv; out_has "rows      151"; silent
out_has "note: ragged.csv, lines 152, 153: 2 or other numbers of cells, but most lines have 5; left out here"
out_has "note: ragged.csv, line 154: a quoted cell has no end, or goes on behind it; left out here"
"$treewright" describe - < ragged.csv > out 2> err || fail "describe of standard input"
out_has "note: standard input, lines 152, 153"; out_has "rows      151"
expect 3 describe no-such-file.csv; expect 3 describe empty.csv

# --- six dirty files, from the raw file to a tree ----------------------------------------------------------------------
dirty=$source/tests/python/dirty
expect 0 fit "$dirty/iris-index.csv" --max-depth 2
err_has "column 'x0' only counts the rows"; err_has "column 'flower' has 150 categories"
expect 0 fit "$dirty/iris-index.csv" --max-depth 2 --drop x0,flower --html iris.html; silent; out_has "errors    6 of 150"
expect 3 fit "$dirty/heart-unknown.csv"; err_has "column 'disease': the label is missing"; err_has "--drop-unlabeled"
expect 0 fit "$dirty/heart-unknown.csv" --drop-unlabeled
err_has "column 'chol' holds numbers and 3 other cells ('unknown')"; err_has "--missing unknown"
err_has "column 'thalach' holds numbers"; err_has "column 'patient' has 301 categories"; err_has "('hospital')"
expect 0 fit "$dirty/heart-unknown.csv" --drop-unlabeled --missing unknown,- --drop patient,hospital --max-depth 2 --out heart.json
silent; out_has "cp in {"
# The tree file remembers how its rows were read.
expect 0 score heart.json "$dirty/heart-unknown.csv"; silent; out_has "balanced accuracy"; mv out first.txt
expect 0 score heart.json "$dirty/heart-unknown.csv" --drop-unlabeled --missing unknown,-; cmp -s out first.txt || fail "scores differ"
expect 0 predict heart.json "$dirty/heart-unknown.csv"; silent
expect 0 check heart.json "$dirty/heart-unknown.csv"
expect 0 fit "$dirty/banknote-comma.csv" --max-depth 2 --out note.json; silent; out_has "variance < 0."
expect 0 check note.json "$dirty/banknote-comma.csv"
expect 0 fit "$dirty/haberman-dates.csv" --max-depth 2 --test-share 0.25; silent; grep -qE '(born|operation) < 19[0-9-]+|nodes <' out || fail "no date in the tree"
expect 0 fit "$dirty/haberman-dates.csv" --max-depth 2 --test-share 0.25 --out part.json --html part.html
expect 0 check part.json "$dirty/haberman-dates.csv"; out_has "holds: "; out_has "on the training part of 230 rows"
# score parts the file as well, but only where the rows are the ones that the tree was trained on: as many rows do not show it.
expect 0 score part.json "$dirty/haberman-dates.csv"; out_has "on 230 training rows"; out_has "on 76 test rows, held out in training"
expect 0 score part.json "$dirty/haberman-dates.csv" --json; out_has '"training_rows": {'
sed '2,100s/|yes$/|no/' "$dirty/haberman-dates.csv" > other-labels.csv
expect 0 score part.json other-labels.csv; grep -q "trained on" out && fail "other rows are called the ones that the tree was trained on"
expect 0 report part.json "$dirty/haberman-dates.csv" --out again.html
grep -o 'accuracy on test rows' part.html > /dev/null || fail "the report of fit has no accuracy on test rows"
grep -o '<div class="figures">.*' part.html > first.txt; grep -o '<div class="figures">.*' again.html > out
cmp -s out first.txt || fail "the report of the whole file shows other figures"
grep -q 'all figures above were recounted on the 230 rows' again.html || fail "the report of the whole file does not recount"
expect 0 export part.json "$dirty/haberman-dates.csv" --to sql
expect 0 fit "$dirty/wholesale-spreadsheet.tsv" --max-depth 2 --out whole.json; err_has "read with commas between thousands; --decimal , or --decimal . says which is meant"
err_has "column 'channel_code' has one value for each class of the target 'channel'; it is left out as a copy of the target"; out_has "detergents_paper < "
expect 0 check whole.json "$dirty/wholesale-spreadsheet.tsv"
expect 0 fit "$dirty/wholesale-spreadsheet.tsv" --decimal . --max-depth 2 --drop channel_code,currency; silent; out_has "detergents_paper < "
expect 3 fit "$dirty/wine-quantity.csv" --max-depth 1; err_has "target 'proline': there are 121 different numbers in 178 rows"; err_has "--target"
expect 3 fit "$dirty/wine-quantity.csv" --target cultivar --missing None,NULL; err_has "--drop-unlabeled"
expect 0 fit "$dirty/wine-quantity.csv" --target cultivar --missing None,NULL --drop-unlabeled --max-depth 2; silent; out_has "of 175 "

# --- new rows that are written otherwise -----------------------------------------------------------------------------
{ echo sex,age,class; for i in $(seq 39); do echo "male,$i,no"; echo "female,$i,yes"; done; echo male,5,yes; echo female,7,no; } > people.csv
sed 's/^male/M/; s/^female/F/' people.csv > coded.csv
expect 0 fit people.csv --max-depth 1 --out people.json; silent
expect 0 predict people.json people.csv; silent
expect 0 predict people.json coded.csv; err_has "note: column 'sex': 80 of 80 rows hold a level that training did not see: 'F' (40), 'M' (40)"
err_has "write levels as in training: 'female', 'male'"; same "$(grep -c '^' out)" 81 "rows predicted in spite of a note"
expect 0 score people.json coded.csv; err_has "training did not see"
{ head -1 people.csv; grep -h ^male people.csv people.csv people.csv; } > males.csv
expect 0 predict people.json males.csv; err_has "column 'sex' is 'male' in all 120 rows, and the tree asks about it"
sed 's/^[a-z]*,/,/; 1s/^/sex/' people.csv > lacking.csv
expect 0 predict people.json lacking.csv; err_has "column 'sex' has no value in any of 80 rows"

# --- groups of rows ---------------------------------------------------------------------------------------------------
expect 0 score people.json people.csv --by sex; out_has "groups of 'sex': how often each class is predicted and true"
out_has "the largest difference: 'no' is predicted for 1.0000 of 'male' and 0.0000 of 'female'"
expect 0 fit people.csv --drop sex --max-depth 1 --out ages.json
expect 0 score ages.json people.csv --by sex --json; out_has '"column": "sex"'; out_has '"predicted"'
expect 3 score people.json people.csv --by sexe; err_has "there is no column 'sexe' (did you mean 'sex'?)"
expect 0 score people.json people.csv --by age; out_has "groups of 'age'"

# Who names a column to be treated fairly sees its groups, also at fairness 0. (Without a MIP solver there is no tree.)
"$treewright" fit people.csv --method fair --max-depth 1 --protected sex > out 2> err < /dev/null || grep -q HiGHS err || fail "fair at fairness 0"
grep -q HiGHS err || out_has "groups of 'sex'"
expect 2 fit people.csv --method fair --max-depth 1 --protected sexe; grep -q HiGHS err || err_has "there is no column 'sexe' (did you mean 'sex'?)"
# Off a terminal, a run that takes long says once that it is at work. The time passes in an external solver.
"$treewright" fit people.csv --method oct-mip --max-depth 1 --mip-solver 'sleep 11; : {lp} {solution}' > out 2> err < /dev/null
same "$(grep -c 'still at work after 10 s' err)" 1 "lines about a run of eleven seconds"

# --- two outputs of one name ------------------------------------------------------------------------------------------
expect 2 fit "$iris" --max-depth 1 --out both --html both; err_has "two outputs of this run would go to this file"
[ -e both ] && fail "a file was written although the outputs are one"
ln -s both other-name; ln -s nothing-yet dangling
expect 2 fit "$iris" --max-depth 1 --out both --svg other-name; err_has "two outputs"
expect 2 fit "$iris" --max-depth 1 --out same.json --proof ./same.json; err_has "two outputs"
expect 2 tune "$iris" --max-depth 1 --out same.json --curve same.json; err_has "two outputs of this run would go to this file"
expect 2 partition "$iris" --out same.csv --representatives same.csv; err_has "two outputs"
expect 0 fit "$iris" --max-depth 1 --out dangling
[ -L dangling ] && [ -f nothing-yet ] || fail "a link to a file that was still to be made was replaced"
expect 0 fit "$iris" --max-depth 1 --out /dev/null --html /dev/null

# --- places that cannot be written -----------------------------------------------------------------------------------
expect 3 fit "$iris" --max-depth 1 --out no/such/folder/tree.json; err_has "no/such/folder/tree.json"
"$treewright" fit "$iris" --max-depth 1 > /dev/full 2> err; code=$?; : > out
same "$code" 3 "exit code for a full device"; err_has "standard output"
cp tree.json kept.json
expect 3 fit "$iris" --out kept.json/inside
cmp -s tree.json kept.json || fail "a failed write changed another file"
(ulimit -f 1; exec "$treewright" export tree.json --to svg --out kept.json) > out 2> err
same "$?" 3 "exit code where a file may not grow"; err_has "cannot be written: File too large"
cmp -s tree.json kept.json || fail "a file that may not grow replaced another"
ls kept.json.tmp* 2> /dev/null && fail "a temporary file was left behind"

# --- limits and interruption -----------------------------------------------------------------------------------------
expect 0 generate bd17-train --rows 1000 --features 8 --depth 4 --classes 2 --label-noise 0.4 --out long.csv
expect 0 fit long.csv --max-depth 7 --time-limit 0 --json --out stopped.json
same "$(value status)" '"time_limit"' "status"
expect 0 check stopped.json long.csv
expect 0 fit long.csv --max-depth 7 --node-limit 50 --json
same "$(value status)" '"node_limit"' "status"

# Ctrl-C: waits for the first line of the progress table, not for a time, and then interrupts a search that would take days.
mkfifo progress
(exec "$treewright" fit long.csv --max-depth 7 -v --json --out interrupted.json > out 2> progress) &
pid=$!
exec 3< progress
read -r line <&3 || fail "no progress"
case $line in *incumbent*) ;; *) fail "progress begins with '$line'" ;; esac
cat <&3 > err &
kill -INT "$pid"
wait "$pid"
same "$?" 0 "exit code after an interruption"
exec 3<&-
wait
same "$(value status)" '"interrupted"' "status after an interruption"
expect 0 check interrupted.json long.csv; out_has "status interrupted"

# The table is renewed while nothing happens, and a terminal gets one changing line.
"$treewright" fit long.csv --max-depth 7 -v --time-limit 5 > out 2> err
[ "$(wc -l < err)" -ge 3 ] || fail "fewer than one line of progress in two seconds"
err_has "errors of the best tree; found by: C = a greedy tree"; err_has "subproblems/s"
expect 0 fit long.csv --max-depth 7 --node-limit 1; out_has "bound     0"; out_has "proved    only that no objective is below 0"
# Depth three is solved in a moment here, depth five is not.
expect 0 generate bd17-train --rows 400 --features 8 --depth 4 --classes 2 --label-noise 0.4 --out short.csv
"$treewright" fit short.csv --max-depth 5 -v --time-limit 3 > out 2> err
grep -qE '^. .*% +[0-9]+% .* [0-9]+$' err || fail "no line tells what is done and how fast"
if command -v script > /dev/null; then
  script -qec "$treewright fit short.csv --max-depth 5 --time-limit 3 --svg picture.svg" terminal > /dev/null < /dev/null
  tr '\r' '\n' < terminal > out
  grep -q "s  errors .*, bound .*, gap .* %, .* % done, .* subproblems/s" out || fail "no changing line on a terminal"
  NO_COLOR=1 script -qec "$treewright fit long.csv --max-depth 7 --time-limit 1" terminal > /dev/null < /dev/null
  grep -q "$(printf '\033')\[[0-9;]*m" terminal && fail "colors in spite of NO_COLOR"
fi
expect 0 fit long.csv --max-depth 7 --time-limit 0.5; silent

# A cluster's end of time and a closed terminal are interruptions too.
for signal in TERM HUP; do
  rm -f progress; mkfifo progress
  (exec "$treewright" fit long.csv --max-depth 7 -v --json --out "$signal.json" > out 2> progress) &
  pid=$!
  exec 3< progress
  read -r line <&3 || fail "no progress"
  cat <&3 > err &
  kill -"$signal" "$pid"
  wait "$pid"
  same "$?" 0 "exit code after SIG$signal"
  exec 3<&-
  wait
  expect 0 check "$signal.json" long.csv; out_has "status interrupted"
done

# --- nothing is lost -------------------------------------------------------------------------------------------------
cp "$iris" mine.csv; ln -s mine.csv link.csv
for out in mine.csv link.csv; do
  expect 3 fit mine.csv --out "$out"; err_has "would be overwritten"
done
expect 3 fit mine.csv --method oct-mip --max-depth 1 --write-model mine.csv; err_has "would be overwritten"
expect 3 fit mine.csv --method svm1 --max-depth 1 --write-rows link.csv; err_has "would be overwritten"
cmp -s mine.csv "$iris" || fail "the data were overwritten"
expect 3 fit "$iris" --max-depth 60 --out no/such/folder/tree.json; err_has "No such file"
expect 3 fit "$iris" --max-depth 1 --out /dev/full; err_has "cannot be written"; out_has "errors"
expect 0 fit "$iris" --max-depth 1 --out /dev/null; [ -c /dev/null ] || fail "/dev/null is gone"

# --- solved again ----------------------------------------------------------------------------------------------------
expect 0 fit "$iris" --max-depth 2 --out again.json
expect 0 check again.json "$iris" --again; out_has "solved again"
sed 's/"max_depth": 2/"max_depth": 3/' again.json > deeper.json
expect 1 check deeper.json "$iris" --again; out_has "the options say 2"
expect 2 check again.json "$iris" --time-limit 3

# --- the pages made from the tables ----------------------------------------------------------------------------------
expect 0 methods --markdown
cmp -s out "$source/docs/options.md" || fail "docs/options.md is out of date: run 'make docs'"

[ "$failures" -eq 0 ] && echo "all passed"
exit $((failures > 0))
