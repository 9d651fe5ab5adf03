import { expect } from 'vitest'
import { audio } from '../src/player/audio.ts'

/** Waits until the player has made progress for a moment. */
export async function expectPlaying() {
  await expect.poll(() => audio.paused).toBe(false)
  const from_seconds = audio.currentTime
  await expect.poll(() => audio.currentTime).toBeGreaterThan(from_seconds)
}

export const expectPaused = () => expect.poll(() => audio.paused).toBe(true)
