#!/usr/bin/env bash
# Fails on an include that points to a layer right of its own in src/LAYERS, or to a folder that is not a layer; and on a type that
# two headers define, which the linker would silently take for one.
set -u
src=$1
read -r -a layers < "$src/LAYERS"
declare -A rank
for i in "${!layers[@]}"; do rank[${layers[$i]}]=$i; done
bad=0
while IFS=: read -r file line text; do
  own=${file#"$src/treewright/"}; own=${own%%/*}
  used=${text#*\"treewright/}; used=${used%%/*}
  if [ -z "${rank[$own]:-}" ] || [ -z "${rank[$used]:-}" ] || [ "${rank[$used]}" -gt "${rank[$own]}" ]; then
    echo "$file:$line: layer '$own' must not include '$used' (order: ${layers[*]})"; bad=1
  fi
done < <(grep -rnE '#include "treewright/[a-z]+/' "$src/treewright")
# Quoted includes must name their layer, so that nothing escapes the check above.
if grep -rnE '#include "' "$src/treewright" | grep -v '#include "treewright/[a-z]*/'; then bad=1; fi
twice=$(grep -rhoE '^(struct|class|enum class) [A-Za-z]+( final)?( : .*)? \{' --include='*.h' "$src/treewright" | sed -E 's/^(enum )?(struct|class) ([A-Za-z]+).*/\3/' | sort | uniq -d)
if [ -n "$twice" ]; then echo "defined by two headers: $twice"; bad=1; fi
exit $bad
