#!/usr/bin/env bash
# Fails unless the shared library exports exactly the functions that the header declares, under a name that carries the header's
# TW_ABI_VERSION.
set -u
library=$1 header=$2
bad=0
version=$(sed -n 's/^#define TW_ABI_VERSION //p' "$header")
if ! readelf -d "$library" | grep -q "SONAME.*libtreewright_c\.so\.$version\]"; then
  echo "the library's SONAME does not end with .$version"
  bad=1
fi
declared=$(grep -oE '\btw_[a-z_]+\(' "$header" | tr -d '(' | sort -u)
exported=$(nm -D --defined-only "$library" | awk '{print $3}' | sort -u)
if ! diff <(echo "$declared") <(echo "$exported"); then
  echo "declared (<) and exported (>) functions differ"
  bad=1
fi
exit $bad
