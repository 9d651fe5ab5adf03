import fs from 'node:fs'
import { decode } from '../server/src/analysis/decode.ts'
import { plainLayout } from '../server/src/analysis/downmix.ts'
import { Preview } from '../server/src/analysis/preview.ts'
import { SignalAnalyser } from '../server/src/analysis/signal-analyser.ts'
import { SoundCheck } from '../server/src/analysis/sound-check.ts'
import { FileWindow } from '../server/src/audio-files/file-window.ts'
import { inspect } from '../server/src/audio-files/integrity.ts'

/** CPU seconds of the parts of analysing one MP3 of 44.1 kHz in stereo. */
export type ImportParts = { decode: number; measure: number; encode: number; rest: number }

const [file = '', previewPath = '', mode = 'wasm'] = process.argv.slice(2)

/** What one process needed for its first file, and for the same file again: by then, its code has been compiled. */
export type ImportCost = { first: ImportParts; again: ImportParts }

/** What the analyser does for one file. `isFast` is false for what it does without its own WebAssembly modules. */
async function measureParts(isFast: boolean): Promise<ImportParts> {
  const parts: ImportParts = { decode: 0, measure: 0, encode: 0, rest: 0 }
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
  const sourceFd = fs.openSync(file, 'r')
  const structure = inspect(new FileWindow(sourceFd))
  if (!('format' in structure)) throw new Error(`${file} is not audio`)
  const analyser = new SignalAnalyser(source.sample_rate, plainLayout(source.channels), { isFast })
  const check = new SoundCheck({ ...source, step: 0 }, { format: 'mp3' }, analyser.transforms)
  const fd = fs.openSync(previewPath, 'w')
  const preview = await Preview.start(fd, isFast ? source : { ...source, createEncoder: unavailable })
  finishPart('rest')
  for await (const { channels } of decode(sourceFd, structure, () => {})) {
    finishPart('decode')
    analyser.push(channels)
    finishPart('measure')
    check.push(channels)
    finishPart('rest')
    preview.push(channels)
    finishPart('encode')
  }
  preview.finish()
  fs.closeSync(fd)
  finishPart('encode')
  analyser.finish()
  fs.closeSync(sourceFd)
  finishPart('rest')
  return parts
}

const isFast = mode === 'wasm'
const cost: ImportCost = { first: await measureParts(isFast), again: await measureParts(isFast) }
process.stdout.write(JSON.stringify(cost), () => process.exit(0))
