import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef, useSyncExternalStore } from 'react'
import { useSession } from '../platform/session.ts'
import { audio, soundDuration } from './audio.ts'

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

/** How much of a version can be heard, 0 to 1: a visitor's clip is its beginning. */
export const useHeardShare = (version: catalogue.Version | undefined): number => {
  const seconds = useSyncExternalStore(onDuration, () => Math.round(soundDuration()))
  const share = version?.duration_seconds ? seconds / version.duration_seconds : 1
  // A second more or less is how the two were measured.
  return share > 0.95 ? 1 : share
}

const onDuration = (changed: () => void) => {
  for (const name of ['durationchange', 'emptied']) audio.addEventListener(name, changed)
  const stop = useSession.subscribe(changed)
  return () => {
    for (const name of ['durationchange', 'emptied']) audio.removeEventListener(name, changed)
    stop()
  }
}
