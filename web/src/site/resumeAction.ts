import type { catalogue } from '@dubplate/contract'
import { chooseKit, type KitSongs } from '../booth/kits/kitChoice.ts'
import {
  addCollectionToCrate,
  type CollectionSource,
  chooseCollectionKit,
  downloadAll,
  referenceSource,
  type StoredCollection,
} from '../catalogue/collectionActions.ts'
import type { FollowTarget } from '../catalogue/followedAfter.ts'
import { followAfterSignIn } from '../catalogue/following.ts'
import { chooseSend, type SentSongs } from '../cloudDelivery/sendChoice.ts'
import { downloadSong } from '../downloads/bundles.ts'
import { downloadCrate } from '../downloads/crateZips.ts'
import { downloadVersion } from '../downloads/download.ts'
import { format } from '../format/message.ts'
import { addToCrate, addToFavourites } from '../library/bulkAdd.ts'
import {
  isFavourite,
  isInCrate,
  loadCrate,
  loadFavourites,
  toggleCrate,
  toggleFavourite,
  useLibrary,
} from '../library/library.ts'
import { choosePlaylist } from '../library/playlistChoice.ts'
import { playlistSource } from '../library/playPlaylist.ts'
import type { PendingAction, PendingActionKind } from '../membership/pendingAction.ts'
import { goTo, history } from '../platform/address.ts'
import { editSearch } from '../searches/SaveSearch.tsx'
import { toast, toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Does what a visitor started before signing in. */
export async function resume({ kind, args, title, path }: PendingAction): Promise<void> {
  await waitUntilDialogCloses()
  const action = ACTIONS[kind] as (...args: unknown[]) => Promise<void>
  await action(...args, { title, path }).catch((error: unknown) => toastError(texts.couldntContinue, error))
}

/** Closing the dialog changes the URL: an action that opens a page has to come after it. */
const waitUntilDialogCloses = () =>
  new Promise<void>((resolve) => {
    const isClosed = () => !new URLSearchParams(history.location.search).has('dialog')
    if (isClosed()) return resolve()
    const stop = history.subscribe(() => {
      if (!isClosed()) return
      stop()
      resolve()
    })
  })

type Start = { title: string | undefined; version?: string | undefined; path: string }

const ACTIONS: Record<PendingActionKind, (...args: never[]) => Promise<void>> = {
  favourite: async (songId: number, { title }: Start) => {
    await loadFavourites()
    await addOnce({
      title,
      isAdded: () => isFavourite(songId),
      toggle: () => toggleFavourite(songId),
      addedText: texts.addedToFavourites,
    })
  },
  crate: async (song: catalogue.Song, version: catalogue.Version | null | undefined, { title }: Start) => {
    await loadCrate()
    await addOnce({
      title,
      isAdded: () =>
        version ? useLibrary.getState().crateVersions.has(version.song_version_id) : isInCrate(song.entity_id),
      toggle: () => toggleCrate(song, version ?? undefined),
      addedText: texts.addedToCrate,
    })
  },
  favouriteSongs: async (songs: catalogue.Song[]) => {
    await loadFavourites()
    await addToFavourites(songs)
  },
  crateSongs: async (songs: catalogue.Song[]) => {
    await loadCrate()
    await addToCrate(songs)
  },
  playlist: async (songs: catalogue.Song[]) => choosePlaylist(songs),
  addCollection: async (stored: StoredCollection) => {
    await loadCrate()
    await addCollectionToCrate(toSource(stored))
  },
  downloadCollection: (stored: StoredCollection) => downloadAll(toSource(stored)),
  kit: async (songs: KitSongs) => chooseKit(songs),
  send: async (songs: SentSongs) => chooseSend(songs),
  collectionKit: async (stored: StoredCollection) => chooseCollectionKit(toSource(stored)),
  download: async (key: string, { title }: Start) => {
    const [what, id] = key.split(' ')
    if (what === 'version') await downloadVersion(Number(id), { title })
    if (what === 'song') await downloadSong(Number(id), title)
    if (what === 'crate') await downloadCrate()
  },
  saveSearch: async ({ path }: Start) => {
    open(path)
    editSearch()
  },
  plan: async ({ path }: Start) => open(path),
  dig: async (list: string) => goTo(`/dig/${list}`),
  follow: async (target: FollowTarget) => followAfterSignIn(target),
}

function toSource({ title, playlist_id, reference }: StoredCollection): CollectionSource {
  if (reference) return referenceSource(title, reference)
  if (playlist_id === undefined) throw new Error('A collection needs a reference or a playlist')
  return playlistSource({ playlist_id, title })
}

function open(path: string) {
  if (path && history.location.pathname + history.location.search !== path) goTo(path)
}

type Addition = {
  title: string | undefined
  isAdded: () => boolean
  toggle: () => Promise<void>
  addedText: typeof texts.addedToCrate | typeof texts.addedToFavourites
}

/** Adds what was not there yet, and says so; an error has its own message. */
async function addOnce({ title, isAdded, toggle, addedText }: Addition) {
  const song = title ? `“${title}”` : texts.theSong
  if (isAdded()) return void toast({ message: format(texts.alreadyThere, { song }) })
  await toggle()
  if (!isAdded()) return
  void toast({ message: format(addedText, { song }), action: { label: texts.undo, run: () => void toggle() } })
}
