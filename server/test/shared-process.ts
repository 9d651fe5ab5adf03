import { afterAll, vi } from 'vitest'

/** Clocks, globals and the environment are themselves again before the next file runs in this process. */
afterAll(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
  vi.unstubAllEnvs()
})
