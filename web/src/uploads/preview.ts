import type { uploads } from '@dubplate/contract'
import { create } from 'zustand'
import { audio } from '../player/audio.ts'
import { playerActions, usePlayer } from '../player/store.ts'
import * as texts from './texts.ts'

/**
 * Plays files that are not in the pool: a separate element, because they are not part of the queue. It and the player
 * pause each other.
 */
export const element = new Audio()

type Previewed = { upload_id: number | undefined; isPlaying: boolean; errorMessage: string }

export const usePreview = create<Previewed>(() => ({ upload_id: undefined, isPlaying: false, errorMessage: '' }))

type PreviewFile = Pick<uploads.ContainerFile, 'upload_id' | 'mp3'>

/** Plays a file from a given second. */
export function playPreview({ upload_id, mp3 }: PreviewFile, at_seconds: number) {
  if (usePreview.getState().upload_id !== upload_id || element.error) {
    usePreview.setState({ upload_id, errorMessage: '' })
    element.src = mp3
  }
  element.currentTime = at_seconds
  // Other errors are reported as an event.
  element.play().catch(() => undefined)
}

/** Pauses the file if it is playing; otherwise plays it from a given second. */
export function toggle(file: PreviewFile, at_seconds: number) {
  const { upload_id, isPlaying } = usePreview.getState()
  if (upload_id === file.upload_id && isPlaying) element.pause()
  else playPreview(file, at_seconds)
}

export const pausePreview = () => element.pause()

/** The playback position in a file in seconds; undefined if it is not the current one. */
export const positionIn = (uploadId: number): number | undefined =>
  usePreview.getState().upload_id === uploadId ? element.currentTime : undefined

element.addEventListener('play', () => {
  if (usePlayer.getState().playing) playerActions.toggle()
  const { volume, muted } = usePlayer.getState()
  element.volume = volume
  element.muted = muted
  usePreview.setState({ isPlaying: true })
})
for (const name of ['pause', 'ended', 'emptied']) {
  element.addEventListener(name, () => usePreview.setState({ isPlaying: false }))
}
element.addEventListener('error', () =>
  usePreview.setState({ isPlaying: false, errorMessage: texts.couldntPlayThisFileTry }),
)
audio.addEventListener('play', pausePreview)
