import { expect } from 'vitest'
import { audio } from '../src/player/audio.ts'

/** Waits until sound plays, and has played on for a moment. */
export async function expectSound() {
  await expect.poll(() => audio.paused).toBe(false)
  const from_seconds = audio.currentTime
  await expect.poll(() => audio.currentTime).toBeGreaterThan(from_seconds)
}

export const expectSilence = () => expect.poll(() => audio.paused).toBe(true)
