import { create } from 'zustand'
import { useSession } from '../platform/session.ts'
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
import {
  currentEntry,
  EMPTY_QUEUE,
  type Entry,
  type Queue,
  upcomingEntries,
  withAdded,
  withCurrent,
  withList,
  withMore,
  withMoved,
  withNext,
  withoutUpcoming,
  withPrevious,
  withShuffledNext,
} from './queue.ts'
import { readSaved, writeSaved } from './savedPlayer.ts'

export { currentEntry, type Entry } from './queue.ts'

export type PlayerState = Queue & {
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
  isQueueOpen: boolean
}

const saved = readSaved()

export const usePlayer = create<PlayerState>(() => ({
  list: saved.list,
  index: saved.index,
  source: saved.source,
  added: saved.added,
  playing: false,
  waiting: false,
  shuffle: saved.shuffle,
  repeatOne: saved.repeat_one,
  volume: saved.volume,
  muted: saved.muted,
  isQueueOpen: false,
}))

const { getState: state, setState: set } = usePlayer

type PlayOptions = {
  /** The list it is played from: its other songs play after it. */
  list?: Entry[]
  /** The name of the list. */
  source?: string | undefined
  /** The second of the whole song to start at. */
  at?: number | undefined
}

/** Plays an entry; the current one is toggled, unless a second is given. */
const play = (entry: Entry, { list, source, at }: PlayOptions = {}) => {
  const queue = list ? withList(state(), entry, list, source) : withCurrent(state(), entry)
  const second = at === undefined ? undefined : audibleSecond(entry.version, at)
  if (currentEntry(state())?.version.song_version_id !== entry.version.song_version_id) return playAt(queue, second)
  set(queue)
  if (second === undefined) return toggle()
  seekSound(second)
  startSound()
}

/** Plays another version of the current song in its place. */
const playVersion = (version: Entry['version']) => {
  const { list, source } = state()
  const entry = currentEntry(state())
  if (entry) play({ ...entry, version }, { list, source })
}

/** Plays a list from its first entry. */
const playAll = (entries: Entry[], source?: string) => {
  const [first] = entries
  if (first) playAt(withList(state(), first, entries, source))
}

/** Adds the next pages of the list that is played. */
const extendList = (entries: Entry[]) => updateQueue(withMore(state(), entries))

const playNext = (entry: Entry) => updateQueue(withAdded(state(), entry, 'first'))

const enqueueAll = (entries: Entry[]) =>
  updateQueue(entries.reduce<Queue>((queue, entry) => withAdded(queue, entry, 'last'), state()))

const enqueue = (entry: Entry) => enqueueAll([entry])

const toggle = () => {
  const { index, playing } = state()
  if (index < 0) return
  if (playing) pauseSound()
  else startSound()
}

/** A screen that itself chooses what plays. */
type Chooser = { next: () => void; previous: () => void }
let chooser: Chooser | undefined

/** While a screen chooses what plays, “next” and “previous” call it, and a song that ends is repeated. */
export const setChooser = (next: Chooser | undefined) => {
  chooser = next
}

/** What “next” would play; undefined if a screen or chance decides. */
export const nextEntry = (): Entry | undefined => {
  const { shuffle, added } = state()
  return chooser || (shuffle && added.length === 0) ? undefined : currentEntry(withNext(state()))
}

const playFollowing = () => playAt(state().shuffle ? withShuffledNext(state()) : withNext(state()))

const next = () => (chooser ? chooser.next() : playFollowing())

const previous = () => (chooser ? chooser.previous() : playAt(withPrevious(state())))

/** Plays an upcoming entry. Those that were added before it stay. */
const jump = (at: number) => {
  const entry = upcomingEntries(state())[at]
  if (entry) playAt(withCurrent(state(), entry))
}

/** Moves an upcoming entry. */
const move = (from: number, to: number) => updateQueue(withMoved(state(), from, to))

/** Removes an upcoming entry. */
const remove = (at: number) => updateQueue(withoutUpcoming(state(), at))

/** Removes what was added; the list stays. */
const clearAdded = () => updateQueue({ ...state(), added: [] })

/** Stops, and removes everything. */
const clear = () => {
  set({ isQueueOpen: false })
  updateQueue(EMPTY_QUEUE)
}

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
const toggleQueue = () => set(({ isQueueOpen }) => ({ isQueueOpen: !isQueueOpen }))

export const playerActions = {
  play,
  playVersion,
  playAll,
  extendList,
  playNext,
  enqueue,
  enqueueAll,
  toggle,
  next,
  previous,
  jump,
  remove,
  move,
  clearAdded,
  clear,
  setVolume,
  toggleMute,
  toggleShuffle,
  toggleRepeatOne,
  toggleQueue,
  seek,
  seekAudible,
  seekShare,
}

/** Plays the current entry of a queue, from its start position unless a second is given. */
const playAt = (queue: Queue, at_seconds?: number) => {
  const entry = currentEntry(queue)
  if (!entry) return
  set({ ...queue, error: undefined, waiting: true })
  playSound(entry.version, at_seconds)
}

/** Changes the queue. Playback only changes with the current entry: then the new one is paused at its start. */
const updateQueue = (queue: Queue) => {
  const before = currentEntry(state())
  set(queue)
  const now = currentEntry(queue)
  if (now === before) return
  set({ playing: false, waiting: false, error: undefined })
  cue(now?.version)
}

const handleEnded = () => (state().repeatOne || chooser ? playAt(state()) : playFollowing())

const saveState = () => {
  const { list, index, source, added, volume, muted, shuffle, repeatOne } = state()
  const position_seconds = soundPosition()
  writeSaved({ list, index, source, added, volume, muted, shuffle, repeat_one: repeatOne, position_seconds })
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
  const persistedKeys = ['list', 'index', 'added', 'volume', 'muted', 'shuffle', 'repeatOne'] as const
  if (persistedKeys.some((name) => now[name] !== before[name])) saveState()
})

/** The member whose queue this is; also known after the server has ended the session. */
let memberId: number | undefined
useSession.subscribe(({ token, profile, ended }, before) => {
  const hasSignedOut = before.token !== null && token === null && !ended
  const isOtherMember = memberId !== undefined && profile !== null && profile.customer_id !== memberId
  if (hasSignedOut || isOtherMember) clear()
  memberId = hasSignedOut ? undefined : (profile?.customer_id ?? memberId)
})

countListens(audio, () => currentEntry(state()))

// A phone may end a hidden page without any further event.
addEventListener('pagehide', saveState)
document.addEventListener('visibilitychange', saveState)

setLevel(saved)
const savedVersion = currentEntry(saved)?.version
cue(savedVersion, savedVersion && audibleSecond(savedVersion, saved.position_seconds))
