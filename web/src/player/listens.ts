import { player } from '@dubplate/contract'
import { ask, OfflineError } from '../platform/api.ts'
import { isSignedIn } from '../platform/session.ts'
import type { Entry } from './queue.ts'

type Told = { song_version_id: number; listen_key: string; playlist_id?: number | undefined }
type Listen = Told & { heard_seconds: number; counted: boolean }

/** Listens that are due and could not be told to the server yet. */
const due: Told[] = []

/**
 * Counts one listen for each time a version is played for 30 s. What counts is sound that was heard: playing on adds to
 * it, jumping about does not. `playing` is the entry the element plays; the same version counts again after its end.
 */
export const countListens = (audio: HTMLAudioElement, playing: () => Entry | undefined) => {
  let listen: Listen | undefined
  let last_seconds: number | undefined

  const hear = () => {
    const entry = playing()
    if (audio.seeking || audio.paused || !entry) return lift()
    if (listen?.song_version_id !== entry.version.song_version_id) listen = newListen(entry)
    else if (last_seconds !== undefined) listen.heard_seconds += Math.max(0, audio.currentTime - last_seconds)
    last_seconds = audio.currentTime
    if (listen.counted || listen.heard_seconds < player.LISTEN_SECONDS) return
    listen.counted = true
    tell(listen)
  }
  const lift = () => {
    last_seconds = undefined
  }

  audio.addEventListener('timeupdate', hear)
  for (const name of ['seeking', 'seeked', 'emptied']) audio.addEventListener(name, lift)
  audio.addEventListener('ended', () => {
    listen = undefined
    lift()
  })
  addEventListener('online', () => void tellDue())
}

const newListen = ({ version, playlist_id }: Entry): Listen => ({
  song_version_id: version.song_version_id,
  playlist_id,
  listen_key: crypto.randomUUID(),
  heard_seconds: 0,
  counted: false,
})

const tell = ({ song_version_id, listen_key, playlist_id }: Listen) => {
  if (!isSignedIn()) return
  due.push({ song_version_id, listen_key, playlist_id })
  void tellDue()
}

/** Tells what is due, oldest first. Without a connection it waits for the next listen; a refusal is final. */
const tellDue = async () => {
  for (const listen of [...due]) {
    try {
      await ask(player.songPlayed, listen)
    } catch (error) {
      if (error instanceof OfflineError) return
    }
    const told = due.findIndex(({ listen_key }) => listen_key === listen.listen_key)
    if (told >= 0) due.splice(told, 1)
  }
}
