import { corrections, type InputOf, type ReplyOf, reanalyses, staffSongs } from '@dubplate/contract'
import { format } from '../../format/message.ts'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { upload } from '../../platform/upload.ts'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

export type Song = staffSongs.StaffSong
export type NamedSong = { entity_id: number; revision: number }

type Page = ReplyOf<typeof staffSongs.getSongs>
type Whole = ReplyOf<typeof staffSongs.getSong>

/** Updates songs wherever they are shown; lists keep their rows until they are reloaded. */
export function showSongs(songs: readonly Song[]): void {
  const byId = new Map(songs.map((song) => [song.entity_id, song]))
  queryClient.setQueriesData<Page>(
    { queryKey: [staffSongs.getSongs.path] },
    (page) => page && { ...page, songs: page.songs.map((song) => byId.get(song.entity_id) ?? song) },
  )
  for (const song of songs)
    queryClient.setQueryData<Whole>(
      apiQuery(staffSongs.getSong, { entity_id: song.entity_id }).queryKey,
      (whole) => whole && { ...whole, song },
    )
}

/** Reloads what changes with a song: its page, the edits, and the counts next to the filters. */
const refreshRelated = () =>
  Promise.all(
    [staffSongs.getSong, staffSongs.getEdits, staffSongs.countSongs].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )

export const refreshSongs = () =>
  Promise.all([refreshRelated(), queryClient.invalidateQueries({ queryKey: [staffSongs.getSongs.path] })])

/** Loads the current state of a song and shows it everywhere. */
export async function reloadSong(entity_id: number): Promise<Song | undefined> {
  const whole = await queryClient
    .fetchQuery({ ...apiQuery(staffSongs.getSong, { entity_id }), staleTime: 0 })
    .catch(() => undefined)
  if (whole) showSongs([whole.song])
  return whole?.song
}

/** A cached song, with the revision that was loaded last. */
export function cachedSong(entityId: number): Song | undefined {
  const whole = queryClient.getQueryData<Whole>(apiQuery(staffSongs.getSong, { entity_id: entityId }).queryKey)
  const pages = queryClient.getQueriesData<Page>({ queryKey: [staffSongs.getSongs.path] })
  const listed = pages.flatMap(([, page]) => page?.songs.filter((song) => song.entity_id === entityId) ?? [])
  return [whole?.song, ...listed].filter((song) => song !== undefined).sort((a, b) => b.revision - a.revision)[0]
}

const queues = new Map<number, Promise<unknown>>()

/**
 * Queues changes of one song: each uses the revision that the one before it produced. Throws an `ApiError` when the
 * server rejects the change.
 */
export function queueChange<T>(entityId: number, work: (revision: number) => Promise<T>): Promise<T> {
  const turn = (queues.get(entityId) ?? Promise.resolve()).then(() => work(cachedSong(entityId)?.revision ?? 1))
  const settled = turn.catch(() => {})
  queues.set(entityId, settled)
  void settled.then(() => queues.get(entityId) === settled && queues.delete(entityId))
  return turn
}

type Changed = ReplyOf<typeof corrections.editSong>

/** Shows the result of a change to one song, and returns the change. */
export async function applyChange({ song, song_edit_id }: Changed): Promise<Changed> {
  showSongs([song])
  void refreshRelated()
  return { song, song_edit_id }
}

type EditInput = Omit<InputOf<typeof corrections.editSong>, 'entity_id' | 'revision'>

/** Edits a song. Throws an `ApiError` when the server rejects the change. */
export const editSong = (entity_id: number, input: EditInput): Promise<Changed> =>
  queueChange(entity_id, async (revision) =>
    applyChange(await callApi(corrections.editSong, { entity_id, revision, ...input })),
  )

/** Shows the result of an action, with an undo button. */
export function toastWithUndo(message: string, song_edit_id: number | null, label = texts.undo): void {
  const undo = song_edit_id === null ? undefined : { label, run: () => void undoEdit(song_edit_id) }
  void toast(undo ? { message, action: undo } : { message })
}

