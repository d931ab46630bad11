# shellcheck shell=bash disable=SC2154
# Trees that predict numbers.
houses=$source/tests/numbers/houses.csv
expect 0 fit "$houses" --method cart --max-depth 3 --out houses.json; err_has "note: the target 'price' is taken as a number"
out_has "R2        0."; out_has "rows, sd "
expect 0 fit "$houses" --method cart --loss squared --max-depth 3 --test-share 0.25 --json; silent
same "$(keys out)" "method status objective bound gap n splits terms leaves depth seconds seed threads proved verified loss explained test n total_weight explained rmse mae " "keys of numbers"
expect 0 check houses.json "$houses"; out_has "holds: R2 0."; silent
expect 0 score houses.json "$houses"; out_has "RMSE"; out_has "MAE"; silent
expect 0 score houses.json "$houses" --json; same "$(keys out)" "n total_weight explained rmse mae " "keys of a score"
expect 0 predict houses.json "$houses"; same "$(head -1 out) $(wc -l < out)" "price 241" "numbers predicted"; silent
expect 0 explain houses.json area=120,district=hill; out_has "training rows in its leaf, sd "; out_has "Shapley values of the prediction"
expect 0 export houses.json "$houses" --to sql; out_has 'THEN CASE WHEN "area" <'
expect 0 show houses.json; out_has "sd "
expect 0 fit "$houses" --max-depth 2 --ccp-alpha 0.01 --out proved.json; out_has "status    optimal"; out_has "splits    3 (depth 2, 4 leaves)"
expect 0 check proved.json "$houses" --again; out_has "the optimum is an objective of"; out_has ", as claimed"
expect 0 describe "$houses"; out_has "price (a number)"
expect 0 fit "$houses" --method cart --bins 3 --max-depth 1; out_has "from "; silent
expect 0 fit "$houses" --max-depth 2 --quiet; out_has "status    optimal (verified)"
expect 0 fit "$houses" --max-depth 2 --quiet --no-verify; out_has "status    optimal (not verified: --verify, mostly about as long again)"
# Proofs of squared error.
expect 0 fit "$houses" --max-depth 3 --min-leaf 4 --ccp-alpha 0.01 --proof houses.proof --out shown.json; out_has "proof in houses.proof"; out_has "optimal (verified)"
expect 0 check shown.json "$houses" --proof houses.proof; out_has "verified: no tree of axis and category splits of depth at most 3 with at least 4 rows in each leaf for \"price\" on these 240 rows has squared error + "
out_has "so this tree is optimal"
expect 0 fit "$houses" --loss squared --max-depth 2 --verify --json; silent; out_has '"verified": true'
expect 0 table "$houses" --tree shown.json --out houses.tw; out_has '  target "price"'
expect 0 table "$houses" --out plain.tw; same "$(cat plain.tw)" "$(cat houses.tw)" "the table with and without a tree"
same "$(sed -n 2,7p houses.tw | tr '\n' ' ')" 'number "area" number "age" level "district" level "garden" target "price" rows 240 ' "the head of a table of numbers"
sed 's/^54,83,/55,83,/' "$houses" > moved.csv
expect 3 check shown.json moved.csv --proof houses.proof
expect 0 fit "$houses" --max-depth 3 --quiet --out other.json --no-verify
expect 3 check other.json "$houses" --proof houses.proof; err_has "houses.proof"
expect 3 check other.json "$houses" --proof houses.json; err_has "is no proof of format 1"
expect 0 fit "$houses" --max-depth 4 --min-samples-leaf 5 --ccp-alpha 0.01 --node-limit 5 --quiet; out_has "bound     0."
# Rates and hazards: a checker counts the logarithms, too.
drivers="$source/tests/numbers/drivers.csv" patients="$source/tests/numbers/patients.csv"
expect 0 fit "$drivers" --loss poisson --exposure years --max-depth 2 --out rates.json --proof rates.proof; out_has "optimal (verified)"
expect 0 check rates.json "$drivers" --proof rates.proof
out_has 'verified: no tree of axis and category splits of depth at most 2 for "claims" on these 600 rows has half the deviance below 213.577'
expect 0 table "$drivers" --tree rates.json --out rates.tw; out_has '  poisson "claims"  numbers of events, and "years" for the exposure'
grep -q "left out" out && fail "the column of exposures is left out"
same "$(sed -n 2,7p rates.tw | tr '\n' ' ')" 'number "age" level "region" number "power" poisson "claims" rows 600 38 "land" 119 0.25 0 ' "the head of a table of rates"
sed 's/^38,land,119,0.25,0/38,land,119,0.5,0/' "$drivers" > moved.csv
expect 1 check rates.json moved.csv --proof rates.proof
expect 0 fit "$patients" --loss survival --event died --max-depth 2 --min-leaf 5 --verify --out times.json --proof times.proof
out_has "optimal (verified)"
expect 0 check times.json "$patients" --proof times.proof; out_has "half the deviance below"
expect 3 check times.json "$patients" --proof rates.proof; err_has "speaks of another table"
expect 0 table "$patients" --loss survival --event died --out times.tw; out_has '  survival "months"  times, and "died" for the events'
expect 0 fit "$patients" --loss survival --event died --max-depth 2 --target months --quiet --no-verify --out other.json; out_has "not verified: --verify"
# Large counts differ little beside their size, and no digits are lost.
{ echo "week,visits"; for i in $(seq 120); do echo "$((i % 10)),$((1000000 + (i * 7919) % 1999 + (i % 10 > 4 ? 900 : 0)))"; done; } > visits.csv
expect 0 fit visits.csv --loss poisson --max-depth 2 --verify --quiet; out_has "optimal (verified)"
{ echo "week,visits"; for i in $(seq 120); do echo "$((i % 10)),$((100000000 + (i * 7919) % 19999 + (i % 10 > 4 ? 9000 : 0)))"; done; } > more.csv
expect 0 fit more.csv --loss poisson --max-depth 2 --verify --quiet; out_has "optimal (not verified: its proof falls short by digits)"
# Tuned.
expect 0 tune "$houses" --try max_depth=1,2 --folds 3 --min-leaf 5 --test-share 0.25 --out tuned.json; out_has "explained"
out_has "test      R2 0."; out_has "mean validation r2 0."; out_has "R2        0."
expect 0 check tuned.json "$houses"; out_has holds
expect 0 tune "$houses" --max-depth 2 --folds 3 --rule one-se --scoring rmse -v; err_has "fold splits  explained"; out_has "the fewest splits ("
out_has "within one standard error"
expect 0 tune "$houses" --max-depth 2 --json; out_has '"validation_r2"'; out_has '"explained"'
expect 2 tune "$houses" --scoring auc; err_has "use r2, rmse or mae"
expect 2 tune "$iris" --scoring mae; err_has "use accuracy"
expect 2 tune "$houses" --rule one-se; err_has "two folds or more"
expect 3 tune "$houses" --method margot; err_has "classes are wanted here"
# The page, nearest changes, and what else is told.
expect 0 fit "$houses" --max-depth 2 --test-share 0.25 --html houses.html --out parted.json
grep -q "Predicted and seen" houses.html || fail "no panel of numbers"
expect 0 report parted.json "$houses" --path --with-rows --out page.html
grep -q "R2 on test rows" page.html || fail "no test rows on the page"
expect 0 explain parted.json area=120,age=10,district=hill,garden=yes; out_has "nearest change to a lower number: "; out_has "nearest change to a higher number"
expect 0 explain parted.json area=120,age=10,district=hill,garden=yes --below 300; out_has "nearest change to below 300: "
expect 0 explain parted.json area=120,age=10,district=hill,garden=yes --above 10000; out_has "none found"
expect 0 check parted.json "$houses"; out_has "not checked: that no tree is better (--proof FILE verifies a proof of it, --again solves the problem anew)"
expect 0 describe "$houses" --json; out_has '"loss": "squared"'; out_has '"classes": []'
# Splits that the tree begins with, and a column that it never asks.
expect 0 fit "$houses" --max-depth 3 --top '{"column": "area", "below": 100, "left": "...", "right": "..."}' --never garden --out topped.json
same "$(head -1 out)" "area < 100?  [240 rows]" "the given split"; out_has "that begins with the given splits and never asks 'garden' has an R2 above"
out_has "optimal (verified)"
expect 0 fit "$houses" --max-depth 3 --max-splits 5 --min-leaf 10 --alpha 0.001 --verify --top '{"column": "district", "levels": ["harbor"], "left": "...", "right": "..."}'
out_has "optimal (verified)"
expect 0 check topped.json "$houses" --again; out_has "as claimed"
expect 0 fit "$houses" --max-depth 2 --top '{"column": "area", "below": 100, "left": {"column": "garden"}, "right": "..."}'
same "$(sed -n 2p out | cut -c1-18)" "|- yes: garden in " "the column that is asked in a place"
expect 0 fit "$houses" --max-depth 2 --first garden --out first.json; out_has "that asks 'garden' first has an R2 above"
same "$(head -1 out | cut -c1-10)" "garden in " "the column that is asked first"
expect 0 check first.json "$houses" --again; out_has "as claimed"
# What is about classes is refused.
expect 2 predict houses.json "$houses" --proba; err_has "are about classes"
expect 2 score houses.json "$houses" --by garden; err_has "are about classes"
expect 3 report houses.json "$houses" --near-trees 1 --out x.html; err_has "is a number, and this is about classes"
expect 3 near-trees "$houses"; err_has "a quantity, and classes are wanted here"
expect 2 export houses.json --to sql-probabilities; err_has "writes trees that predict classes"
expect 2 fit "$houses" --loss squared --method margot; err_has "'margot' predicts classes, and the target is a number"
expect 2 fit "$houses" --method cart --class-weight balanced; err_has "--class-weight: method 'cart' does not read it where the target is a number"
expect 2 fit "$houses" --method cart --loss squared --bins 3; err_has "is to be classes and a number"
expect 2 fit "$houses" --method cart --exposure area; err_has "is read for the loss poisson alone"
expect 2 fit "$houses" --method cart --shrinkage 5; err_has "--shrinkage: it is about classes"
# Targets that cannot be predicted.
expect 3 fit "$iris" --method cart --loss squared; err_has "row 0: 'setosa' is no number"
printf 'a,y\n1,3.5\n2,inf\n3,4.5\n' > infinite.csv
expect 3 fit infinite.csv --method cart; err_has "target 'y', row 1: 'inf' is no number (give a finite number or leave the row out"
printf 'a,y\n1,3.5\n2,\n3,4.5\n' > gap.csv
expect 3 fit gap.csv --method cart; err_has "gap.csv, line 3, column 'y': the label is missing"
expect 0 fit gap.csv --method cart --drop-unlabeled; out_has "[2 rows]"
printf 'a,y\n1,3.5\n2,3.5\n' > constant.csv
expect 3 fit constant.csv --method cart --target-classes; err_has "only one class occurs"
expect 3 fit constant.csv --method cart; err_has "target 'y': all its numbers are equal"
printf 'x,w,y\n1,1e-300,1e-25\n2,1e-300,2e-25\n1,1e-300,3e-25\n' > faint.csv
expect 3 fit faint.csv --weights w --loss squared; err_has "its squares times the weights are too large or too small"
# Few whole numbers may be either.
printf 'a,y\n1,1\n2,2\n3,3\n4,4\n5,9\n' > grades.csv
expect 0 fit grades.csv --max-depth 1; err_has "the 5 different numbers of the target 'y' are taken as classes; to predict the number add --loss squared"
expect 0 fit grades.csv --max-depth 1 --loss squared; grep -q "taken as classes" err && fail "the user has said what it is"
sed 's/9/4/' grades.csv > codes.csv
expect 0 fit codes.csv --max-depth 1; grep -q "taken as classes" err && fail "so few numbers are codes"
# Rates.
printf 'age,years,claims\n19,2,3\n22,2,1\n31,1,0\n47,3,1\n' > claims.csv
expect 0 fit claims.csv --method cart --loss poisson --exposure years --max-depth 1 --out claims.json
out_has "1.5  (1 row, 3 events in 2)"; out_has "0.3333  (3 rows, 2 events in 6)"; out_has "of the deviance of the training rows"
expect 0 check claims.json claims.csv; out_has "share of the deviance 0."
grep -q "left out" out && fail "exposures are no column left out"
expect 0 score claims.json claims.csv; out_has "mean deviance"
printf 'age,years,claims\n19,2,4\n60,1,2\n' > alike.csv
expect 0 score claims.json alike.csv; out_has "explained      - (these rows do not differ: there is nothing to explain)"
printf 'age\n20\n60\n' > drivers.csv
expect 0 predict claims.json drivers.csv; same "$(tail -2 out | tr '\n' ' ')" "1.5 0.3333333333333333 " "rates of new rows"
sed 's/,3,1/,0,1/' claims.csv > never.csv
expect 3 fit never.csv --method cart --loss poisson --exposure years; err_has "exposure, row 3"; err_has "use numbers above 0"
# Times to an event.
printf 'age,seen,time\n19,1,1\n22,1,2\n31,1,8\n47,0,9\n' > times.csv
expect 2 fit times.csv --loss survival; err_has "nothing says where the event was seen"; err_has "--event"
expect 2 fit times.csv --event seen; err_has "is read for the loss survival alone"
sed '2s/,1,/,,/' times.csv > blank.csv
expect 3 fit blank.csv --loss survival --event seen; err_has "column 'seen': the cell of row 1 is missing"
expect 0 fit times.csv --loss survival --event seen --max-depth 1 --out times.json
out_has "3 events, half by 2"; out_has "of the deviance of the training rows"; out_has "optimal"
expect 0 check times.json times.csv; out_has "holds"
expect 0 score times.json times.csv; out_has "concordance"
expect 0 explain times.json age=20; out_has "relative hazard"
sed 's/,1,/,0,/' times.csv > censored.csv
awk 'BEGIN { print "age,seen,time"; for (i = 0; i < 60; ++i) print i % 12 "," (i % 5 > 0) "," 40 - 3 * (i % 12) + i % 7 }' > long.csv
expect 0 tune long.csv --loss survival --event seen --folds 3 --rule one-se --min-leaf 5 --test-share 0.2; out_has "mean validation concordance"
out_has "the fewest splits ("; out_has "concordance 0"
expect 0 tune long.csv --loss survival --event seen --method cart --scoring deviance --min-leaf 5 --json; out_has '"validation_deviance"'
expect 2 tune long.csv --loss survival --event seen --scoring mae; err_has "use concordance or deviance"
expect 0 report times.json times.csv --out times.html
for words in "Kaplan and Meier" "--event seen"; do grep -qF -- "$words" times.html || fail "the page of times lacks: $words"; done
expect 0 fit long.csv --loss survival --event seen --min-leaf 8 --test-share 0.3 --html long.html
grep -q "concordance on test rows" long.html || fail "the page of fit has no concordance"
expect 3 fit censored.csv --loss survival --event seen; err_has "all rows are censored"
# Rows are scored with the weights of the training column, hazards too; so is a page of other rows.
printf 'x,w,e,y\n1,3,1,9\n2,2,1,0\n3,3,1,6\n4,5,1,4\n5,5,0,3\n6,1,1,1\n' > heavy-times.csv
expect 0 fit heavy-times.csv --loss survival --event e --weights w --max-splits 0 --out heavy-times.json
expect 0 score heavy-times.json heavy-times.csv; out_has "0.644477"; cp out alone.txt
sed '1s/,e,/,died,/' heavy-times.csv > died.csv
expect 0 score heavy-times.json died.csv --event died; cmp -s out alone.txt || fail "another name of the event's column changes the score"
expect 0 score heavy-times.json heavy-times.csv --weights w; cmp -s out alone.txt || fail "weights of a tree's file are others than those that are named"
printf 'x,w,y\n1,1,P\n2,1,P\n3,1,Q\n4,2,Q\n5,1,Q\n' > wa.csv; printf 'x,w,y\n1,8,Q\n2,1,P\n3,1,Q\n4,1,Q\n' > wb.csv
expect 0 fit wa.csv --weights w --max-depth 1 --out wa.json
expect 0 score wa.json wb.csv; out_has "0.2727"
expect 0 report wa.json wa.csv --test wb.csv --out wa.html; grep -q "27.3 %" wa.html || fail "a page forgets the weights of its test rows"
sed 's/,w,/,v,/' wb.csv > other.csv
expect 0 report wa.json wa.csv --test other.csv --out wa.html; err_has "has no numbers 'w': each row counts once"
# Shuffled rows may bring an event to a leaf without any.
awk 'BEGIN { print "x,y"; for (i = 0; i < 40; ++i) print i % 20 "," (i % 20 < 10 ? 0 : i % 4) }' > rates.csv
expect 0 fit rates.csv --loss poisson --max-depth 2 --min-leaf 3 --out rates.json
expect 0 explain rates.json 2 rates.csv; out_has "permutation importance"
! grep -q "nan\|inf" out || fail "an importance is no number"
# Many events, nearly as many as expected.
awk 'BEGIN { print "x,y"; split("0 9 3 7 1 8", more); for (i = 1; i <= 6; ++i) printf "%d,%d\n", i, 1000000000 + more[i] }' > many-events.csv
expect 0 fit many-events.csv --method cart --loss poisson --max-depth 1 --min-leaf 3 --out many-events.json
expect 0 score many-events.json many-events.csv; out_has "1.17778e-08"

