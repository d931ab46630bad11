#!/usr/bin/env bash
# Fails on an include that points to a layer right of its own in src/LAYERS, or to a folder that is not a layer; on a method that includes
# another method's header, unless LAYERS shares it; and on a type that two headers define, which the linker would silently take for one.
set -u
src=$1
{ read -r -a layers; read -r -a shared; } < "$src/LAYERS"
declare -A rank
for i in "${!layers[@]}"; do rank[${layers[$i]}]=$i; done
bad=0
say() { echo "$*"; bad=1; }
while IFS=: read -r file line text; do
  path=${file#"$src/treewright/"}; own=${path%%/*}
  used_path=$(sed -E 's/.*[<"]treewright\/([^">]*)[">].*/\1/' <<< "$text"); used=${used_path%%/*}
  if [ -z "${rank[$own]:-}" ] || [ -z "${rank[$used]:-}" ] || [ "${rank[$used]}" -gt "${rank[$own]}" ]; then
    say "$file:$line: layer '$own' must not include '$used' (order: ${layers[*]})"
  fi
  # methods/NAME/file.h: another method's.
  if [[ $own == methods && $used_path == methods/*/* && ${path%/*} != "${used_path%/*}" && " ${shared[*]} " != *" $used_path "* ]]; then
    say "$file:$line: a method must not include $used_path of another (src/LAYERS lists what is shared)"
  fi
done < <(grep -rnE '#include [<"]treewright/[a-z]+/' "$src/treewright")
# Quoted includes must name their layer, so that nothing escapes the check above.
if grep -rnE '#include "' "$src/treewright" | grep -v '#include "treewright/[a-z]*/'; then bad=1; fi

twice=$(grep -rhoE '^(struct|class|enum class) [A-Za-z]+( final)?( : .*)? \{' --include='*.h' "$src/treewright" | sed -E 's/^(enum )?(struct|class) ([A-Za-z]+).*/\3/' | sort | uniq -d)
if [ -n "$twice" ]; then say "defined by two headers: $twice"; fi
exit $bad
