import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useSession } from '../platform/session.ts'
import { audio, previewStart, soundDuration } from './audio.ts'

const EVENTS = ['timeupdate', 'seeking', 'loadedmetadata', 'durationchange', 'emptied', 'play', 'pause'] as const

/**
 * Calls `show` now and whenever the position may have changed; `smoothly` with every frame while sound plays. It writes
 * to the page itself: time passing renders nothing.
 */
export const useMoments = (show: () => void, { smoothly = false } = {}) => {
  const latest = useRef(show)
  useEffect(() => {
    latest.current = show
    show()
  })
  useEffect(() => {
    let frame = 0
    const tell = () => latest.current()
    const follow = () => {
      tell()
      frame = requestAnimationFrame(follow)
    }
    const told = () => {
      cancelAnimationFrame(frame)
      if (smoothly && !audio.paused) follow()
      else tell()
    }
    for (const name of EVENTS) audio.addEventListener(name, told)
    told()
    return () => {
      cancelAnimationFrame(frame)
      for (const name of EVENTS) audio.removeEventListener(name, told)
    }
  }, [smoothly])
}

/** Which part of a version can be heard, from 0 to 1: a visitor's clip is cut out of it where its preview begins. */
export const useHeardPart = (version: catalogue.Version | undefined): { from: number; to: number } => {
  const seconds = useSyncExternalStore(onDuration, () => Math.round(soundDuration()))
  const whole = version?.duration_seconds
  // A second more or less is how the two were measured.
  if (!version || !whole || seconds / whole > 0.95) return { from: 0, to: 1 }
  const from = previewStart(version) / whole
  return { from, to: Math.min(1, from + seconds / whole) }
}

const onDuration = (changed: () => void) => {
  for (const name of ['durationchange', 'emptied']) audio.addEventListener(name, changed)
  const stop = useSession.subscribe(changed)
  return () => {
    for (const name of ['durationchange', 'emptied']) audio.removeEventListener(name, changed)
    stop()
  }
}
