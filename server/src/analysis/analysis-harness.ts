import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'
import { analyse } from './analyse.ts'
import type { Analysis } from './analysis.ts'

type AnalysisHarness = { folder: string; analyseBytes: (bytes: Uint8Array, name?: string) => Promise<Analysis> }

/** For tests: analyses files made in memory, in a temporary folder that is deleted after the test file. */
export function openAnalysisHarness(): AnalysisHarness {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trial-'))
  afterAll(() => fs.rmSync(folder, { recursive: true }))
  // The decoders log every damaged frame.
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
