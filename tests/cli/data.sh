# Rows as people have them: explained, noted, cleaned, written otherwise, in groups. A part of cli_test.sh.
# shellcheck shell=bash disable=SC2154  # that sets the variables

# --- explain ---------------------------------------------------------------------------------------------------------
expect 0 explain tree.json petal_length=4.7,petal_width=1.4,sepal_length=6; silent
out_has " training rows in its leaf ("; out_has "probability 0."; out_has "(drawn towards the nodes above)"; out_has "nearest change of label"; out_has "Shapley values"
expect 0 explain tree.json 0 "$iris"; out_has "setosa: 50 of 50 training rows in its leaf (100 %)"; out_has "permutation importance"
# The number is that of the file, whatever rows the training left out.
{ echo a,y; for i in $(seq 0 39); do echo "$i,$((i / 20))"; done; } > numbered.csv
expect 0 fit numbered.csv --numeric a --max-depth 1 --test-share 0.25 --out numbered.json
expect 0 explain numbered.json 29 numbered.csv; out_has "here 29"
expect 0 explain numbered.json 39 numbered.csv; out_has "here 39"
expect 3 explain numbered.json 40 numbered.csv; err_has "40 rows"
printf 'a,y\n0,x\n1,\n2,\n3,z\n4,x\n5,z\n' > gaps.csv
expect 0 fit gaps.csv --max-depth 1 --drop-unlabeled --out gaps.json
expect 0 explain gaps.json 1 gaps.csv; out_has "here 1"
# Names that hold commas stand in double quotes, in what the program advises too.
{ echo '"weight, kg";y'; for i in $(seq 1 30); do echo "$((i * 37 % 101));$((i % 2))"; done; } > commas.csv
expect 0 fit commas.csv --max-depth 1 --categorical '"weight, kg"' --out commas.json; out_has "weight, kg in {"
expect 0 fit commas.csv --max-depth 1 --out commas.json; out_has "weight, kg < "
expect 0 explain commas.json '"weight, kg=70"'; out_has "here 70"
expect 3 fit commas.csv --max-depth 1 --drop '"weight, kg"'; err_has "there is no feature column"
# The target is found by its name.
printf 'age,smoker,finding\n30,yes,no\n35,no,no\n70,yes,yes\n75,no,yes\n' > finding.csv
printf 'finding,age,smoker\nno,30,yes\nno,35,no\nyes,70,yes\nyes,75,no\n' > moved.csv
printf 'age,smoker\n30,yes\n70,no\n' > unlabeled.csv
expect 0 fit finding.csv --max-depth 1 --out finding.json
expect 0 score finding.json moved.csv; out_has "1.0000 (4 of 4 right"
expect 0 check finding.json moved.csv; out_has "as the tree file says: the target is 'finding'"
expect 0 check finding.json moved.csv --target finding; if grep -q "as the tree file says" out; then fail "the user named the target"; fi
expect 3 score finding.json unlabeled.csv; err_has "the target 'finding' is missing"
expect 0 fit finding.csv --max-depth 1 --test moved.csv; out_has "1.0000 (4 of 4 right"
expect 3 fit finding.csv --max-depth 1 --test unlabeled.csv; err_has "the target 'finding' is missing"
expect 0 score finding.json moved.csv --target smoker; out_has "0.5000 (2 of 4 right"
expect 3 explain tree.json 0; err_has "name the data file"
expect 3 explain tree.json 150 "$iris"; err_has "150 rows"
expect 3 explain tree.json wings=2; err_has "the columns are sepal_length"
expect 3 explain tree.json petal_length=long; err_has "is not a number"

