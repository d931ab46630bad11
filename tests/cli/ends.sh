# Files that cannot or must not be written, limits, interruption, and what a second run finds. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

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
same "$code" 3 "exit code for a full device"; same "$(grep -c "standard output: cannot be written" err)" 1 "times that it is said"
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
same "$?" 130 "exit code after an interruption"
exec 3<&-
wait
same "$(value status)" '"interrupted"' "status after an interruption"
expect 0 check interrupted.json long.csv; out_has "status interrupted"

# The table is renewed while nothing happens, and a terminal gets one changing line.
"$treewright" fit long.csv --max-depth 7 -v --time-limit 5 > out 2> err
[ "$(wc -l < err)" -ge 3 ] || fail "fewer than one line of progress in two seconds"
err_has "errors of the best tree; found by: C = a greedy tree"; err_has "subproblems/s"
expect 0 fit long.csv --max-depth 7 --node-limit 1; out_has "gap       100 %"; out_has "proved    only that no objective is below 0"
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
# A list that takes minutes.
expect 0 generate bd17-train --rows 20000 --features 8 --depth 4 --classes 2 --label-noise 0.4 --out many.csv
timeout 60 "$treewright" near-trees many.csv --max-depth 2 --within 8000 --time-limit 0.5 --quiet > out 2> err
same "$?" 0 "exit code of a list behind its limit on time"; out_has "time_limit"

# A cluster's end of time and a closed terminal are interruptions too.
for ended in TERM:143 HUP:129; do
  signal=${ended%:*}
  rm -f progress; mkfifo progress
  (exec "$treewright" fit long.csv --max-depth 7 -v --json --out "$signal.json" > out 2> progress) &
  pid=$!
  exec 3< progress
  read -r line <&3 || fail "no progress"
  cat <&3 > err &
  kill -"$signal" "$pid"
  wait "$pid"
  same "$?" "${ended#*:}" "exit code after SIG$signal"
  exec 3<&-
  wait
  expect 0 check "$signal.json" long.csv; out_has "status interrupted"
done

# --- nothing is lost -------------------------------------------------------------------------------------------------
cp "$iris" mine.csv; ln -s mine.csv link.csv
for out in mine.csv link.csv; do
  expect 3 fit mine.csv --out "$out"; err_has "would be overwritten"
done
expect 3 fit mine.csv --method oct --solver mip --max-depth 1 --write-model mine.csv; err_has "would be overwritten"
expect 3 fit mine.csv --method svm1 --max-depth 1 --write-rows link.csv; err_has "would be overwritten"
for flag in "--max-depth 2 --proof" "--method oct --solver mip --max-depth 1 --write-model" "--method svm1 --max-depth 1 --write-rows"; do
  expect 3 fit "$iris" --test mine.csv $flag mine.csv; err_has "would be overwritten"
done
cmp -s mine.csv "$iris" || fail "the data were overwritten"
echo petal_width,1 > prices.csv; cp prices.csv prices.kept
expect 3 fit mine.csv --column-costs prices.csv --out prices.csv; err_has "would be overwritten"
expect 3 fit mine.csv --column-costs prices.csv --svg prices.csv; err_has "would be overwritten"
{ echo part; for i in $(seq 1 150); do [ $((i % 3)) = 0 ] && echo valid || echo train; done; } > parts.csv; cp parts.csv parts.kept
expect 3 tune mine.csv --split-file parts.csv --split-column part --try max_depth=1 --out parts.csv; err_has "would be overwritten"
cp tree.json start.json
expect 3 fit mine.csv --method oct --solver mip --warm-start start.json --svg start.json; err_has "would be overwritten"
cmp -s prices.csv prices.kept && cmp -s parts.csv parts.kept && cmp -s tree.json start.json || fail "an input was overwritten"
# A disk that fills: the run goes on without its checkpoint, and has its tree.
treewright_limited() { (ulimit -f 8; trap '' XFSZ; "$treewright" "$@"); }
expect 0 generate bd17-train --rows 400 --features 4 --classes 2 --label-noise 0.3 --out noisy.csv
treewright_limited fit noisy.csv --max-depth 4 --checkpoint short.checkpoint > out 2> err; same "$?" 3 "exit code without room for a checkpoint"
out_has "status    optimal"; out_has "the checkpoint ends before the run"; err_has "short.checkpoint"
expect 0 fit noisy.csv --max-depth 4 --checkpoint short.checkpoint --on-existing resume; out_has "status    optimal"
# A checkpoint is overwritten when the run has begun, not when it is refused.
expect 0 fit mine.csv --max-depth 2 --checkpoint kept.checkpoint; cp kept.checkpoint kept.before
expect 2 fit mine.csv --max-depth 2 --checkpoint kept.checkpoint --on-existing overwrite --disable nothing; err_has "there is no rule 'nothing'"
cmp -s kept.checkpoint kept.before || fail "a refused fit overwrote a checkpoint"
expect 0 tune mine.csv --try max_depth=1 --checkpoint kept.tune; cp kept.tune kept.before
expect 2 tune mine.csv --try max_depth=1 --checkpoint kept.tune --on-existing overwrite --disable nothing; err_has "there is no rule 'nothing'"
cmp -s kept.tune kept.before || fail "a refused tune overwrote a checkpoint"
expect 0 tune mine.csv --try max_depth=2 --checkpoint kept.tune --on-existing overwrite
expect 0 tune mine.csv --try max_depth=2 --checkpoint kept.tune --on-existing resume
expect 3 fit "$iris" --max-depth 60 --out no/such/folder/tree.json; err_has "No such file"
expect 3 fit "$iris" --max-depth 1 --out /dev/full; err_has "cannot be written"; out_has "errors"; err_has "the tree is in"
expect 0 check "$(sed -n 's/.*the tree is in \(.*\))$/\1/p' err)" "$iris"
"$treewright" fit "$iris" --max-depth 1 --out beside.json > /dev/full 2> err; code=$?; : > out
same "$code" 3 "exit code for a full device beside a tree"; expect 0 check beside.json "$iris"
expect 0 fit "$iris" --max-depth 1 --out /dev/null; [ -c /dev/null ] || fail "/dev/null is gone"

