import type { digging, ReplyOf } from '@dubplate/contract'

export type DigSong = digging.DigSong
export type DigAction = digging.DigAction
type Reply = ReplyOf<typeof digging.digSongs>

export type Decided = { song: DigSong; action: DigAction }

export type DigState = {
  title: string
  /** The current song and those after it. */
  songs: DigSong[]
  /** How many songs of the list are left, including the current one. */
  left: number
  decisions: Reply['decisions']
  /** What was decided on this screen, the last decision at the end. */
  history: Decided[]
}

export const EMPTY: DigState = {
  title: '',
  songs: [],
  left: 0,
  decisions: { skip: 0, crate: 0, favourite: 0, never: 0 },
  history: [],
}

export const idOf = ({ song }: DigSong) => song.entity_id

const withCount = ({ decisions }: DigState, action: DigAction, by: number) => ({
  ...decisions,
  [action]: Math.max(0, decisions[action] + by),
})

/**
 * Continues with what the server lists. The current song stays, and songs that were decided since are left out.
 * @param pending the decisions that are not saved yet
 */
export function withReply(
  state: DigState,
  reply: Reply,
  pending: readonly { entity_id: number; action: DigAction }[],
): DigState {
  const decided = new Set([
    ...state.history.map(({ song }) => idOf(song)),
    ...pending.map(({ entity_id }) => entity_id),
  ])
  const current = state.songs.slice(0, 1)
  const others = reply.songs.filter(
    (song) => !decided.has(idOf(song)) && !current.some((own) => idOf(own) === idOf(song)),
  )
  const songs = [...current, ...others]
  const unsaved = pending.filter(({ entity_id }) => reply.songs.some((song) => idOf(song) === entity_id))
  const decisions = { ...reply.decisions }
  for (const { action } of unsaved) decisions[action]++
  const isComplete = reply.songs.length === reply.left
  const left = isComplete ? songs.length : Math.max(songs.length, reply.left - unsaved.length)
  return { ...state, title: reply.title, songs, left, decisions }
}

/** The current song is decided, and the next one follows. */
export function withDecision(state: DigState, action: DigAction): DigState {
  const [song, ...songs] = state.songs
  if (!song) return state
  return {
    ...state,
    songs,
    left: Math.max(songs.length, state.left - 1),
    decisions: withCount(state, action, 1),
    history: [...state.history, { song, action }],
  }
}

/** A song whose decision was undone, or could not be saved, is the current one again. */
export function withoutDecision(state: DigState, entityId: number): DigState {
  const decided = state.history.findLast(({ song }) => idOf(song) === entityId)
  if (!decided) return state
  return {
    ...state,
    songs: [decided.song, ...state.songs],
    left: state.left + 1,
    decisions: withCount(state, decided.action, -1),
    history: state.history.filter((each) => each !== decided),
  }
}
