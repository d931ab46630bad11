# What is done with trained trees: exports, predictions, checks, scores, reports. Begins with tree.json, which later parts use too. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

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
expect 0 report proved.json "$iris" --proof bound.proof --out proved.html; grep -q 'Proven optimal' proved.html || fail "a proof that was checked proves nothing"
grep -q "so this tree is optimal" proved.html || fail "the report does not tell what the proof shows"
sed 's/"bound":1,/"bound":2,/' bound.proof > raised.proof
expect 3 check proved.json "$iris" --proof raised.proof; err_has "its checksum does not match"
expect 0 fit "$iris" --max-depth 3 --max-splits 3 --quiet --out few.json --proof few.proof; out_has "proof in few.proof"
expect 0 check few.json "$iris" --proof few.proof; out_has 'no tree of axis and category splits of depth at most 3 with at most 3 splits for "class" on these 150 rows has errors below'
expect 0 fit "$iris" --max-depth 3 --max-splits 4 --quiet --out more.json
expect 3 check more.json "$iris" --proof few.proof; err_has "speaks of trees with 3 splits at most, and the tree may have more"
expect 0 fit "$iris" --max-depth 3 --min-leaf 5 --proof leaves.proof; out_has "optimal (verified)"
# --- table -----------------------------------------------------------------------------------------------------------
expect 0 table "$iris" --tree proved.json --out iris.tw; silent; out_has '  number "petal_length"  from 1 to 6.9'
out_has '  class  "class"  3 labels: "setosa", "versicolor", "virginica"'; out_has 'read as missing: "", "?", "N/A"'
same "$(sed -n 2p iris.tw)" 'labels "setosa" "versicolor" "virginica"' "labels of the table"
expect 0 table "$iris"; cmp -s out iris.tw || fail "the table on standard output is another one"; err_has "table $(sed -n 's/.*"table":"\([^"]*\)".*/\1/p' bound.proof) of 150 rows"
printf 'id,day,price,color,w,y\nn1,25/03/2020,"1.234,5",rot,1,yes\nn2,26/03/2020,"7,25",-,2,no\nn3,27/03/2020,"8,5",gr\xfcn,0.5,yes\nn4,,,rot,1,\n' > written.csv
expect 0 table written.csv --drop id --weights w --missing - --drop-unlabeled --class-weight yes=2 --out written.tw
out_has '  number "day"  from 18346 to 18348: dates, as days since 1970-01-01, written with the day first'
out_has '  number "price"  from 7.25 to 1234.5: written for people, with a decimal comma'; out_has '  level  "color"  2 levels: "gr\xc3\xbcn", "rot"; 1 missing'; out_has "note: the text is not UTF-8"
out_has '  weight "w times class weights"'; out_has 'left out: "id"'; out_has "rows left out without a class: 1"; out_has '"-"'
same "$(sed -n 9p written.tw)" '18346 1234.5 "rot" 2 "yes"' "a row of the table"
expect 2 table "$iris" --tree proved.json --class-weight balanced
expect 3 table "$iris" --out "$iris"; err_has "would be overwritten"
expect 3 fit "$iris" --max-depth 60 --proof no/such/folder/bound.proof; err_has "No such file"
[ ! -e no.proof ] || fail "a proof where there is none"
if [ -w /dev/full ]; then
  expect 3 fit "$iris" --max-depth 2 --quiet --proof /dev/full; out_has "petal"; out_has "its proof could not be written"; err_has "No space"
fi
expect 0 check tree.json "$iris"; out_has "holds: 1 error on 150 rows"; out_has "not checked: that no tree is better (--proof FILE"
grep -q objective out && fail "check names an objective that says no more than errors"
out_has "(the checksum says that the file has them as fit wrote them)"
unsigned tree.json > unsigned.json
expect 0 check unsigned.json "$iris"; out_has "(the file has no checksum)"
if [ -e /dev/full ]; then
  "$treewright" check tree.json "$iris" > /dev/full 2> err && fail "a full disk went unnoticed"
  err_has "standard output: cannot be written"
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
sed 's/"setosa"/""/' tree.json > blank.json
expect 0 predict blank.json "$iris"; [ "$(grep -c '^""$' out)" = 50 ] || fail "a class without a name makes blank lines"
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
for word in 'Iris &amp; Co' 'Optimal as the tree file says, not checked here' 'figures were recounted on the 150 rows for this report; that no tree is better was not' 'Every optimal size' 'accuracy on test rows' '<h2>Compared with' '>CART<' '>no split<' "treewright fit iris.csv" '<h2>Measures and confusion matrix'; do
  grep -qF "$word" full.html || fail "the report lacks: $word"
done
grep -qF "$(sha256sum "$iris" | cut -d' ' -f1)" full.html || fail "the report lacks the checksum of the data"
grep -q 'missing value' full.html && fail "the report speaks of missing values where none are"
expect 0 fit "$iris" --max-depth 1 --quiet --title 'One & two' --author 'A. <Signer>' --html titled.html
for word in '<h1>One &amp; two' 'A. &lt;Signer&gt;'; do grep -qF "$word" titled.html || fail "fit --html lacks: $word"; done
expect 0 fit "$iris" --max-depth 1 --quiet --html titled.html; grep -qF '<h1>iris: ' titled.html || fail "no title of file and target"
expect 2 fit "$iris" --title x; err_has "--title requires --html"
expect 0 report tree.json --author 'A. <Signer>' --out signed.html; grep -q 'A. &lt;Signer&gt;' signed.html || fail "no author"
grep -qE '20[0-9]{2}-[0-9]{2}-[0-9]{2} · treewright' signed.html || fail "no date"
if script -qec true /dev/null < /dev/null > /dev/null 2>&1; then
  script -qec "$treewright report tree.json" /dev/null < /dev/null > typescript || true
  grep -q 'a terminal cannot show' typescript || fail "HTML is poured on a terminal"
fi
grep -qF "$source" full.html && fail "the report names a folder of this machine"
grep -o 'https*://[^"]*' full.html | grep -qv 'www.w3.org/2000/svg' && fail "the report names an address"
expect 0 report tree.json changed.csv; out_has "these claims do not hold on the rows"
printf 'column,name,unit\n%s,What <it> is,cm\nnosuch,x\n' "$used" > names.csv
expect 0 show one-split.json --names names.csv; out_has "What <it> is < "; out_has " cm?"; err_has "names columns that the tree does not have: nosuch"
expect 0 export one-split.json --to svg --names names.csv; out_has "What &lt;it&gt; is &lt; "
expect 2 export one-split.json --to c --names names.csv; err_has "keeps the names of the data"
expect 0 explain one-split.json 6 "$iris" --names names.csv; out_has "What <it> is"
expect 0 fit "$iris" --max-depth 1 --quiet --names names.csv --html named.html; err_has "nosuch"; grep -q "What &lt;it&gt; is" named.html || fail "fit --html has no names"
expect 3 fit "$iris" --max-depth 1 --html named.html --names absent.csv; expect 2 fit "$iris" --max-depth 1 --names names.csv
expect 0 report one-split.json "$iris" --near-trees 3 --names names.csv --out named.html
grep -q 'Tree 1: [0-9]* errors, asks What &lt;it&gt; is' named.html || fail "other trees do not have the names"
grep -q 'What <it>' named.html && fail "a name is not escaped"
expect 3 show one-split.json --names one-column.csv
expect 3 report tree.json --with-rows; err_has "training data"
expect 2 report tree.json --path; err_has "--path requires data"
expect 3 report tree.json unlabeled.csv
expect 0 fit "$iris" --class-weight balanced --max-depth 2 --alpha 0.01 --out balanced.json
expect 0 report balanced.json "$iris"; out_has "that no tree is better was not"; without_tags; out_has "--alpha 0.01 --class-weight balanced"
