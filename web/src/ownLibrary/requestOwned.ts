import { ownLibrary } from '@dubplate/contract'
import { decodeIds } from '@dubplate/contract/id-deltas'
import { useDownloads } from '../downloads/download.ts'
import { callApi } from '../platform/api.ts'
import { useSession } from '../platform/session.ts'
import { refreshReplies } from '../platform/useApiMutation.ts'
import { useOwned } from './owned.ts'

/** Requests the ids of what the member owns, and keeps those it has if nothing has changed. */
export async function requestOwned(): Promise<void> {
  const { token } = useSession.getState()
  const { revision, owned } = await callApi(ownLibrary.getOwned, { revision: useOwned.getState().revision })
  // The reply belongs to the member who was signed in when it was requested.
  if (!owned || useSession.getState().token !== token) return
  const { in_library, downloaded } = owned
  useOwned.setState({
    songs: new Set(decodeIds(in_library.songs)),
    versions: new Set(decodeIds(in_library.versions)),
    downloadedSongs: new Set(decodeIds(downloaded.songs)),
    revision,
  })
  await refreshReplies([ownLibrary.countOwned])
}

// A download is owned too. The first change is the list itself, which loads at the same time as the ids.
useDownloads.subscribe(({ used }, before) => {
  if (used !== before.used && before.used.size > 0 && useOwned.getState().revision !== '')
    void requestOwned().catch(() => undefined)
})
