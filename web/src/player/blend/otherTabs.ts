import { audio, pauseSound, startSound } from '../audio.ts'

/** So that a blend is not heard together with the player of another tab. */
const channel = new BroadcastChannel('dubplate.blend')

let isPausedByOtherTab = false

/** Pauses the players of other tabs. Returns a function to continue those it has paused. */
export function pauseOtherTabs(): () => void {
  channel.postMessage('started')
  return () => channel.postMessage('ended')
}

/** Follows the blends of other tabs. Returns a function to stop that. */
export function followOtherTabs(): () => void {
  const stop = new AbortController()
  const { signal } = stop
  const followBlend = ({ data }: MessageEvent) => {
    if (data === 'started' && !audio.paused) {
      isPausedByOtherTab = true
      pauseSound()
    } else if (data === 'ended' && isPausedByOtherTab) startSound()
  }
  channel.addEventListener('message', followBlend, { signal })
  // Also when the listener has pressed Play before the blend ended.
  audio.addEventListener('play', () => (isPausedByOtherTab = false), { signal })
  return () => stop.abort()
}
