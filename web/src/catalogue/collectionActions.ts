import { type catalogue, collections, type InputOf, type Pagination } from '@dubplate/contract'
import { chooseKit, type KitSource } from '../booth/kits/kitChoice.ts'
import { downloadCollection } from '../downloads/crateZips.ts'
import { format } from '../format/message.ts'
import { addToCrate } from '../library/bulkAdd.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { askToSignIn } from '../membership/pendingAction.ts'
import { callApi } from '../platform/api.ts'
import { isSignedIn } from '../platform/session.ts'
import { shuffleEntries, toQueueEntries } from '../player/queue.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { toast, toastError } from '../ui/toast.ts'
import { copyLink } from './songLink.ts'
import * as texts from './texts.ts'

type SongPage = { songs: catalogue.Song[]; pagination: Pagination }

export type CollectionReference = InputOf<typeof collections.getCollection>

/** All songs of a collection, whichever page is on screen. */
export type CollectionSource = {
  title: string
  /** The playlist it is: plays count for it. */
  playlist_id?: number
  /** The collection it is, if it is not a playlist. */
  reference?: CollectionReference
  loadPage: (page: number) => Promise<SongPage>
}

export const MAX_SONGS = collections.COLLECTION_LIMIT

/** A genre, spotlight, top 20, chart, artist or label as a source of songs. */
export const referenceSource = (title: string, reference: CollectionReference): CollectionSource => ({
  title,
  reference,
  loadPage: (page) => callApi(collections.getCollectionSongs, { ...reference, page }),
})

/** The pages after the first one, up to 500 songs. */
async function loadRest({ loadPage }: CollectionSource, { pagination }: SongPage): Promise<catalogue.Song[]> {
  const { totalCount, perPageLimit } = pagination
  const pageCount = Math.ceil(Math.min(totalCount, MAX_SONGS) / perPageLimit)
  const pages = Array.from({ length: Math.max(0, pageCount - 1) }, (_, n) => loadPage(n + 2))
  return (await Promise.all(pages)).flatMap(({ songs }) => songs)
}

async function loadSongs(source: CollectionSource): Promise<catalogue.Song[]> {
  const first = await source.loadPage(1)
  return [...first.songs, ...(await loadRest(source, first))]
}

const orToast = ({ title }: CollectionSource, task: Promise<unknown>) =>
  task.then(
    () => undefined,
    (error: unknown) => void toastError(format(texts.couldntLoadTitle, { title }), error),
  )

/** Starts with the first page, and queues the others once they have loaded, unless something else was played since. */
export const playCollection = (source: CollectionSource) =>
  orToast(
    source,
    (async () => {
      const first = await source.loadPage(1)
      const entries = toQueueEntries(first.songs, source.playlist_id)
      playerActions.playAll(entries, source.title)
      const rest = await loadRest(source, first)
      const playing = currentEntry(usePlayer.getState())
      if (playing && entries.includes(playing)) playerActions.extendList(toQueueEntries(rest, source.playlist_id))
    })(),
  )

export const shuffleCollection = (source: CollectionSource) =>
  orToast(
    source,
    loadSongs(source).then((songs) =>
      playerActions.playAll(shuffleEntries(toQueueEntries(songs, source.playlist_id)), source.title),
    ),
  )

export const enqueueCollection = (source: CollectionSource) =>
  orToast(
    source,
    loadSongs(source).then((songs) => {
      const entries = toQueueEntries(songs, source.playlist_id)
      playerActions.enqueueAll(entries)
      void toast({ message: format(texts.songsAddedToQueue, { count: entries.length }) })
    }),
  )

export const addCollectionToCrate = (source: CollectionSource) => orToast(source, loadSongs(source).then(addToCrate))

/** Downloads the preferred version of each song as a zip. */
export const downloadAll = (source: CollectionSource) =>
  downloadCollection(
    {
      title: source.title,
      top20_id: source.reference?.type === 'top20' ? Number(source.reference.id) : undefined,
      action: { kind: 'downloadCollection', args: [toStored(source)], title: source.title },
    },
    async () => {
      const first = await source.loadPage(1)
      const songs = [...first.songs, ...(await loadRest(source, first))]
      const isCut = first.pagination.totalCount > MAX_SONGS
      return {
        versions: songs.flatMap((song) => preferredVersion(song)?.song_version_id ?? []),
        note: isCut ? format(texts.onlyTheFirstSongs, { count: MAX_SONGS }) : texts.thesePreferredVersions,
      }
    },
  )

/** Opens the dialog to download a collection for DJ software. */
export async function chooseCollectionKit(source: CollectionSource): Promise<void> {
  if (!isSignedIn()) return askToSignIn('collectionKit', [toStored(source)], source.title)
  const { title } = source
  const named = kitSourceOf(source)
  if (named) return chooseKit({ title, source: named })
  await orToast(
    source,
    loadSongs(source).then((songs) => {
      const song_version_ids = songs.flatMap((song) => preferredVersion(song)?.song_version_id ?? [])
      if (song_version_ids.length > 0) chooseKit({ title, source: { song_version_ids, title } })
    }),
  )
}

/** Lists by their id, which the server knows; undefined for a genre, an artist or a label. */
function kitSourceOf({ playlist_id, reference }: CollectionSource): KitSource | undefined {
  if (playlist_id !== undefined) return { playlist_id }
  if (reference?.type === 'spotlight') return { list_id: reference.id }
  if (reference?.type === 'top20') return { top20_id: reference.id }
  if (reference?.type !== 'chart') return undefined
  const { chart_type, id, song_section_id } = reference
  return { chart_type, genre_id: id, song_section_id }
}

/** Which collection to continue with after signing in or paying. */
export type StoredCollection = Omit<CollectionSource, 'loadPage'>

export const toStored = ({ loadPage, ...stored }: CollectionSource): StoredCollection => stored

/** Opens the share sheet of the device, or copies the link where there is none. */
export async function sharePage(title: string): Promise<void> {
  const url = location.origin + location.pathname
  if (!navigator.share) return copyLink(url)
  // Closing the sheet without sharing is not an error.
  await navigator.share({ title, url }).catch(async (error: Error) => {
    if (error.name !== 'AbortError') await copyLink(url)
  })
}
