import fs from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { analyse } from './analyse.ts'
import { openAnalysisHarness } from './analysis-harness.ts'
import { join, silentFlacOf, tune, wavOf } from './make-audio.ts'

const { folder } = openAnalysisHarness()
const longer = tune({ seed: 4, seconds: 10, rate: 8000, channels: 1 })

describe('audio that is not music', () => {
  /** Number of frames of 65,535 samples. */
  const TEN_MINUTES = 404
  const analyseIn = async (name: string, bytes: Buffer) => {
    const file = path.join(folder, name)
    const previews = fs.mkdtempSync(path.join(folder, 'previews-'))
    fs.writeFileSync(file, bytes)
    const analysis = await analyse(file, { previewPath: path.join(previews, 'preview.mp3') })
    fs.rmSync(file)
    return { ...analysis, left: fs.readdirSync(previews) }
  }

  test('is not decoded for much longer than two minutes, and leaves no preview', async () => {
    const bomb = silentFlacOf(TEN_MINUTES)
    expect(bomb.length).toBeLessThan(6000)
    const { faults, playable, decoded_seconds, left } = await analyseIn('bomb.flac', bomb)
    expect([faults, playable, left]).toMatchObject([[{ code: 'constant_signal' }], false, []])
    expect(decoded_seconds).toBeGreaterThan(120)
    expect(decoded_seconds).toBeLessThan(150)
  })

  test('gets only a warning for a pause of less than two minutes', async () => {
    const [sound] = longer as [Float32Array]
    const pause = new Float32Array(8000 * 115)
    const { faults, playable } = await analyseIn('pause.wav', wavOf([join(sound, pause, sound)], { rate: 8000 }))
    expect([faults.map(({ code }) => code), playable]).toEqual([['silent_part'], true])
  })
})