/** Shows the result of an action on several songs; after many changes the lists are reloaded. */
export async function applyOutcome(outcome: corrections.Outcome): Promise<corrections.Outcome> {
  showSongs(outcome.songs)
  if (outcome.changed > outcome.songs.length) void refreshSongs()
  else void refreshRelated()
  return outcome
}

/** Undoes an edit and shows a message. */
export async function undoEdit(song_edit_id: number): Promise<corrections.Outcome | undefined> {
  try {
    const outcome = await applyOutcome(await callApi(corrections.undoEdit, { song_edit_id }))
    toastUndone(outcome)
    return outcome
  } catch (error) {
    void toastError(texts.couldntUndo, error)
    void refreshSongs()
    return undefined
  }
}

function toastUndone({ changed, left, song_edit_id }: corrections.Outcome): void {
  const [first] = left
  const done = changed > 0 ? format(texts.songsReverted, { changed }) : ''
  if (!first) {
    toastWithUndo(done, song_edit_id, texts.redo)
    return
  }
  const kept =
    left.length === 1
      ? format(texts.couldntRevert, { title: first.title, message: first.message })
      : format(texts.couldntRevertSongsFirst, { count: left.length, title: first.title, message: first.message })
  void toast({ title: changed > 0 ? done : texts.couldntUndo, message: kept, tone: 'error' })
}

type Edits = ReplyOf<typeof staffSongs.getEdits>['edits']

/** The user's newest edit that is not undone: the one Ctrl+Z undoes. */
export const lastEdit = (edits: Edits) => edits.find(({ kind, undone, songs }) => kind !== 'undone' && undone < songs)

/** The newest undo that was not followed by an edit of the same user: the one that can be redone. */
export function lastUndo(edits: Edits) {
  const undo = edits.find(({ undoes, undone, songs }) => undoes !== null && undoes.kind !== 'undone' && undone < songs)
  const isPassed = undo && edits.some(({ kind, song_edit_id }) => kind !== 'undone' && song_edit_id > undo.song_edit_id)
  return isPassed ? undefined : undo
}

/** Ctrl+Z and Ctrl+Shift+Z: undoes the user's last edit, or redoes it. */
export async function undoLast(which: 'undo' | 'redo'): Promise<void> {
  try {
    const { edits } = await callApi(staffSongs.getEdits, { mine: true })
    const edit = which === 'undo' ? lastEdit(edits) : lastUndo(edits)
    if (edit) await undoEdit(edit.song_edit_id)
    else void toast({ message: which === 'undo' ? texts.nothingToUndo : texts.nothingToRedo })
  } catch (error) {
    void toastError(texts.couldntUndo, error)
  }
}

/** Replaces a song's cover. Throws an `ApiError` when the server rejects the change. */
export const uploadCover = (entityId: number, picture: File, onSent: (share: number) => void): Promise<Changed> =>
  queueChange(entityId, async (revision) => {
    const form = new FormData()
    form.append('entity_id', String(entityId))
    form.append('revision', String(revision))
    form.append('picture', picture)
    return applyChange(await upload(corrections.setCover, form, onSent))
  })

/** Requests a new analysis of songs, and reports those that cannot be analysed. */
export async function reanalyse(songs: readonly Pick<NamedSong, 'entity_id'>[]): Promise<void> {
  try {
    const { files, left } = await callApi(reanalyses.analyseSongs, {
      entity_ids: songs.map(({ entity_id }) => entity_id),
    })
    void queryClient.invalidateQueries({ queryKey: [reanalyses.getAnalyses.path] })
    void queryClient.invalidateQueries({ queryKey: [staffSongs.getSong.path] })
    const message = files > 0 ? format(texts.filesQueuedForReAnalysis, { files }) : ''
    const [first] = left
    if (!first) return void toast({ message })
    void toast({
      title: message || texts.nothingToAnalyse,
      message:
        left.length > 1
          ? format(texts.songReasonAndMore, { title: first.title, reason: first.message, more: left.length - 1 })
          : format(texts.songReason, { title: first.title, reason: first.message }),
      tone: 'error',
    })
  } catch (error) {
    void toastError(texts.couldntReAnalyse, error)
  }
}
