#!/bin/sh
# Compiles dsp.wasm and, when the folders of the sources are given, lame.wasm and faad.wasm. See README.md.
# Usage: build.sh OUTPUT_FOLDER [LAME_FOLDER] [FAAD2_FOLDER]; an empty folder name skips a module.
set -eu
output=$(cd "$1" && pwd)
lame=${2:-}
faad=${3:-}
[ -z "$faad" ] || faad=$(cd "$faad" && pwd)
here=$(cd "$(dirname "$0")" && pwd)

compile() {
  clang-16 --target=wasm32-wasi -mexec-model=reactor -msimd128 -ffast-math -DNDEBUG -Wl,--strip-all "$@"
}

compile -O3 -Wall -Wextra -Werror -nostartfiles -Wl,--no-entry "$here/dsp/dsp.c" -o "$output/dsp.wasm"

if [ -n "$lame" ]; then
  patched=$(mktemp -d)
  trap 'rm -rf "$patched"' EXIT
  cp -R "$lame/include" "$lame/libmp3lame" "$patched"
  patch -s -d "$patched" -p1 < "$here/lame/speed.patch"
  # mpglib_interface.c is LAME's decoder, which nothing here uses. Warnings in LAME's own sources are not ours to fix.
  sources=$(cd "$patched" && find libmp3lame -maxdepth 1 -name '*.c' ! -name mpglib_interface.c | LC_ALL=C sort)
  cd "$patched"
  # shellcheck disable=SC2086 # A list of file names without spaces.
  # With -O3 each new process spends more on compiling the module than the code gains.
  compile -O2 -w -DHAVE_CONFIG_H -I"$here/lame" -Iinclude -Ilibmp3lame $sources "$here/lame/glue.c" -o "$output/lame.wasm"
fi

if [ -n "$faad" ]; then
  cd "$faad"
  sources=$(find libfaad -maxdepth 1 -name '*.c' | LC_ALL=C sort)
  # Damaged files lead to infinite and invalid numbers, which -ffast-math does not allow.
  # shellcheck disable=SC2086 # A list of file names without spaces.
  compile -O2 -fno-fast-math -w -DSTDC_HEADERS -DHAVE_STDINT_H -DHAVE_STRING_H -DHAVE_MEMCPY -DHAVE_LRINTF \
    -DPACKAGE_VERSION='"2.11.2"' -Iinclude -Ilibfaad $sources "$here/faad/glue.c" -o "$output/faad.wasm"
fi