# --- weights that are far apart: the proof shows less than the search, and both commands say so -------------------------
printf 'c0,c1,w,y\n,0,1e-05,1001000\n0,1,1e-05,1000000\n,3,0.1,1000003.7\n0,3,1e-05,1000003.7\n0,3,1e-05,1001000\n0,1,0.1,1000001\n3,1,1e5,1000001\n' > apart.csv
expect 0 fit apart.csv --loss squared --weights w --max-depth 2 --proof apart.proof --out apart.json; out_has "the proof shows a bound that is a little lower"
expect 1 check apart.json apart.csv --proof apart.proof; out_has "verified: no tree of"; out_has "this is less than the tree claims: its bound is"

# --- columns of files that are no CSV ------------------------------------------------------------------------------------
printf '1 1:2 2:3\n2 1:1 2:5\n1 1:0 2:2\n3 1:2 2:1\n' > rates.libsvm
expect 0 fit rates.libsvm --loss poisson --exposure x2 --out of-libsvm.json; out_has "2 events in 5"
expect 0 check of-libsvm.json rates.libsvm; out_has "--proof FILE verifies a proof of it"
expect 0 fit rates.libsvm --target-classes --ordered x1=2,0,1; out_has "status    optimal"
expect 3 fit rates.libsvm --loss poisson --exposure x3; err_has "use one of x1, x2"
printf '@relation r\n@attribute s {low,mid,high}\n@attribute t numeric\n@attribute y numeric\n@data\nlow,1,2\nmid,2,3\nhigh,1,5\nlow,2,8\nhigh,3,4\n' > rates.arff
expect 0 fit rates.arff --loss poisson --exposure t --ordered s=low,mid,high; out_has "s <= low?"; out_has "3 events in 2"
printf '@relation r\n@attribute x numeric\n@attribute seen {0,1}\n@attribute t numeric\n@data\n1,1,2\n2,0,3\n3,1,5\n4,1,8\n' > times.arff
expect 0 fit times.arff --loss survival --event seen --max-depth 1 --out times.json; out_has "status    optimal"
expect 0 check times.json times.arff

# --- one heavy row: what is optimal up to rounding of all may be far above the least of the others ------------------------
printf '%s\n' x0,x1,t,w,y ,2,1,0.43959207053058796,100000 3,1,1,0.0003067406428431015,100000 0,3,1,708.1150575756673,0 0,2,1,0.00011154633666797524,0 \
  2,3,1,7005.541124246589,1e-05 1,2,1,0.1457226620210279,100000 0,0,1,100.66129586156724,0 > heavy.csv
expect 0 fit heavy.csv --loss poisson --exposure t --weights w --max-depth 1 --min-leaf 3 --proof heavy.proof --out heavy.json
expect 0 check heavy.json heavy.csv --proof heavy.proof; out_has "optimal up to rounding: half its deviance is at most"
