# Writes a C++ source that holds text files as string constants:
#   cmake -D OUT=file.cpp -D FILES="a.js;b.css" -P embed.cmake
# a.js becomes treewright::assets::a_js.
set(code "// Made by cmake/embed.cmake.\n\nnamespace treewright::assets {\n\n")
foreach(file IN LISTS FILES)
  get_filename_component(name "${file}" NAME)
  string(MAKE_C_IDENTIFIER "${name}" name)
  file(READ "${file}" text)
  string(APPEND code "extern const char* const ${name};\nconst char* const ${name} = R\"asset(${text})asset\";\n\n")
endforeach()
file(WRITE "${OUT}" "${code}}  // namespace treewright::assets\n")
