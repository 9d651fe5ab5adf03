import { create } from 'zustand'
import {
  audio,
  followSound,
  pauseSound,
  playSound,
  restSound,
  secondIn,
  seekSound,
  setLevel,
  soundDuration,
  soundPosition,
  startSound,
} from './audio.ts'
import { countListens } from './listens.ts'
import { preload } from './preload.ts'
import {
  type Entry,
  following,
  moved,
  type Place,
  placeOf,
  playedFrom,
  preceding,
  shuffled,
  withAll,
  withLast,
  withNext,
  without,
} from './queue.ts'
import { readSaved, writeSaved } from './saved.ts'

export type { Entry } from './queue.ts'

export type PlayerState = Place & {
  playing: boolean
  /** Sound was asked for and has not come yet. */
  waiting: boolean
  shuffle: boolean
  repeatOne: boolean
  /** 0 to 1, in steps of 0.1. */
  volume: number
  muted: boolean
  /** The sentence to show when a preview failed. */
  error?: string | undefined
}

const left = readSaved()

export const usePlayer = create<PlayerState>(() => ({
  queue: left.queue,
  index: left.index,
  playing: false,
  waiting: false,
  shuffle: left.shuffle,
  repeatOne: left.repeat_one,
  volume: left.volume,
  muted: left.muted,
}))

export const currentEntry = ({ queue, index }: Place): Entry | undefined => queue[index]

/** The list the last chosen song was played from: where the queue ends, the music goes on through it. */
let list: Entry[] = []

/** Entries asked to be played next, soonest first: they keep their turn when the rest is shuffled. */
let askedNext: Entry[] = []

const { getState: state, setState: set } = usePlayer

/**
 * Plays an entry, from second `at` of the whole song where one is named. The current one toggles, a queued one is jumped
 * to, a new one joins the queue.
 */
const play = (entry: Entry, { list: from, at: second }: { list?: Entry[]; at?: number } = {}) => {
  if (from) list = from
  const at = second === undefined ? undefined : secondIn(entry.version, second)
  if (isCurrent(entry)) return at === undefined ? toggle() : playFrom(at)
  const { queue } = state()
  const place = placeOf(queue, entry)
  if (place >= 0) return begin({ queue: playedFrom(queue, place, entry), index: place }, at)
  begin({ queue: [...queue, entry], index: queue.length }, at)
}

/** Plays the first of these and puts the others behind it, whatever the queue held; what it held stays before them. */
const playAll = (entries: Entry[]) => {
  const [first] = entries
  if (!first) return
  list = entries
  const keys = new Set(entries.map(({ version }) => version.song_version_id))
  const others = state().queue.filter(({ version }) => !keys.has(version.song_version_id))
  begin({ queue: [...others, ...entries], index: others.length })
}

const enqueueAll = (entries: Entry[]) => edit(withAll(state(), entries))

const toggle = () => {
  const { index, playing } = state()
  if (index < 0) return
  if (playing) pauseSound()
  else startSound()
}

const next = () => {
  const { queue, shuffle } = state()
  if (!shuffle) return begin(following(state(), list))
  const asked = askedNext.find((entry) => queue.includes(entry))
  begin(asked ? { queue, index: queue.indexOf(asked) } : shuffled(state(), list))
}

const previous = () => begin(preceding(state()))

const jump = (index: number) => {
  const { queue, index: playing } = state()
  if (index === playing) return toggle()
  if (queue[index]) begin({ queue, index })
}

const playNext = (entry: Entry) => {
  askedNext = [entry, ...askedNext]
  edit(withNext(state(), entry))
}

const enqueue = (entry: Entry) => edit(withLast(state(), entry))

const move = (from: number, to: number) => edit(moved(state(), from, to))

/** Takes an entry out. Where it was the current one the sound stops and the one that followed it stands ready. */
const remove = (index: number) => edit(without(state(), index))

const clear = () => edit({ queue: [], index: -1 })

const seek = (seconds: number) => seekSound(seconds)

/** Moves to a share of the song, 0 to 1. */
const seekShare = (share: number) => seekSound(share * soundDuration())

/** Volume 0 to 1, rounded to a step of 0.1; choosing one ends the mute. */
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
  seekShare,
}

const isCurrent = ({ version }: Entry) => currentEntry(state())?.version.song_version_id === version.song_version_id

const playFrom = (at_seconds: number) => {
  seekSound(at_seconds)
  startSound()
}

/** Makes a place the current one and plays it, from where it begins unless a second is named. */
const begin = (place: Place, at_seconds?: number) => {
  const entry = currentEntry(place)
  if (!entry) return
  askedNext = askedNext.filter((asked) => asked !== entry)
  set({ ...place, error: undefined, waiting: true })
  playSound(entry.version, at_seconds)
}

/** Changes the queue. The sound is left alone unless its own entry went. */
const edit = (place: Place) => {
  const before = currentEntry(state())
  set(place)
  const now = currentEntry(place)
  if (now === before) return
  set({ playing: false, waiting: false, error: undefined })
  restSound(now?.version)
}

const afterTheEnd = () => {
  if (!state().repeatOne) return next()
  const { queue, index } = state()
  begin({ queue, index })
}

const save = () => {
  const { queue, index, volume, muted, shuffle, repeatOne } = state()
  writeSaved({ queue, index, volume, muted, shuffle, repeat_one: repeatOne, position_seconds: soundPosition() })
}

followSound({
  started: () => set({ playing: true, error: undefined }),
  paused: () => {
    set({ playing: false })
    save()
  },
  waiting: (waiting) => set({ waiting }),
  ended: afterTheEnd,
  failed: (error) => set({ playing: false, waiting: false, error }),
})

usePlayer.subscribe((now, before) => {
  if (now.volume !== before.volume || now.muted !== before.muted) setLevel(now)
  const kept = ['queue', 'index', 'volume', 'muted', 'shuffle', 'repeatOne'] as const
  if (kept.some((name) => now[name] !== before[name])) save()
})

countListens(audio, () => currentEntry(state()))

// A phone may end a hidden page without another word.
addEventListener('pagehide', save)
document.addEventListener('visibilitychange', save)

setLevel(left)
restSound(currentEntry(left)?.version, left.position_seconds)
