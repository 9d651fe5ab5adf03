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
 * Calls `show` now and whenever the position may have changed; with `smoothly`, on every frame during playback. `show`
 * updates the DOM directly, so that time passing does not cause renders.
 */
export const useAudioPosition = (show: () => void, { smoothly: isSmooth = false } = {}) => {
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
    show()
  })
  useEffect(() => {
    let frame = 0
    const update = () => latest.current()
    const followFrame = () => {
      update()
      frame = requestAnimationFrame(followFrame)
    }
    const restart = () => {
      cancelAnimationFrame(frame)
      if (isSmooth && !audio.paused) followFrame()
      else update()
    }
    for (const name of POSITION_EVENTS) audio.addEventListener(name, restart)
    restart()
    return () => {
      cancelAnimationFrame(frame)
      for (const name of POSITION_EVENTS) audio.removeEventListener(name, restart)
    }
  }, [isSmooth])
}

/** The audible part of a version, from 0 to 1: a visitor's clip starts at its preview start. */
export const useAudibleRange = (version: catalogue.Version | undefined): { from: number; to: number } => {
  const seconds = useSyncExternalStore(onDurationChange, () => Math.round(soundDuration()))
  const fullPeaks = version?.duration_seconds
  // The two lengths are measured differently and may differ by a second.
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
