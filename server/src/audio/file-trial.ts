import fs from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, vi } from 'vitest'
import { analyse } from './analyse.ts'
import type { Analysis } from './analysis.ts'

type Trial = { folder: string; verdictOn: (bytes: Uint8Array, name?: string) => Promise<Analysis> }

/** For tests: analyses files that are made in memory, in a folder of their own that goes with the test file. */
export function openTrial(): Trial {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'trial-'))
  afterAll(() => fs.rmSync(folder, { recursive: true }))
  // The decoders speak of every broken frame.
  vi.spyOn(console, 'error').mockImplementation(() => {})
  const verdictOn = async (bytes: Uint8Array, name = 'sound.mp3') => {
    const file = path.join(folder, name)
    fs.writeFileSync(file, bytes)
    try {
      return await analyse(file)
    } finally {
      fs.rmSync(file)
    }
  }
  return { folder, verdictOn }
}
