import { player } from '@dubplate/contract'
import { callApi, OfflineError } from '../platform/api.ts'
import { isSignedIn } from '../platform/session.ts'
import type { Entry } from './queue.ts'
import type { SoundElement } from './soundElement.ts'

type ListenReport = { song_version_id: number; listen_key: string; playlist_id?: number | undefined }
type Listen = ListenReport & { heard_seconds: number; isCounted: boolean }

/** Listens that have not been sent to the server yet. */
const pendingListens: ListenReport[] = []

/**
 * Counts one listen for each time a version is played for 30 s. Only audio that was heard counts: continued playback
 * adds to it, seeking does not. `playing` returns the entry in the element; the same version counts again after its
 * end.
 */
export const countListens = (audio: SoundElement, playing: () => Entry | undefined) => {
  let listen: Listen | undefined
  let last_seconds: number | undefined

  const trackPlayback = () => {
    const entry = playing()
    if (audio.seeking || audio.paused || !entry) return pauseTracking()
    if (listen?.song_version_id !== entry.version.song_version_id) listen = newListen(entry)
    else if (last_seconds !== undefined) listen.heard_seconds += Math.max(0, audio.currentTime - last_seconds)
    last_seconds = audio.currentTime
    if (listen.isCounted || listen.heard_seconds < player.LISTEN_SECONDS) return
    listen.isCounted = true
    queueListen(listen)
  }
  const pauseTracking = () => {
    last_seconds = undefined
  }

  audio.addEventListener('timeupdate', trackPlayback)
  for (const name of ['seeking', 'seeked', 'emptied']) audio.addEventListener(name, pauseTracking)
  audio.addEventListener('ended', () => {
    listen = undefined
    pauseTracking()
  })
  addEventListener('online', () => void sendPendingListens())
}

const newListen = ({ version, playlist_id }: Entry): Listen => ({
  song_version_id: version.song_version_id,
  playlist_id,
  listen_key: crypto.randomUUID(),
  heard_seconds: 0,
  isCounted: false,
})

const queueListen = ({ song_version_id, listen_key, playlist_id }: Listen) => {
  if (!isSignedIn()) return
  pendingListens.push({ song_version_id, listen_key, playlist_id })
  void sendPendingListens()
}

/** Sends pending listens, oldest first. Without a connection they wait for the next listen; an error reply is final. */
const sendPendingListens = async () => {
  for (const listen of [...pendingListens]) {
    try {
      await callApi(player.songPlayed, listen)
    } catch (error) {
      if (error instanceof OfflineError) return
    }
    const pendingIndex = pendingListens.findIndex(({ listen_key }) => listen_key === listen.listen_key)
    if (pendingIndex >= 0) pendingListens.splice(pendingIndex, 1)
  }
}