# Ordered levels are split between two neighbors, and found by name in every file.
{ echo dose,sick; for d in 1 3 10 25 80; do for i in 1 2 3 4 5 6; do echo "$d,$([ "$d" -gt 10 ] && echo yes || echo no)"; done; done; } > dose.csv
expect 0 fit dose.csv --ordered dose=1,3,10,25,80 --max-depth 1 --out dose.json; silent; out_has "dose <= 10?"; out_has "errors    0 of 30"
expect 0 predict dose.json dose.csv; tail -n +2 dose.csv | cut -d, -f2 | cmp -s - <(tail -n +2 out) || fail "ordered levels are not found by name"
expect 0 check dose.json dose.csv; out_has "as the tree file says: read as ordered levels: 'dose'"
expect 0 check dose.json dose.csv --ordered dose=1,3,10,25,80; if grep -q "as the tree file says" out; then fail "the user named the order"; fi
expect 0 score dose.json dose.csv; out_has "1.0000 (30 of 30 right"
expect 0 explain dose.json dose=25; out_has "dose > 10  (here 25"; out_has "dose: 25 -> 10"
expect 3 explain dose.json dose=26; err_has "there is no such level"
expect 0 describe dose.csv --ordered dose=1,3,10,25,80; out_has "1 of ordered levels"; out_has "1 (6), 3 (6), 10 (6), 25 (6), 80 (6)"
expect 3 fit dose.csv --ordered dose=1,3,10,25; err_has "'80' is none of the ordered levels"
expect 2 fit dose.csv --ordered dose; err_has "--ordered: 'dose' names no levels (write dose=low,mid,high)"
printf 'a,b,y\nlow,few,1\nmid,some,0\nhigh,few,1\nmid,many,0\nlow,many,0\nhigh,few,1\n' > grades.csv
expect 0 describe grades.csv --ordered a=low,mid,high --ordered b=few,some,many; out_has "2 of ordered levels"
expect 0 fit dose.csv --ordered dose=1,3,10,25,80 --max-depth 1 --proof dose.proof --out dosed.json; expect 0 check dosed.json dose.csv --proof dose.proof; out_has "; so this tree is optimal"
expect 0 table dose.csv --tree dosed.json; err_has '  number "dose"  from 0 to 4: places of the ordered levels "1", "3", "10", "25", "80"'
printf 'dose,sick\n10,no\n80,yes\n' > mid.csv
expect 0 fit dose.csv --ordered dose=1,3,10,25,80 --max-depth 1 --test mid.csv; out_has "1.0000 (2 of 2 right"
sed 's/,80,/,/; s/^80/81/' dose.csv > strange.csv
expect 0 predict dose.json strange.csv; err_has "6 of 30 rows hold a level that training did not see: '81' (6)"

