# Training: results, costs, clusters, wrong usage and wrong data. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

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
# The price is rounded up where the bound is rounded down: 22 errors and three splits are not fewer than what is said.
expect 0 fit "$cancer" --max-depth 2 --alpha 0.0121; out_has "makes fewer than 29.6956 errors on these 569 rows, each split counted as 2.5652 more"
expect 0 fit "$cancer" --max-depth 2 --alpha 0.0121234567; out_has "makes fewer than 29.7105 errors on these 569 rows, each split counted as 2.57018 more"
expect 3 fit no-such-file; err_has "no-such-file: No such file or directory"
printf 'true,malignant,benign\nbenign,1,0\nmalignant,0,10\n' > costs.csv
expect 0 fit "$cancer" --max-depth 1 --costs costs.csv --out cautious.json; silent
out_has "status    optimal (verified)"; out_has "cost      "; out_has "errors    "
cost=$(sed -n 's/^cost *\([0-9]*\) on the training rows/\1/p' out)
expect 0 check cautious.json "$cancer"; out_has "cost $cost, status"
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
expect 0 column-worth "$cancer" --costs costs.csv --max-depth 1; out_has "costs at least"; out_has "cost      "
expect 0 near-trees "$cancer" --costs costs.csv --max-depth 1 --within 2; out_has "all that there are"; out_has "cost      $cost of the best tree"
expect 0 report cautious.json "$cancer" --near-trees 3 --out page.html; grep -q 'Other trees' page.html || fail "no other trees in the report"
expect 0 fit "$cancer" --max-depth 2 --costs costs.csv --proof cost.proof --out proved.json; out_has "proof in cost.proof"
expect 0 check proved.json "$cancer" --proof cost.proof
out_has '; costs of the labels "benign", "malignant" by class: "benign" 0 1, "malignant" 10 0; so this tree is optimal'
expect 0 fit "$cancer" --max-depth 2 --out errors.json
expect 3 check errors.json "$cancer" --proof cost.proof; err_has "speaks of another table"
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
expect 0 check policy.json offers.csv --proof policy.proof; out_has 'for the labels "call", "letter", "nothing" on these 8 rows has costs below '; out_has "; so this tree is optimal"
expect 0 fit offers.csv --cost-columns call,letter,nothing --max-depth 2 --out policy.json; silent; out_has "cheapest  "; out_has "call  (4 rows, cost -12)"
expect 0 check policy.json offers.csv --again; out_has "the optimum is a cost of"
out_has "which get their cheapest label, status"; grep -q "error" out && fail "check of a policy speaks of errors"
expect 0 score policy.json offers.csv; out_has "get their cheapest label"; out_has "nothing  "
expect 0 score policy.json offers.csv --json; out_has '"cost": '
# A category of many levels that no split needs.
{ echo x,c0,c1; for i in $(seq 1 39); do echo "l$((i % 13)),$i,$i"; done; } > alike.csv
expect 0 fit alike.csv --cost-columns c0,c1 --max-depth 1 --proof alike.proof --out alike.json; out_has "(verified)"
expect 0 check alike.json alike.csv --proof alike.proof; out_has "; so this tree is optimal"
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
expect 0 column-worth offers.csv --cost-columns call,letter,nothing --max-depth 1; out_has "of the best tree of depth 1"
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
expect 0 partition "$iris" --partition gp --cluster-share 0.1 --json; same "$(value clusters)" 15 "clusters of --json"
expect 0 partition "$iris" --out -; out_has "149,"
expect 2 partition "$iris" --cluster-share 2; err_has "cluster"
expect 2 partition "$iris" --partition best; err_has "gp|igp|crm"
expect 3 partition "$iris" --svg picture.svg; err_has "two numeric columns"
[ -e picture.svg ] && fail "a picture was written all the same"
expect 3 partition no-such-file.csv
expect 3 partition "$iris" --out no/such/folder.csv; err_has "no/such/folder.csv"
expect 0 fit "$iris" --method partition --partition crm --partition-algorithm eiia --max-depth 3 --gamma 5 --json
same "$(value status)" '"optimal"' "status of partition"
expect 0 fit "$iris" --method partition --partition-algorithm hiia --max-depth 3 --gamma 5; out_has "clusters of 150 rows by igp"

# --- wrong usage: 2; wrong data: 3 -----------------------------------------------------------------------------------
expect 2 fit
for flag in --out --html --test --costs --top --first --never; do expect 2 fit "$iris" "$flag" ""; err_has "$flag: is empty"; done
expect 2 fit "$iris" --no-such-option 1
expect 2 fit "$iris" --max-depth two; err_has "--max-depth"
expect 2 fit "$iris" --max-depth -2; err_has "--max-depth"
expect 2 fit "$iris" --method guess; err_has "use one of oct, "
expect 2 fit "$iris" --restarts 5; err_has "does not read it"; err_has "oct-h, tao"
expect 2 fit "$iris" --method cart --level-costs 10; err_has "margot, mm-svm"
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
