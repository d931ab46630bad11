#!/usr/bin/env bash
# The rules of the house that a compiler does not check, for SOURCE (the project's folder). Fails on
#   an include that points to a layer right of its own in src/LAYERS, or to a folder that is not a layer; a public header stands in the
#     layer that LAYERS gives it;
#   an include inside a layer with rooms that points to a room right of its own, or from a room back to the layer's top;
#   a method that includes another method's header, unless LAYERS shares it;
#   a public header that includes what is not installed;
#   units (a header with its source) or folders that include each other in a circle;
#   a header that is not in the namespace of its folder, or says `using namespace`;
#   a type that two headers define in one namespace, which the linker would silently take for one;
#   an algorithm of std::ranges that the build for browsers lacks (web/libcxx13.h);
#   a comment beyond column 140: clang-format keeps code to that, and leaves comments alone.
# layers_test.sh plants each of these and sees that it is found.
set -u
source=$1; src=$source/src/treewright; include=$source/include/treewright
{ read -r -a layers; read -r -a public; read -r -a shared; mapfile -t rooms; } < "$source/src/LAYERS"
declare -A rank layer_of room
for i in "${!layers[@]}"; do rank[${layers[$i]}]=$i; done
for name in "${public[@]:1}"; do layer_of[${name#*/}.h]=${name%%/*}; done
layer_of[options.def]=base
bad=0
say() { echo "$*"; bad=1; }
# The rooms of a layer are ranked from 2; its top, which stands in no room, is right of all of them.
for line in "${rooms[@]}"; do
  read -r -a names <<< "$line"
  for i in "${!names[@]}"; do if [ "$i" -ge 2 ]; then room[${names[1]}/${names[$i]}]=$i; fi; done
  room[${names[1]}]=${#names[@]}
  for folder in "$src/${names[1]}"/*/; do
    folder=${folder#"$src/"}
    if [ -z "${room[${folder%/}]:-}" ]; then say "$folder is no room of src/LAYERS"; fi
  done
done
# Sets `layer` of treewright/PATH: its folder, or for a public header what LAYERS says.
find_layer() { case $1 in */*) layer=${1%%/*} ;; *) layer=${layer_of[$1]:-} ;; esac; }

while IFS=: read -r file line text; do
  path=${file#"$src/"}; path=${path#"$include/"}
  [[ $text =~ [\<\"]treewright/([^\"\>]*)[\"\>] ]] && used_path=${BASH_REMATCH[1]}
  find_layer "$path"; own=$layer
  find_layer "$used_path"; used=$layer
  if [ -z "${rank[$own]:-}" ] || [ -z "${rank[$used]:-}" ] || [ "${rank[$used]}" -gt "${rank[$own]}" ]; then
    say "$file:$line: layer '$own' must not include '$used_path' of '$used' (order: ${layers[*]})"
  fi
  if [[ $own == "$used" && -n ${room[$own]:-} && $used_path == */* && ${room[${used_path%/*}]:-99} -gt ${room[${path%/*}]:-0} ]]; then
    say "$file:$line: '${path%/*}' must not include '$used_path', which is right of it (src/LAYERS)"
  fi
  # methods/NAME/file.h: another method's.
  if [[ $own == methods && $used_path == methods/*/* && ${path%/*} != "${used_path%/*}" && " ${shared[*]} " != *" $used_path "* ]]; then
    say "$file:$line: a method must not include $used_path of another (src/LAYERS lists what is shared)"
  fi
  if [[ $file == "$include"/* && $used_path == */* ]]; then
    say "$file:$line: a public header must not include $used_path, which is not installed"
  fi
done < <(grep -rnE '#include [<"]treewright/[a-z0-9/_]+' "$src" "$include")
# FILE INCLUDED, as pairs of units; tsort names the members of a circle.
units() {
  for folder in src include; do (cd "$source/$folder" && grep -roE '#include [<"]treewright/[a-z0-9_/]+' treewright); done |
    sed -E 's/\.(h|cpp|def):#include [<"]/ /' | awk '$1 != $2'
}
circle=$(units | tsort 2>&1 > /dev/null)
if [ -n "$circle" ]; then say "units include each other in a circle: $circle"; fi
circle=$(units | sed -E 's/\/[a-z0-9_]+( |$)/\1/g' | awk '$1 != $2' | tsort 2>&1 > /dev/null)
if [ -n "$circle" ]; then say "folders include each other in a circle: $circle"; fi
# Quoted includes must begin with treewright/, so that nothing escapes the check above.
if grep -rnE '#include "' "$src" "$include" | grep -v '#include "treewright/'; then bad=1; fi

# Left of the methods, and the methods' own root, all is in `treewright`; so are public functions, whose headers are in include/.
while read -r file; do
  folder=${file#"$src/"}; folder=${folder%/*}
  case $folder in
    base | data | data/* | tree | task | fit | methods) continue ;;
    methods/auto) name=automatic ;;
    methods/*) name=${folder#methods/} ;;
    export) name=exports ;;  # `export` is a keyword
    *) name=${folder%%/*} ;;  # rooms share the namespace of their layer
  esac
  grep -q "^namespace treewright::$name {" "$file" || say "$file: is not in namespace treewright::$name"
done < <(find "$src" -name '*.h')
if grep -rnE '^ *using namespace' --include='*.h' "$src" "$include"; then say "a header says 'using namespace'"; fi

definitions='/^namespace [a-z]/ { space = $2 }
  /^(struct|class|enum class) [A-Za-z]+( final)?( : .*)? \{/ { sub(/^enum /, ""); print space "::" $2 }'
twice=$(find "$src" "$include" -name '*.h' -exec awk "$definitions" {} + | sort | uniq -d)
if [ -n "$twice" ]; then say "defined by two headers: $twice"; fi

cd "$source" || exit 1
if [ -e web/libcxx13.h ]; then
  known=$(sed -nE 's/^(auto|bool|void) ([a-z_]+)\(Range&&.*/\2/p' web/libcxx13.h; echo copy)
  lacking=$(grep -rhoE 'std::ranges::[a-z_]+' src | sed 's/.*:://' | sort -u | grep -vxF "$known")
  if [ -n "$lacking" ]; then say "web/libcxx13.h lacks std::ranges::$lacking"; fi
fi
if LC_ALL=C.UTF-8 grep -rnE --include='*.h' --include='*.cpp' --include='*.c' --include='*.def' '^.{141}' src include cli tests bench |
  grep -E '^[^:]*:[0-9]*: *(//|/?\* )|[;:{},)] +(//|/\*)'; then
  say "comments beyond column 140"
fi
exit $bad