# --- LIBSVM: what stands behind the last index of a file is 0 ----------------------------------------------------------
for i in 1 2 3 4 5 6; do echo "$((i % 2)) 1:$i 3:$((i % 2 * 7))"; done > sparse.svm
printf '0 1:2\n0 1:4\n' > short.svm
expect 0 fit sparse.svm --max-depth 1 --out sparse.json
expect 0 predict sparse.json short.svm; same "$(tail -n +2 out | tr '\n' ' ')" "0 0 " "labels of rows without the last column"
expect 0 score sparse.json short.svm; out_has "accuracy"
expect 0 fit sparse.svm --max-depth 1 --test short.svm; out_has "2 of 2"
expect 0 report dose.json dose.csv --out dose.html; grep -q "dose &lt;= 10" dose.html || fail "the report does not name ordered levels"
grep -q -- "--ordered dose=1,3,10,25,80" dose.html || fail "the report does not say how to order the levels"
expect 0 export dose.json dose.csv --to sql; out_has "\"dose\" IN ("
expect 0 export dose.json dose.csv --to sql --backquotes; out_has "\`dose\` IN ("
expect 0 export dose.json dose.csv --to c --name risk; out_has "int risk_predict("; out_has "dose <= 10"
expect 2 export dose.json --to c --name 1st; err_has "is no name in a program"
expect 2 export dose.json --to sql --name risk; err_has "gives nothing a name"
expect 2 export dose.json --to c --backquotes; err_has "is no SQL"

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
# Levels that are one number in several texts stay apart wherever the tree is applied.
awk 'BEGIN { print "code,y"; for (i = 0; i < 60; ++i) print (i % 3 ? i % 3 > 1 ? "1.0" : "01" : "1") "," (i % 3 ? "u" : "v") }' > codes.csv
expect 0 fit codes.csv --categorical code --out codes.json; out_has "errors    0 of 60"
expect 0 check codes.json codes.csv; out_has "holds"
expect 0 score codes.json codes.csv; out_has "60 of 60 right"
expect 0 fit dirty.csv --max-depth 2 --quiet; silent
expect 0 fit dirty.csv --max-depth 1 --drop name,age,site,grade --numeric id; silent; out_has "id < "
awk 'BEGIN { print "n,y"; for (i = 1; i <= 50; ++i) print i "," i % 2 }' > count.csv
expect 3 fit count.csv; err_has "no column is left to train on"; err_has "--numeric n"
expect 0 describe dirty.csv; out_has "note: column 'name' has 200 categories"
expect 0 describe dirty.csv --json; python3 - out << 'END' || fail "describe --json"
import json, sys
table = json.load(open(sys.argv[1]))
name = next(column for column in table["columns"] if column["name"] == "name")
assert name["left_out"] and name["kind"] == "categorical" and name["distinct"] == 200, name
assert any(note.startswith("column 'name' has 200 categories") for note in table["notes"]), table["notes"]
assert sum(one["rows"] for one in table["classes"]) == table["rows"] == 200 and table["file_columns"][-1] == table["target"]
END
cut -d, -f2,6 dirty.csv > names-only.csv
expect 3 fit names-only.csv; err_has "no column is left to train on"; err_has "--categorical name"
# A quantity as the target: a number, refused where classes are wanted, grouped, or each number a class.
awk 'BEGIN { print "size,price"; for (i = 0; i < 100; ++i) print i * 37 % 29 "," 1000 + i * 37 % 29 * 13 + i }' > prices.csv
expect 0 fit prices.csv --max-depth 1; err_has "the target 'price' is taken as a number"
expect 3 near-trees prices.csv; err_has "target 'price': there are 100 different numbers in 100 rows: a quantity"
err_has "'price' is the target because it is the last column, --target names another"
expect 3 near-trees prices.csv --target price; err_has "--target-classes"; grep -q "last column" err && fail "the user has named the target"
expect 0 fit prices.csv --max-depth 1 --target-classes; err_has "the target 'price' has 100 different numbers"
expect 0 fit prices.csv --max-depth 2 --bins 2 --out bins.json; out_has "below 1"; out_has "from 1"; silent
expect 0 check bins.json prices.csv; out_has "holds"
expect 0 score bins.json prices.csv; out_has "from 1"
expect 0 report bins.json prices.csv; without_tags; out_has "treewright fit prices.csv --bins 2 --max-depth 2"
expect 0 describe prices.csv; out_has "price (a number)"
expect 0 describe prices.csv --target-classes; out_has "the target 'price' has 100 different numbers"
expect 3 fit "$iris" --bins 2; err_has "row 0: 'setosa' is no number (leave --bins out"

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
expect 0 report slash.json slash.csv; without_tags; out_has "treewright fit slash.csv --dates month-first --max-depth 1"
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
err_has "note: 2 rows without a label are left out"; out_has "cp in {"
# The tree file remembers how its rows were read.
expect 0 score heart.json "$dirty/heart-unknown.csv"; silent; out_has "balanced accuracy"; mv out first.txt
expect 0 score heart.json "$dirty/heart-unknown.csv" --drop-unlabeled --missing unknown,-; cmp -s out first.txt || fail "scores differ"
expect 0 predict heart.json "$dirty/heart-unknown.csv"; silent
expect 0 check heart.json "$dirty/heart-unknown.csv"
out_has "as the tree file says: columns left out: 'patient', 'hospital'; read as missing: 'unknown', '-'; rows left out without a label: 2"
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
grep -q 'figures were recounted on the 230 rows' again.html || fail "the report of the whole file does not recount"
expect 0 export part.json "$dirty/haberman-dates.csv" --to sql
expect 0 fit "$dirty/wholesale-spreadsheet.tsv" --max-depth 2 --out whole.json; err_has "read with commas between thousands; --decimal , or --decimal . says which is meant"
err_has "column 'channel_code' has one value for each class of the target 'channel'; it is left out as a copy of the target"; out_has "detergents_paper < "
expect 0 check whole.json "$dirty/wholesale-spreadsheet.tsv"
expect 0 fit "$dirty/wholesale-spreadsheet.tsv" --decimal . --max-depth 2 --drop channel_code,currency; silent; out_has "detergents_paper < "
expect 3 near-trees "$dirty/wine-quantity.csv"; err_has "target 'proline': there are 121 different numbers in 178 rows"; err_has "--target"
expect 3 fit "$dirty/wine-quantity.csv" --target cultivar --missing None,NULL; err_has "--drop-unlabeled"
expect 0 fit "$dirty/wine-quantity.csv" --target cultivar --missing None,NULL --drop-unlabeled --max-depth 2; err_has "note: 3 rows without a label are left out"; out_has "of 175 "

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
printf 'x,g,y\n1,a,p\n2,a,q\n1,b,p\n2,b,q\n' > alike.csv
expect 0 fit alike.csv --drop g --max-depth 1 --out alike.json
expect 0 score alike.json alike.csv --by g; out_has "no difference: each label is predicted for the same share of every group"
expect 0 fit people.csv --drop sex --max-depth 1 --out ages.json
expect 0 score ages.json people.csv --by sex --json; out_has '"column": "sex"'; out_has '"predicted"'
expect 3 score people.json people.csv --by sexe; err_has "there is no column 'sexe' (did you mean 'sex'?)"
expect 0 score people.json people.csv --by age; out_has "groups of 'age'"

