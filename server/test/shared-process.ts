import { afterAll, vi } from 'vitest'

/** Restores clocks, globals and the environment before the next file runs in this process. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
