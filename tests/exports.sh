#!/usr/bin/env bash
# Fails unless the shared library exports exactly the functions that the header declares.
set -u
library=$1 header=$2
declared=$(grep -oE '\btw_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
diff <(echo "$declared") <(echo "$exported") && exit 0
echo "declared (<) and exported (>) functions differ"
exit 1
