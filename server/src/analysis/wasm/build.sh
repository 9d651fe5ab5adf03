#!/bin/sh
# Compiles dsp.wasm and, when the folder of the LAME 3.100 sources is given, lame.wasm. See README.md.
# Usage: build.sh OUTPUT_FOLDER [LAME_FOLDER]
set -eu
output=$(cd "$1" && pwd)
lame=${2:-}
here=$(cd "$(dirname "$0")" && pwd)

compile() {
  clang-16 --target=wasm32-wasi -mexec-model=reactor -msimd128 -ffast-math -DNDEBUG -Wl,--strip-all "$@"
}

compile -O3 -Wall -Wextra -Werror -nostartfiles -Wl,--no-entry "$here/dsp/dsp.c" -o "$output/dsp.wasm"

if [ -n "$lame" ]; then
  # mpglib_interface.c is LAME's decoder, which nothing here uses. Warnings in LAME's own sources are not ours to fix.
  sources=$(cd "$lame" && find libmp3lame -maxdepth 1 -name '*.c' ! -name mpglib_interface.c | LC_ALL=C sort)
  cd "$lame"
  # shellcheck disable=SC2086 # A list of file names without spaces.
  # With -O3 each new process spends more on compiling the module than the code gains.
  compile -O2 -w -DHAVE_CONFIG_H -I"$here/lame" -Iinclude -Ilibmp3lame $sources "$here/lame/glue.c" -o "$output/lame.wasm"
fi
