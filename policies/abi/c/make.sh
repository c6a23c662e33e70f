#!/usr/bin/env bash
# Makes the plug-ins of this folder, or others in C: a shared library and a WebAssembly module of each source.
#
#   policies/abi/c/make.sh DIR [SOURCE.c]...
#
# A library is one command, wherever there is a C compiler:
#   cc -O2 -shared -fPIC -I policies/abi -I policies/abi/c -o sjf.so sjf.c
# A module is one command too, wherever there are clang and its linker for WebAssembly (apt-get install clang lld):
#   clang --target=wasm32 -O2 -nostdlib -mbulk-memory -fvisibility=hidden -I policies/abi -I policies/abi/c \
#       -Wl,--no-entry -Wl,--export-dynamic -o sjf.wasm sjf.c
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?"usage: make.sh DIR [SOURCE.c]..."}
shift
[ $# -gt 0 ] || set -- "$here"/*.c
mkdir -p "$out"

flags=(-std=c11 -O2 -Wall -Wextra -fvisibility=hidden "-I$here/.." "-I$here")
for source in "$@"; do
    name=$(basename "$source" .c)
    if command -v "${CC:-cc}" >/dev/null; then
        "${CC:-cc}" "${flags[@]}" -shared -fPIC -o "$out/$name.so" "$source"
    fi
    if command -v clang >/dev/null && command -v wasm-ld >/dev/null; then
        clang --target=wasm32 "${flags[@]}" -nostdlib -mbulk-memory \
            -Wl,--no-entry -Wl,--export-dynamic -o "$out/$name.wasm" "$source"
    fi
done
command -v "${CC:-cc}" >/dev/null || echo "make.sh: no libraries, for want of a C compiler: install gcc" >&2
command -v clang >/dev/null && command -v wasm-ld >/dev/null ||
    echo "make.sh: no modules, for want of a compiler: install clang and lld" >&2
