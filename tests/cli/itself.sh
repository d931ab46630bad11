# What the command says of itself: help, mistakes in its words, completion, manual page. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

# --- what it says of itself ------------------------------------------------------------------------------------------
expect 0 --version; out_has "treewright "
expect 0 --help; out_has "Exit codes"
for command in fit tune trade-off column-worth near-trees predict score show export report explain check describe generate partition methods completion manual; do
  expect 0 "$command" --help
  grep -qE -- '->|\{' out && fail "the help of $command shows how its choices are stored"
  case $(tail -n 1 out) in "Example: treewright $command"* | *"treewright $command fish"*) ;; *) fail "the help of $command ends with another example" ;; esac
  expect 0 "$command" --help-all
  grep -qE 'BD17|AHL24|DGMP23|V23|Z20' out && fail "the help of $command uses the short name of a paper"
  "$treewright" --help | grep -q "^  $command" || fail "--help does not list $command"
done
COLUMNS=50 "$treewright" fit --help > narrow; [ "$(wc -L < narrow)" -le 70 ] || fail "help is not fitted to 50 columns"
COLUMNS=120 "$treewright" fit --help > wide; [ "$(wc -l < wide)" -lt "$(wc -l < narrow)" ] || fail "help does not use a wide terminal"
expect 0 fit --help; out_has "--max-depth NUMBER"; out_has "More: treewright fit --help-all (Data "; out_has "--out FILE"; out_has "--title TEXT"
same "$(grep -c '^  --\(drop\|missing\|numeric\|disable\)' out)" 0 "options on the data in --help"
same "$(grep -c '^  --slack-price' out)" 0 "rare options in --help"
expect 0 fit --help-all; out_has "--slack-price"; out_has "--disable TEXT"; out_has "--checkpoint FILE"; out_has "Zhu, Murali, Phan, Nguyen and Kalagnanam 2020"
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
expect 2 fit "$iris" --max-depth abc; err_has "--max-depth: 'abc' is not a whole number from 0 to 60"
for verify in yes no auto; do expect 0 fit "$iris" --max-depth 1 --verify $verify; done
expect 0 fit "$iris" --max-depth 1 --verify no; out_has "status    optimal (not verified: --verify, mostly about as long again)"
expect 2 fit "$iris" --min-leaf 200; err_has "--min-leaf: asks for 200 rows"
expect 2 fit "$iris" --method cart --stall-limit=3; err_has "--stall-limit: method 'cart' does not read it"
expect 2 tune "$iris" --try max_deph=1; err_has "there is no such option (did you mean 'max_depth'?)"
expect 2 tune "$iris" --try depth=1; err_has "did you mean 'max_depth'?"
expect 0 fit "$iris" --method cart --max-depth 2 --threads 1 --seed 3 --quiet; silent
expect 0 fit "$iris"; err_has "'treewright tune' compares them on rows kept aside"
expect 0 fit "$iris" --json; silent
expect 0 fit "$iris" --alpha 0.01; silent
expect 0 fit "$iris" --method auto --max-depth 1 --restarts 0 --scoring balanced-accuracy; silent; out_has "balanced accuracy 66.67 %"
out_has "probabilities: of least log loss on rows that trees had not seen"
# The command of its report trains the same tree, with the same probabilities.
expect 0 fit "$iris" --method auto --max-depth 2 --restarts 0 --split-kind axis --quiet --out chosen.json --html chosen.html
again=$(grep -o '<pre id="command">.*</pre>' chosen.html | sed 's/<[^>]*>//g')
case $again in *--shrinkage*) ;; *) fail "the report does not name the chosen shrinkage" ;; esac
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
# A folder, two files in the wrong order, two options that do not go together, and data that do not fit: in words that name them.
expect 0 fit "$iris" --max-depth 1 --quiet --out first.json; printf 'a,b\n1,x\n' > one-row.csv
expect 3 fit .; err_has ".: is a folder (name a file in it)"
expect 3 score first.json .; err_has ".: is a folder"
mkdir folder.csv; expect 3 fit folder.csv; err_has "folder.csv: is a folder"; rmdir folder.csv
for command in predict score check report; do
  expect 3 "$command" "$iris" first.json; err_has "but first.json is a tree (are the two files swapped?)"
done
expect 3 predict one-row.csv "$iris"; err_has "one-row.csv: is not complete JSON (give a file that treewright wrote with --out)"
expect 2 predict first.json "$iris" --proba --threshold 0.3; err_has "--proba and --threshold cannot be given together"
expect 3 predict first.json one-row.csv; err_has "one-row.csv: the tree's column 'petal_length' is missing"
expect 3 fit one-row.csv; err_has "one-row.csv: too few rows to train on: 1"
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