# The groups are of the same labels as the scores: those of the threshold.
printf 'x,g,y\n1,u,N\n1,u,N\n1,v,N\n1,v,Y\n2,u,Y\n2,u,N\n2,v,Y\n2,v,Y\n' > low.csv
expect 0 fit low.csv --never g --max-depth 1 --out low.json
expect 0 score low.json low.csv --threshold 0.2 --by g
grep -q '^u  *4  *0.2500 ' out && grep -q '^v  *4  *0.7500 ' out || fail "groups do not follow the threshold"
expect 0 score low.json low.csv --threshold 0.2 --by g --json
same "$(value accuracy | tr '\n' ' ')" "0.5 0.25 0.75 " "accuracies of all and of the groups in JSON"
printf 'x,call,nothing\n1,1,0\n2,3,0\n3,2,9\n4,1,7\n' > calls.csv
expect 0 fit calls.csv --cost-columns call,nothing --max-depth 1 --out calls.json
expect 0 score calls.json calls.csv --threshold 0 --positive nothing; out_has "cost             16, 4 for each row"

# Who names a column to be treated fairly sees its groups, also at fairness 0. (Without a MIP solver there is no tree.)
"$treewright" fit people.csv --method fair --max-depth 1 --protected sex > out 2> err < /dev/null || grep -q HiGHS err || fail "fair at fairness 0"
grep -q HiGHS err || out_has "groups of 'sex'"
expect 2 fit people.csv --method fair --max-depth 1 --protected sexe; grep -q HiGHS err || err_has "there is no column 'sexe' (did you mean 'sex'?)"
# Off a terminal, a run that takes long says once that it is at work. The time passes in an external solver.
"$treewright" fit people.csv --method oct --solver mip --max-depth 1 --mip-solver 'sleep 11; : {lp} {solution}' > out 2> err < /dev/null
same "$(grep -c 'still at work after 10 s' err)" 1 "lines about a run of eleven seconds"

