import fs from 'node:fs'
import { MPEGDecoder } from 'mpg123-decoder'
import { Preview } from '../server/src/analysis/preview.ts'
import { SignalAnalyser } from '../server/src/analysis/signal-analyser.ts'
import { SoundCheck } from '../server/src/analysis/sound-check.ts'

/** CPU seconds of the parts of analysing one MP3 of 44.1 kHz in stereo, in a separate process. */
export type ImportParts = { seconds: number; decode: number; measure: number; encode: number; rest: number }

const [file = '', previewPath = '', mode = 'wasm'] = process.argv.slice(2)
const CHUNK_BYTES = 65_536

/** What the analyser does for one file. `isFast` is false for what it does without its own WebAssembly modules. */
async function measureParts(bytes: Buffer, isFast: boolean): Promise<ImportParts> {
  const parts: ImportParts = { seconds: 0, decode: 0, measure: 0, encode: 0, rest: 0 }
  let usage = process.cpuUsage()
  const finishPart = (part: keyof ImportParts) => {
    const { user, system } = process.cpuUsage(usage)
    parts[part] += (user + system) / 1e6
    usage = process.cpuUsage()
  }
  const source = { sample_rate: 44_100, channels: 2 } as const
  const unavailable = () => {
    throw new Error('not measured')
  }
  const decoder = new MPEGDecoder()
  await decoder.ready
  const analyser = new SignalAnalyser(source.sample_rate, source.channels, { isFast })
  const check = new SoundCheck(source.sample_rate, source.channels, 0)
  const fd = fs.openSync(previewPath, 'w')
  const preview = await Preview.start(fd, isFast ? source : { ...source, createEncoder: unavailable })
  finishPart('rest')
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    const { channelData, samplesDecoded } = decoder.decode(bytes.subarray(at, at + CHUNK_BYTES))
    finishPart('decode')
    if (samplesDecoded === 0) continue
    parts.seconds += samplesDecoded / source.sample_rate
    analyser.push(channelData)
    finishPart('measure')
    check.push(channelData)
    finishPart('rest')
    preview.push(channelData)
    finishPart('encode')
  }
  preview.finish()
  fs.closeSync(fd)
  finishPart('encode')
  analyser.finish()
  decoder.free()
  finishPart('rest')
  return parts
}

const bytes = fs.readFileSync(file)
process.stdout.write(JSON.stringify(await measureParts(bytes, mode === 'wasm')), () => process.exit(0))
