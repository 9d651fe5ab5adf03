import { downloadVersion } from '../downloads/download.ts'
import { toggleCrate, toggleFavourite } from '../library/library.ts'
import { soundPosition } from './audio.ts'
import type { Entry } from './queue.ts'
import { currentEntry, playerActions, usePlayer } from './store.ts'

const SEEK_SECONDS = 5
const VOLUME_STEP = 0.1
const CHORD_MS = 1_000

/** Elements in which keys type text. */
const TEXT_INPUTS =
  'input:not([type=range]):not([type=checkbox]):not([type=radio]),textarea,select,[contenteditable=true]'
/** Elements that handle every key themselves. */
const KEYBOARD_CONTROLS = `${TEXT_INPUTS},dialog,[role=dialog],[role=alertdialog],[role=menu],[role=listbox],[role=combobox]`
/** Elements that handle arrow keys, Home and End themselves. */
const ARROW_KEY_CONTROLS = 'input,[role=slider],[role=tablist],[role=radiogroup],[role=grid],[role=tree],[role=toolbar]'
/** Elements that Space activates. */
const SPACE_KEY_CONTROLS =
  'button,a,summary,input,[role=button],[role=link],[role=switch],[role=checkbox],[role=tab],[role=option]'

/** Listens for the shortcuts until the returned function is called. */
export const installKeyboard = (): (() => void) => {
  addEventListener('keydown', handleKeyDown)
  return () => removeEventListener('keydown', handleKeyDown)
}

/** The event time in ms until which a `g` waits for its `c`. */
let chordUntil = 0

/** Runs the shortcut of a key. */
export const handleKeyDown = (event: KeyboardEvent) => {
  if (event.defaultPrevented || event.isComposing) return
  const runShortcut = shortcutOf(event)
  if (!runShortcut) return
  event.preventDefault()
  runShortcut()
}

const shortcutOf = (event: KeyboardEvent): (() => void) | undefined => {
  const key = event.key.length === 1 ? event.key.toLowerCase() : event.key
  if (isPaletteCombination(event, key)) return openPalette
  if (event.ctrlKey || event.metaKey || event.altKey || isInside(event, KEYBOARD_CONTROLS) || isCovered()) return
  if (key.startsWith('Arrow') && isInside(event, ARROW_KEY_CONTROLS)) return
  if (key === ' ' && isInside(event, SPACE_KEY_CONTROLS)) return
  const chorded = event.timeStamp < chordUntil
  chordUntil = 0
  if (chorded && key === 'c') return scrollToPlaying
  if (key === 'g') return () => startChord(event)
  const runShortcut = actionFor(nameOf(event, key))
  return runShortcut && event.repeat && !REPEATABLE_KEYS.has(key) ? () => undefined : runShortcut
}

const startChord = ({ timeStamp }: KeyboardEvent) => {
  chordUntil = timeStamp + CHORD_MS
}

const isPaletteCombination = ({ ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent, key: string) =>
  key === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey

/** True while a dialog covers the page: keys are meant for it even before it has the focus. */
const isCovered = () => document.getElementById('root')?.inert === true

const isInside = ({ target }: KeyboardEvent, selector: string) =>
  target instanceof Element && target.closest(selector) !== null

/** Shift is part of a shortcut only with arrows and letters: for other characters it depends on the keyboard layout. */
const nameOf = ({ shiftKey }: KeyboardEvent, key: string) =>
  shiftKey && /^([a-z]|Arrow.*)$/.test(key) ? `Shift+${key}` : key

/** Shortcuts of the player are ignored while nothing is in it; Space and the arrows then scroll as usual. */
const actionFor = (name: string): (() => void) | undefined => {
  const entry = currentEntry(usePlayer.getState())
  const playingShortcut = PLAYING_SHORTCUTS[name]
  return GLOBAL_SHORTCUTS[name] ?? (entry && playingShortcut && (() => playingShortcut(entry)))
}

const REPEATABLE_KEYS = new Set(['j', 'k', '-', '=', 'ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'])

const GLOBAL_SHORTCUTS: Record<string, () => void> = {
  j: () => focusRow(1),
  k: () => focusRow(-1),
  '/': () => focusSearch(),
  '?': () => void dispatchEvent(new CustomEvent('dubplate:help')),
}

const PLAYING_SHORTCUTS: Record<string, (entry: Entry) => void> = {
  ' ': playerActions.toggle,
  ArrowLeft: () => playerActions.seek(soundPosition() - SEEK_SECONDS),
  ArrowRight: () => playerActions.seek(soundPosition() + SEEK_SECONDS),
  ArrowUp: () => changeVolume(VOLUME_STEP),
  ArrowDown: () => changeVolume(-VOLUME_STEP),
  'Shift+ArrowLeft': playerActions.previous,
  'Shift+ArrowRight': playerActions.next,
  '-': () => changeVolume(-VOLUME_STEP),
  '=': () => changeVolume(VOLUME_STEP),
  m: playerActions.toggleMute,
  s: playerActions.toggleShuffle,
  r: playerActions.toggleRepeatOne,
  q: playerActions.toggleQueue,
  p: playerActions.previous,
  n: playerActions.next,
  l: ({ song }) => void toggleFavourite(song.entity_id, song.title),
  c: ({ song }) => void toggleCrate(song),
  d: ({ song, version }) =>
    void downloadVersion(version.song_version_id, { title: song.title, version: version.version_label, song }),
  0: () => playerActions.seekShare(0),
  ...Object.fromEntries(
    [...'12345678'].map((digit) => [digit, () => playerActions.seekShare((Number(digit) - 1) / 8)]),
  ),
  9: () => playerActions.seekShare(0.9),
}

const changeVolume = (by: number) => {
  const { volume, muted } = usePlayer.getState()
  playerActions.setVolume((muted ? 0 : volume) + by)
}

const openPalette = () => void dispatchEvent(new CustomEvent('dubplate:palette'))

const focusSearch = () => document.querySelector<HTMLInputElement>('#q')?.focus()

/** Moves the focus along the rows. From outside the list it starts at the playing row, or else at the first. */
const focusRow = (step: 1 | -1) => {
  const rows = [...document.querySelectorAll<HTMLElement>('[data-row-play]')]
  const active = document.activeElement
  const focused = rows.findIndex((row) => row === active || row.closest('[data-song]')?.contains(active))
  const playing = rows.findIndex((row) => row.closest('[data-playing-row]'))
  const to = focused >= 0 ? focused + step : Math.max(0, playing)
  const row = rows[Math.max(0, Math.min(rows.length - 1, to))]
  row?.focus({ preventScroll: true })
  row?.scrollIntoView({ block: 'nearest' })
}

const scrollToPlaying = () => document.querySelector('[data-playing-row]')?.scrollIntoView({ block: 'center' })
