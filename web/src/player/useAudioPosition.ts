import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useSession } from '../platform/session.ts'
import { audio, previewStart, soundDuration } from './audio.ts'

const POSITION_EVENTS = [
  'timeupdate',
  'seeking',
  'loadedmetadata',
  'durationchange',
  'emptied',
  'play',
  'pause',
] as const

/**
 * Calls `show` now and whenever the position may have changed; `smoothly` with every frame while sound plays. It writes
 * to the page itself: time passing renders nothing.
 */
export const useAudioPosition = (show: () => void, { smoothly: isSmooth = false } = {}) => {
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
    show()
  })
  useEffect(() => {
    let frame = 0
    const queueListen = () => latest.current()
    const followFrame = () => {
      queueListen()
      frame = requestAnimationFrame(followFrame)
    }
    const pendingIndex = () => {
      cancelAnimationFrame(frame)
      if (isSmooth && !audio.paused) followFrame()
      else queueListen()
    }
    for (const name of POSITION_EVENTS) audio.addEventListener(name, pendingIndex)
    pendingIndex()
    return () => {
      cancelAnimationFrame(frame)
      for (const name of POSITION_EVENTS) audio.removeEventListener(name, pendingIndex)
    }
  }, [isSmooth])
}

/** Which part of a version can be heard, from 0 to 1: a visitor's clip is cut out of it where its preview begins. */
export const useAudibleRange = (version: catalogue.Version | undefined): { from: number; to: number } => {
  const seconds = useSyncExternalStore(onDurationChange, () => Math.round(soundDuration()))
  const fullPeaks = version?.duration_seconds
  // A second more or less is how the two were measured.
  if (!version || !fullPeaks || seconds / fullPeaks > 0.95) return { from: 0, to: 1 }
  const from = previewStart(version) / fullPeaks
  return { from, to: Math.min(1, from + seconds / fullPeaks) }
}

const onDurationChange = (changed: () => void) => {
  for (const name of ['durationchange', 'emptied']) audio.addEventListener(name, changed)
  const stop = useSession.subscribe(changed)
  return () => {
    for (const name of ['durationchange', 'emptied']) audio.removeEventListener(name, changed)
    stop()
  }
}
