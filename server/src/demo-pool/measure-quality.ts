import { open } from 'node:fs/promises'
import { SAMPLE_RATE } from '@dubplate/demo/song'
import { decode } from '../analysis/decode.ts'
import { FingerprintStream } from '../analysis/fingerprint.ts'
import { HalfRate, ResamplerChain } from '../analysis/resample.ts'
import { SoundCheck } from '../analysis/sound-check.ts'
import { Spectrogram } from '../analysis/spectrogram.ts'
import type { Fault } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { inspect } from '../audio-files/integrity.ts'
import type { RenderedQuality } from './music-messages.ts'

/** Decodes a generated MP3 and checks its sound as the analysis of other files does. */
export async function measureQuality(path: string): Promise<RenderedQuality> {
  const file = await open(path)
  try {
    const structure = inspect(new FileWindow(file.fd))
    if (!('format' in structure) || structure.format !== 'mp3') throw new Error('The generated file is not an MP3')
    const { bitrate_kbps: kbps, is_constant } = structure
    const faults: Fault[] = [...structure.faults]
    const spectrogram = new Spectrogram(SAMPLE_RATE)
    const check = new SoundCheck(
      { sample_rate: SAMPLE_RATE, channels: 2, step: 0 },
      { format: 'mp3', kbps, is_constant },
    )
    const fingerprint = new FingerprintStream()
    // The rate of the fingerprint is a quarter of 44.1 kHz.
    const resampler = new ResamplerChain([new HalfRate(), new HalfRate()])
    for await (const { channels } of decode(file.fd, structure, (fault) => faults.push(fault))) {
      const [left, right] = channels as [Float32Array, Float32Array]
      spectrogram.push(channels)
      check.push(channels)
      fingerprint.push(resampler.push(left.map((sample, i) => (sample + right[i]!) * 0.5)))
    }
    faults.push(...check.faults())
    return {
      ...{ faults, spectrum: spectrogram.finish() },
      ...{ fingerprint: fingerprint.codes(), level_print: fingerprint.levels() },
    }
  } finally {
    await file.close()
  }
}
