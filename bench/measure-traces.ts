import fs from 'node:fs'
import { decode } from '../server/src/analysis/decode.ts'
import { plainLayout } from '../server/src/analysis/downmix.ts'
import { EncodingTraces } from '../server/src/analysis/encoding-traces/encoding-traces.ts'
import { SignalAnalyser } from '../server/src/analysis/signal-analyser.ts'
import { FileWindow } from '../server/src/audio-files/file-window.ts'
import { inspect } from '../server/src/audio-files/integrity.ts'

/** The codec found in a WAV or FLAC in stereo, and CPU seconds of decoding the file and of looking for traces. */
export type TracesMeasurement = { codec: string | undefined; decode: number; traces: number }

/** `step` is the smallest difference between two samples. */
export async function measureTraces(file: string, step = 2 ** -15): Promise<TracesMeasurement> {
  const fd = fs.openSync(file, 'r')
  try {
    const structure = inspect(new FileWindow(fd))
    if (!('format' in structure)) throw new Error(`${file} is not audio`)
    const seconds = { decode: 0, traces: 0 }
    let usage = process.cpuUsage()
    const finishPart = (part: keyof typeof seconds) => {
      const { user, system } = process.cpuUsage(usage)
      seconds[part] += (user + system) / 1e6
      usage = process.cpuUsage()
    }
    let traces: EncodingTraces | undefined
    // Only for the transforms that it shares.
    let analyser: SignalAnalyser | undefined
    for await (const { channels, sample_rate } of decode(fd, structure, () => {})) {
      finishPart('decode')
      const count = channels.length === 1 ? 1 : 2
      analyser ??= new SignalAnalyser(sample_rate, plainLayout(count))
      traces ??= new EncodingTraces(sample_rate, count, step, analyser.transforms.createTransform)
      traces.push(channels)
      finishPart('traces')
    }
    const codec = traces?.codec()
    finishPart('traces')
    return { codec, ...seconds }
  } finally {
    fs.closeSync(fd)
  }
}
