import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'
import { analyse } from './analyse.ts'
import type { Analysis } from './analysis.ts'

type AnalysisHarness = { folder: string; analyseBytes: (bytes: Uint8Array, name?: string) => Promise<Analysis> }

/** For tests: analyses files that are made in memory, in a folder of their own that goes with the test file. */
export function openAnalysisHarness(): AnalysisHarness {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trial-'))
  afterAll(() => fs.rmSync(folder, { recursive: true }))
  // The decoders speak of every broken frame.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const analyseBytes = async (bytes: Uint8Array, name = 'sound.mp3') => {
    const file = path.join(folder, name)
    fs.writeFileSync(file, bytes)
    try {
      return await analyse(file)
    } finally {
      fs.rmSync(file)
    }
  }
  return { folder, analyseBytes }
}
