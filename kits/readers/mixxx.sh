#!/usr/bin/env bash
# mixxx.sh HOME OUT: lets Mixxx 2.3 read a home folder, without a sound card, a screen or a user.
#   HOME/Music            scanned as the music library (tags with Serato's cues and grids)
#   HOME/collection.nml   Traktor's library, at the only place where Mixxx looks for it
#   HOME/Music/_Serato_   Serato's library with its crates
# OUT/mixxx.sqlite is a copy of Mixxx's database. It is made while Mixxx runs, because Mixxx drops Serato's tables when it ends.
# MIXXX_LIMIT is the time limit of each step in seconds (120). Mixxx and its X server are ended by process id.
set -euo pipefail
home=$(realpath "$1")
out=$(realpath "$2")
limit=${MIXXX_LIMIT:-120}
work=$(mktemp -d)
settings=$work/settings
output=$work/output
mkdir -p "$settings" "$work/run" "$work/cache"
pids=()
finish() {
  for pid in "${pids[@]}"; do
    kill -9 "$pid" 2>/dev/null && wait "$pid" 2>/dev/null || true
  done
  rm -rf "$work"
}
trap finish EXIT
fail() {
  echo "Mixxx: $*" >&2
  tail -n 5 "$output" >&2 || true
  exit 1
}

start_mixxx() {
  env -i PATH="$PATH" HOME="$home" USER=nobody TMPDIR="${TMPDIR:-/tmp}" DISPLAY="$DISPLAY" LANG=C.UTF-8 LC_ALL=C.UTF-8 TZ=UTC \
    XDG_RUNTIME_DIR="$work/run" XDG_CACHE_HOME="$work/cache" XDG_CONFIG_HOME="$work/cache" XDG_DATA_HOME="$work/cache" \
    QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 \
    mixxx --settingsPath "$settings/" --developer --logLevel debug >"$output" 2>&1 &
  mixxx=$!
  pids+=("$mixxx")
}
log_has() { grep -aqE -- "$1" "$output"; }
count_log() { grep -acE -- "$1" "$output" || true; }
# Waits until the log has PATTERN, at most SECONDS.
wait_for_log() {
  for _ in $(seq $(($2 * 5))); do
    log_has "$1" && return 0
    kill -0 "$mixxx" 2>/dev/null || return 1
    sleep 0.2
  done
  return 1
}
query() { sqlite3 -readonly -cmd '.timeout 5000' "$settings/mixxxdb.sqlite" "$1" 2>/dev/null || echo 0; }

# An X server with a free number.
exec 3<>"$work/display"
Xvfb -displayfd 3 -screen 0 1600x1200x24 -nolisten tcp -noreset >"$output" 2>&1 &
pids+=($!)
for _ in $(seq 100); do
  [ -s "$work/display" ] && break
  sleep 0.1
done
[ -s "$work/display" ] || fail 'Xvfb did not start.'
export DISPLAY=":$(head -1 "$work/display" | tr -dc 0-9)"

# Settings without any dialog but that for the sound card.
cat >"$settings/mixxx.cfg" <<END
[Config]
Version 2.3.3
Locale en_US
ResizableSkin LateNight
StartInFullscreen 0
Tooltips 0
[Library]
RescanOnStartup 1
SyncTrackMetadataExport 0
SeratoMetadataExport 0
ShowTraktorLibrary 1
ShowSeratoLibrary 1
ShowITunesLibrary 0
ShowRhythmboxLibrary 0
ShowBansheeLibrary 0
ShowRekordboxLibrary 0
[Playlist]
Directory $home/Music
[BPM]
BPMDetectionEnabled 0
[Key]
KeyDetectionEnabled 0
[ReplayGain]
ReplayGainAnalyserEnabled 0
[Waveform]
EnableWaveformGenerationWithAnalysis 0
[Master]
maximize_library 1
END
sound='<SoundManagerConfig api="None" samplerate="44100" latency="5" deck_count="2" sync_buffers="2" force_network_clock="0"/>'
printf '%s\n' '<!DOCTYPE SoundManagerConfig>' "$sound" >"$settings/soundconfig.xml"

# First start: Mixxx creates its database, then asks for a music folder, which is added with SQL instead.
start_mixxx
wait_for_log 'Checking for access to user' 60 || fail 'The first start created no database.'
kill -9 "$mixxx"
wait "$mixxx" 2>/dev/null || true
sqlite3 "$settings/mixxxdb.sqlite" "INSERT OR IGNORE INTO directories VALUES ('${home//\'/\'\'}/Music')"

# Second start: a scan. Return presses "Continue" in the dialog for the sound card.
start_mixxx
dialogs='^(No Output Devices|Sound Device|Sound Device Busy|Sound Device Error)'
for _ in $(seq $((limit * 5))); do
  log_has 'Running Mixxx' && break
  kill -0 "$mixxx" 2>/dev/null || fail 'It ended before its window opened.'
  window=$(xdotool search --onlyvisible --name "$dialogs" 2>/dev/null | head -1 || true)
  if [ -n "$window" ]; then
    xdotool windowfocus "$window" key --clearmodifiers Return 2>/dev/null || true
    sleep 1
  fi
  sleep 0.2
done
log_has 'Running Mixxx' || fail 'The dialog for the sound card stayed open.'
files=$(find "$home/Music" -type f \( -name '*.mp3' -o -name '*.flac' \) | wc -l)
for _ in $(seq "$limit"); do
  scanned=$(query 'SELECT count(*) FROM library')
  [ "$scanned" -ge "$files" ] && log_has 'LibraryScanner - Scan finished' && break
  sleep 1
done
[ "$scanned" -ge "$files" ] || fail "It scanned $scanned of $files files."

# The sidebar: Traktor and Serato are read when their entries are selected. The log shows what was selected and read.
key() {
  xdotool key --clearmodifiers "$1"
  sleep 0.3
}
# Clicks "Tracks", whose height depends on the version of Mixxx.
select_tracks() {
  xdotool mousemove 66 "$1" click 1
  sleep 0.5
  log_has 'MixxxLibraryFeature::activate'
}
TRAKTOR_READ='audio files in Traktor|Cannot process Traktor'
SERATO_READ='Parsing crate|Failed to open crate directory'
read_traktor() {
  log_has "$TRAKTOR_READ" && return 0
  select_tracks "$1" || return 1
  for _ in $(seq 16); do
    key Down
    log_has 'TraktorFeature::activate' && break
  done
  wait_for_log "$TRAKTOR_READ" "$limit" || return 1
  sleep 1 # The list is drawn again and has no selection.
}
# Serato is the last entry. Selecting it adds the databases as its children, and the list has no selection again: so End and
# Right, which expands the entry, are sent at once. Then End selects the database.
read_serato() {
  select_tracks "$1" || return 1
  for _ in $(seq 8); do
    key Home
    xdotool key --clearmodifiers --delay 0 End Right
    sleep 1
    key Home
    key End
    wait_for_log 'Parsing Serato database' 2 && break
  done
  wait_for_log "$SERATO_READ" "$limit"
}
for height in 480 470 500; do
  read_traktor "$height" && read_serato "$height" && break
done
log_has "$TRAKTOR_READ" || fail 'It did not read the Traktor library.'
log_has "$SERATO_READ" || fail 'It did not read the Serato library.'
for _ in $(seq 40); do # The tracks are saved after the last crate.
  [ "$(query 'SELECT count(*) FROM serato_library')" -gt 0 ] && break
  sleep 0.25
done
sleep 1
sqlite3 "$settings/mixxxdb.sqlite" '.timeout 5000' ".backup \"$out/mixxx.sqlite\""
