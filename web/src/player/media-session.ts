import { imageAt } from '../platform/media.ts'
import { audio, soundDuration, soundPosition } from './audio.ts'
import type { Entry } from './queue.ts'
import { currentEntry, playerActions, usePlayer } from './store.ts'

/**
 * Shows the playing song on the lock screen and handles media keys, until the returned function is called. There are intentionally no seekbackward and
 * seekforward handlers: with them, iOS shows ±10 s buttons in place of previous and next.
 */
export const installMediaSession = (): (() => void) | undefined => {
  const session = navigator.mediaSession
  if (!session) return
  for (const [action, handler] of Object.entries(HANDLERS)) setHandler(session, action as MediaSessionAction, handler)
  const showEntry = () => {
    const entry = currentEntry(usePlayer.getState())
    session.metadata = entry ? metadataOf(entry) : null
    emitPosition(session)
  }
  const showPlaying = () => {
    const state = usePlayer.getState()
    session.playbackState = state.playing ? 'playing' : currentEntry(state) ? 'paused' : 'none'
  }
  const events = new AbortController()
  const unsubscribe = usePlayer.subscribe((now, before) => {
    if (currentEntry(now) !== currentEntry(before)) showEntry()
    if (now.playing !== before.playing) showPlaying()
  })
  for (const name of ['loadedmetadata', 'seeked', 'play', 'pause', 'ratechange']) {
    audio.addEventListener(name, () => emitPosition(session), { signal: events.signal })
  }
  showEntry()
  showPlaying()
  return () => {
    events.abort()
    unsubscribe()
  }
}

const HANDLERS: Partial<Record<MediaSessionAction, MediaSessionActionHandler>> = {
  play: () => usePlayer.getState().playing || playerActions.toggle(),
  pause: () => usePlayer.getState().playing && playerActions.toggle(),
  previoustrack: () => playerActions.previous(),
  nexttrack: () => playerActions.next(),
  seekto: ({ seekTime }) => seekTime !== undefined && playerActions.seek(seekTime),
}

const setHandler = (session: MediaSession, action: MediaSessionAction, handler: MediaSessionActionHandler) => {
  try {
    session.setActionHandler(action, handler)
  } catch {
    // A browser that does not know the action throws; the others still work.
  }
}

const metadataOf = ({ song, version }: Entry) =>
  new MediaMetadata({
    title: `${song.title} (${version.version_label})`,
    artist: song.artist,
    artwork: ([96, 320, 640] as const).map((width_px) => ({
      src: imageAt(song.image, width_px),
      sizes: `${width_px}x${width_px}`,
      type: 'image/webp',
    })),
  })

const emitPosition = (session: MediaSession) => {
  const duration = soundDuration()
  if (!duration) return session.setPositionState()
  session.setPositionState({
    duration,
    position: Math.min(soundPosition(), duration),
    playbackRate: audio.playbackRate,
  })
}
