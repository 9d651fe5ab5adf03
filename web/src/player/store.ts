import { create } from 'zustand'
import {
  audibleSecond,
  audio,
  cue,
  pauseSound,
  playSound,
  seekSound,
  setLevel,
  soundPosition,
  soundRange,
  startSound,
  subscribeToAudio,
} from './audio.ts'
import { countListens } from './countListens.ts'
import { preload } from './preload.ts'
import {
  type Entry,
  indexInQueue,
  nextPlace,
  previousPlace,
  type QueuePosition,
  queueFrom,
  shuffledPlace,
  withAll,
  withLast,
  withMoved,
  withNext,
  withoutEntry,
} from './queue.ts'
import { readSaved, writeSaved } from './savedPlayer.ts'

export type { Entry } from './queue.ts'

export type PlayerState = QueuePosition & {
  playing: boolean
  /** True while playback was requested but has not started. */
  waiting: boolean
  shuffle: boolean
  repeatOne: boolean
  /** 0 to 1, in steps of 0.1. */
  volume: number
  muted: boolean
  /** The message to show when a preview failed. */
  error?: string | undefined
}

const saved = readSaved()

export const usePlayer = create<PlayerState>(() => ({
  queue: saved.queue,
  index: saved.index,
  playing: false,
  waiting: false,
  shuffle: saved.shuffle,
  repeatOne: saved.repeat_one,
  volume: saved.volume,
  muted: saved.muted,
}))

export const currentEntry = ({ queue, index }: QueuePosition): Entry | undefined => queue[index]

/** The list the last chosen song was played from: playback continues with it at the end of the queue. */
let list: Entry[] = []

/** Entries added with “Play next”, soonest first: they keep their order when shuffled. */
let requestedNext: Entry[] = []

const { getState: state, setState: set } = usePlayer

/**
 * Plays an entry, from second `at` of the whole song if given. Toggles the current entry, jumps to a queued one, and
 * appends a new one.
 */
const play = (entry: Entry, { list: from, at: second }: { list?: Entry[]; at?: number } = {}) => {
  if (from) list = from
  const at = second === undefined ? undefined : audibleSecond(entry.version, second)
  if (isCurrent(entry)) return at === undefined ? toggle() : playFrom(at)
  const { queue } = state()
  const position = indexInQueue(queue, entry)
  if (position >= 0) return playAt({ queue: queueFrom(queue, position, entry), index: position }, at)
  playAt({ queue: [...queue, entry], index: queue.length }, at)
}

/** Plays the first of these entries and puts the others after it; existing queue entries stay before them. */
const playAll = (entries: Entry[]) => {
  const [first] = entries
  if (!first) return
  list = entries
  const keys = new Set(entries.map(({ version }) => version.song_version_id))
  const others = state().queue.filter(({ version }) => !keys.has(version.song_version_id))
  playAt({ queue: [...others, ...entries], index: others.length })
}

const enqueueAll = (entries: Entry[]) => updateQueue(withAll(state(), entries))

const toggle = () => {
  const { index, playing } = state()
  if (index < 0) return
  if (playing) pauseSound()
  else startSound()
}

const next = () => {
  const { queue, shuffle } = state()
  if (!shuffle) return playAt(nextPlace(state(), list))
  const nextEntry = requestedNext.find((entry) => queue.includes(entry))
  playAt(nextEntry ? { queue, index: queue.indexOf(nextEntry) } : shuffledPlace(state(), list))
}

const previous = () => playAt(previousPlace(state()))

const jump = (index: number) => {
  const { queue, index: playing } = state()
  if (index === playing) return toggle()
  if (queue[index]) playAt({ queue, index })
}

const playNext = (entry: Entry) => {
  requestedNext = [entry, ...requestedNext]
  updateQueue(withNext(state(), entry))
}

const enqueue = (entry: Entry) => updateQueue(withLast(state(), entry))