# --- solved again ----------------------------------------------------------------------------------------------------
expect 0 fit "$iris" --max-depth 2 --out again.json
expect 0 check again.json "$iris" --again; out_has "solved again"
sed 's/"max_depth": 2/"max_depth": 3/' again.json > deeper.json
expect 1 check deeper.json "$iris" --again; out_has "the options say 2"
expect 2 check again.json "$iris" --time-limit 3

# --- rows that the tree was not trained on ------------------------------------------------------------------------------
# What the tree's file alone leaves out is told, and is not in the table of a proof.
cut -d, -f1-3,5 "$iris" > narrow.csv
expect 0 fit narrow.csv --max-depth 1 --out narrow.json --proof narrow.proof
expect 0 check narrow.json narrow.csv --proof narrow.proof; if grep -q "as the tree file says" out; then fail "nothing is left out"; fi
expect 0 check narrow.json "$iris"; out_has "as the tree file says: columns left out: 'petal_width'"
expect 0 check narrow.json "$iris" --proof narrow.proof; out_has "as the tree file says: columns left out: 'petal_width'"
expect 0 fit "$iris" --max-depth 1 --out wide.json
expect 3 check wide.json "$iris" --proof narrow.proof; err_has "speaks of another table"
expect 0 check narrow.json "$iris" --drop petal_width --proof narrow.proof; if grep -q "as the tree file says" out; then fail "nothing is left out"; fi
# Names are shown on the terminal, whatever they hold, and not executed.
printf 'x,\033[31mz\342\200\256,y\n1,5,a\n2,6,b\n3,5,a\n4,6,a\n' > escapes.csv
expect 0 fit escapes.csv --drop 1 --max-depth 1 --out escapes.json --proof escapes.proof
expect 0 check escapes.json escapes.csv --proof escapes.proof; out_has '\x1b[31mz\u202e'
if grep -q "$(printf '\033')\|$(printf '\342\200\256')" out err; then fail "the terminal executes names"; fi
# A tree of other splits is not one of those that the proof speaks of, and the sentence says which these are.
awk 'BEGIN { print "x,z,y"; for (i = 0; i < 36; i++) print i % 6 "," int(i / 6) "," (i % 6 + int(i / 6) < 5 ? "a" : "b") }' > slanted.csv
expect 0 fit slanted.csv --max-depth 1 --proof slanted.proof; expect 0 fit slanted.csv --method oct-h --max-depth 1 --out slanted.json
expect 0 check slanted.json slanted.csv --proof slanted.proof; out_has 'no tree of axis and category splits of depth at most 1 for "y" on these 36 rows has errors below '
out_has "this tree is not of those that the proof speaks of"
# Rows of costs, and a tree that says it counts errors.
printf 'x,c0,c1\n0,0,2\n1,2,0\n2,0,2\n3,0,2\n4,2,0\n5,2,0\n6,2,0\n7,2,0\n' > paid.csv
expect 0 fit paid.csv --cost-columns c0,c1 --max-depth 1 --out paid.json --proof paid.proof; expect 0 check paid.json paid.csv --proof paid.proof
unsigned paid.json | sed 's/"kind": "costs"/"kind": "errors"/' > unpaid.json
expect 1 check unpaid.json paid.csv --proof paid.proof; out_has "FAILS: "
# What from_chars takes for a number is none to anybody else.
printf 'x,y\n1,a\nnan(1),b\n2,a\nnan(1),b\n' > nan.csv
expect 0 describe nan.csv; out_has "nan(1)"
printf 'c,y\nr,a\nr,a\ng,b\ng,b\n' > levels.csv; sed 's/g/v/' levels.csv > other.csv
expect 0 fit levels.csv --max-depth 1 --out levels.json
expect 1 check levels.json other.csv; out_has "FAILS: column 'c': the tree does not know 'v'"
printf 'c,y\n1,a\n2,b\n1.0,b\n2,a\n' > numbers.csv; printf 'c,y\n1,a\n2,b\n1,b\n2,a\n' > texts.csv
expect 0 fit texts.csv --categorical c --max-depth 1 --out texts.json
expect 1 check texts.json numbers.csv; out_has "FAILS: column 'c': "
# A report does not call proven what fails.
expect 0 fit "$iris" --method cart --max-depth 1 --out greedy.json
sed -e 's/"status": "heuristic"/"status": "optimal"/' -e 's/"bound": 0.0/"bound": 0.5/' greedy.json > boast.json
expect 0 report boast.json "$iris" --out boast.html
grep -q 'The claims of this tree do not hold on the rows' boast.html || fail "the report believes a forged file"
if grep -q 'Proven optimal' boast.html; then fail "the report calls a greedy tree proven"; fi

# --- the pages made from the tables ----------------------------------------------------------------------------------
expect 0 methods --markdown
cmp -s out "$source/docs/options.md" || fail "docs/options.md is out of date: run 'make docs'"
