# compile_with.sh <command>... --instead-of <compiler> <argument>...: runs the command with the arguments. CMake knows
# one C++ compiler for a project. As the launcher of a target's compiler and linker this gives that target another.
set -euo pipefail
command=()
while [[ $1 != --instead-of ]]; do
  command+=("$1")
  shift
done
exec "${command[@]}" "${@:3}"