const move = (from: number, to: number) => updateQueue(withMoved(state(), from, to))

/** Removes an entry. If it was the current one, playback stops and the next one becomes current. */
const remove = (index: number) => updateQueue(withoutEntry(state(), index))

const clear = () => updateQueue({ queue: [], index: -1 })

const seek = (seconds: number) => seekSound(seconds)

/** Seeks to a second of the song; to the start of a visitor's clip if the clip does not contain it. */
const seekAudible = (second: number) => {
  const entry = currentEntry(state())
  if (entry) seekSound(audibleSecond(entry.version, second))
}

/** Seeks to a fraction, 0 to 1, of what can be heard. */
const seekShare = (share: number) => {
  const { from, to } = soundRange()
  seekSound(from + share * (to - from))
}

/** Sets the volume, 0 to 1, rounded to a step of 0.1, and unmutes. */
const setVolume = (volume: number) =>
  set({ volume: Math.round(Math.min(1, Math.max(0, volume)) * 10) / 10, muted: false })

const toggleMute = () => set(({ muted }) => ({ muted: !muted }))
const toggleShuffle = () => set(({ shuffle }) => ({ shuffle: !shuffle }))
const toggleRepeatOne = () => set(({ repeatOne }) => ({ repeatOne: !repeatOne }))

export const playerActions = {
  play,
  playAll,
  playNext,
  enqueue,
  enqueueAll,
  preload,
  toggle,
  next,
  previous,
  jump,
  remove,
  move,
  clear,
  setVolume,
  toggleMute,
  toggleShuffle,
  toggleRepeatOne,
  seek,
  seekAudible,
  seekShare,
}

const isCurrent = ({ version }: Entry) => currentEntry(state())?.version.song_version_id === version.song_version_id

const playFrom = (at_seconds: number) => {
  seekSound(at_seconds)
  startSound()
}

/** Makes a position the current one and plays it, from its start position unless a second is given. */
const playAt = (position: QueuePosition, at_seconds?: number) => {
  const entry = currentEntry(position)
  if (!entry) return
  requestedNext = requestedNext.filter((requested) => requested !== entry)
  set({ ...position, error: undefined, waiting: true })
  playSound(entry.version, at_seconds)
}

/** Changes the queue. Playback only changes if its own entry was removed. */
const updateQueue = (position: QueuePosition) => {
  const before = currentEntry(state())
  set(position)
  const now = currentEntry(position)
  if (now === before) return
  set({ playing: false, waiting: false, error: undefined })
  cue(now?.version)
}

const handleEnded = () => {
  if (!state().repeatOne) return next()
  const { queue, index } = state()
  playAt({ queue, index })
}

const saveState = () => {
  const { queue, index, volume, muted, shuffle, repeatOne } = state()
  writeSaved({ queue, index, volume, muted, shuffle, repeat_one: repeatOne, position_seconds: soundPosition() })
}

subscribeToAudio({
  onStarted: () => set({ playing: true, error: undefined }),
  onPaused: () => {
    set({ playing: false })
    saveState()
  },
  waiting: (waiting) => set({ waiting }),
  onEnded: handleEnded,
  onFailed: (error) => set({ playing: false, waiting: false, error }),
})

usePlayer.subscribe((now, before) => {
  if (now.volume !== before.volume || now.muted !== before.muted) setLevel(now)
  const persistedKeys = ['queue', 'index', 'volume', 'muted', 'shuffle', 'repeatOne'] as const
  if (persistedKeys.some((name) => now[name] !== before[name])) saveState()
})

countListens(audio, () => currentEntry(state()))

// A phone may end a hidden page without any further event.
addEventListener('pagehide', saveState)
document.addEventListener('visibilitychange', saveState)

setLevel(saved)
const savedVersion = currentEntry(saved)?.version
cue(savedVersion, savedVersion && audibleSecond(savedVersion, saved.position_seconds))
