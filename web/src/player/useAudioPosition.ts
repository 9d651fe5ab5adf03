import { useEffect, useRef } from 'react'
import { audio } from './audio.ts'

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