# --- cells as people write them --------------------------------------------------------------------------------------
# One decimal mark for a file, and at prediction that of the tree.
printf 'amt;y\n1.234,50;hi\n900,25;lo\n2.500,00;hi\n80,10;lo\n3.100,75;hi\n12,00;lo\n' > comma.csv
printf 'amt\n1.500\n2.750\n90\n' > new-comma.csv
expect 0 fit comma.csv --max-depth 1 --out comma.json; out_has "errors    0 of 6"; silent
expect 0 predict comma.json new-comma.csv; silent; same "$(paste -sd' ' out)" "y hi hi lo" "labels of 1.500, 2.750 and 90"
printf 'amt,y\n1234.5,hi\n900.25,lo\n2500,hi\n80.1,lo\n' > point.csv
expect 0 fit point.csv --max-depth 1 --out point.json
printf 'amt\n1.500\n2.750\n900\n' > new-point.csv
expect 0 predict point.json new-point.csv; same "$(paste -sd' ' out)" "y lo lo lo" "labels of 1.5, 2.75 and 900"
err_has "note: column 'amt' holds numbers such as 1.500, read with decimal points; --decimal , or --decimal . says which is meant"
expect 0 predict point.json new-point.csv --decimal ,; silent; same "$(paste -sd' ' out)" "y hi hi lo" "labels of 1500, 2750 and 900"
printf 'amt;y\n1.234;hi\n950;lo\n2.500;hi\n80;lo\n3.100;hi\n12;lo\n' > likely.csv
expect 0 fit likely.csv --max-depth 1 --out likely.json; out_has "errors    0 of 6"
err_has "1 column holds numbers such as 1.234 ('amt'), read with points between thousands"
expect 0 predict likely.json new-comma.csv; silent; same "$(paste -sd' ' out)" "y hi hi lo" "labels where the tree remembers the mark"
expect 0 check likely.json likely.csv
# Units: a sign that the tree does not know is told.
printf 'usd;y\n$68,775.66;hi\n$77,027.22;hi\n$34,315.65;lo\n$38,685.58;lo\n' > usd.csv
expect 0 fit usd.csv --max-depth 1 --out usd.json --proof usd.proof; out_has "errors    0 of 4"; err_has "holds numbers such as '\$68,775.66', read as 68775.66"
expect 0 check usd.json usd.csv --proof usd.proof; out_has "verified"
expect 0 table usd.csv --out usd.table; out_has "written for people, with a decimal point and '$' beside each number"
expect 0 predict usd.json usd.csv; silent
printf 'usd;y\n€68,775.66;hi\n' > eur.csv; printf 'usd;y\n68775.66;hi\n' > bare.csv
expect 0 predict usd.json eur.csv; err_has "column 'usd': the numbers are written with '€', and in training with '\$'; give numbers of the same unit"
expect 0 predict usd.json bare.csv; err_has "the numbers are written without a unit, and in training with '\$'"
awk 'BEGIN { print "price,y"; for (i = 0; i < 60; ++i) print (i % 3 ? "$" : "EUR ") 100 + i * 7 % 61 "," i % 2 }' > units.csv
expect 3 fit units.csv --max-depth 1; err_has "that look like amounts or dates, but are not written in one way ('\$"; err_has "it is left out; write amounts as 1234.5"
awk 'BEGIN { print "w,x,y"; for (i = 0; i < 60; ++i) print i + 3 " lb " i % 16 " oz," i * i % 17 "," i % 2 }' > pounds.csv
expect 0 fit pounds.csv --max-depth 1; err_has "that look like amounts or dates, such as '10 lb 7 oz'; it is left out"
# Zones: what would be shifted is refused.
printf 'when,y\n2024-03-30T20:00:00+01:00,a\n2024-03-30T22:00:00+01:00,b\n2024-03-30T21:00:00+01:00,a\n2024-03-30T23:00:00+01:00,b\n' > zone.csv
expect 0 fit zone.csv --max-depth 1 --out zone.json; err_has "holds times with a zone, such as '2024-03-30T20:00:00+01:00', read in UTC"; out_has "when < 2024-03-30 20:30:00 UTC?"
printf 'when\n2024-03-30 20:10:00 UTC\n2024-03-30 15:00-0500\n2024-03-30T21:00Z\n' > new-zone.csv
expect 0 predict zone.json new-zone.csv; silent; same "$(paste -sd' ' out)" "y a a b" "labels of other zones"
printf 'when\n2024-03-30 20:10:00\n' > no-zone.csv
expect 3 predict zone.json no-zone.csv; err_has "holds times without a zone, but the tree was trained on times with one"
sed 's/+01:00//' zone.csv > local.csv
expect 0 fit local.csv --max-depth 1 --out local.json
expect 3 predict local.json new-zone.csv; err_has "holds times with a zone, but the tree was trained on times without one"
# Only what the tree asks must be there, or be in order.
printf 'a,b,y\n1,2,x\n2,1,z\n3,1,z\n1,1,x\n' > s.csv
printf 'a,b,exported,y\n1,odd,03/04/2024,x\n3,1,03/05/2024,z\n' > s-new.csv
expect 0 fit s.csv --max-depth 1 --out s.json
expect 0 predict s.json s-new.csv; silent; same "$(paste -sd' ' out)" "y x z" "labels beside a column of doubtful dates"
expect 0 score s.json s-new.csv; out_has "2 of 2 right"
expect 0 score s.json s-new.csv --by exported; out_has "03/04/2024"
expect 3 fit s.csv --max-depth 1 --test s-new.csv; err_has "line 2, column 'b': 'odd' is not a number"
awk 'BEGIN { print "a;y"; for (i = 0; i < 20; ++i) print i ",5;" (i < 10 ? "u" : "v") }' > cells.csv
expect 0 fit cells.csv --max-depth 1 --out cells.json
printf 'a;c\n4,6;q\n8,7;p\nunknown;r\n9,5;r\n' > bad-cell.csv
expect 3 predict cells.json bad-cell.csv; err_has "bad-cell.csv, line 4, column 'a': 'unknown' is not a number"
expect 0 predict cells.json bad-cell.csv --missing unknown
# Lines that are no rows.
{ printf 'Quarterly report,,,,\n,,,,\n'; cat "$iris"; } > title.csv
expect 0 fit title.csv --max-depth 2 --out title.json; err_has "a title stands above the names, in the first 2 lines (--skip 0 reads it as rows)"; out_has "errors    6 of 150"
expect 0 predict title.json title.csv; same "$(wc -l < out)" 151 "labels below a title"; err_has "note: a title stands above the names"
expect 0 fit title.csv --skip 2 --max-depth 2; silent; out_has "errors    6 of 150"
{ head -1 "$iris"; echo "cm,cm,cm,cm,"; tail -n +2 "$iris"; } > centimeters.csv
expect 0 fit centimeters.csv --max-depth 2; err_has "line 2, below the names, holds units"; out_has "errors    6 of 150"
{ cat "$iris"; printf '\032'; } > dos.csv
expect 0 fit dos.csv --max-depth 2; silent; out_has "errors    6 of 150"
expect 0 describe title.csv; out_has "a title stands above the names"
# NA may be North America.
awk 'BEGIN { split("EU NA AS SA", r, " "); print "region,y"; for (i = 0; i < 40; ++i) print r[1 + i % 4] "," (i % 4 == 1 ? "u" : "v") }' > regions.csv
expect 0 fit regions.csv --max-depth 1 --out regions.json; err_has "note: column 'region': 10 cells NA are read as missing"
expect 0 fit regions.csv --max-depth 1 --not-missing NA --out regions.json; silent; out_has "region in {NA}"
expect 0 predict regions.json regions.csv; silent; same "$(sed -n 3p out)" u "label of NA"
expect 0 check regions.json regions.csv; out_has "not read as missing: 'NA'"
expect 0 report regions.json regions.csv; out_has "--not-missing NA"
# Ids that doubles do not tell apart.
awk 'BEGIN { print "tweet_id,followers,viral"; for (i = 0; i < 300; ++i) printf "1700000000000%06d,%d,%s\n", i, i * 77 % 101, (i * 77 % 101 > 50 ? "yes" : "no") }' > tweets.csv
expect 0 fit tweets.csv --max-depth 1 --out tweets.json; err_has "holds whole numbers above 2^53"; out_has "followers < "
expect 0 predict tweets.json tweets.csv; silent

# A tree knows the names of its columns.
printf '1,2,y\n1,5,a\n2,6,b\n' > named.csv
expect 0 fit named.csv --header yes --max-depth 1 --out named.json
expect 0 predict named.json named.csv; out_has "a"
expect 0 check named.json named.csv; out_has "holds"
