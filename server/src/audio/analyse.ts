import fs from 'node:fs'
import { ANALYSER_VERSION, type Analysis, type Fault, isWarning, unreadable } from './analysis.ts'
import { decode } from './decode.ts'
import { FileWindow } from './file-window.ts'
import { claimedFormat } from './format.ts'
import { inspect, type Structure } from './integrity.ts'
import { Listener } from './listener.ts'
import { Preview } from './preview.ts'

export type AnalyseOptions = {
  /** The genre's usual range in BPM, deciding between half and double tempo. */
  tempoRange?: [number, number]
  /** Where to write an MP3 of 128 kbit/s in the same pass. */
  previewPath?: string
  /** Receives the share of the file read, 0..1. */
  onProgress?: (share: number) => void
  /** Receives the duration the file's structure promises, before anything is decoded. */
  onExpected?: (durationSeconds: number) => void
}

/** Decodes once; hands every block to the measurements and to the preview. Undefined when nothing came out. */
async function listen(
  fd: number,
  structure: Structure,
  faults: Fault[],
  options: AnalyseOptions,
): Promise<Listener | undefined> {
  let listener: Listener | undefined
  let preview: Preview | undefined
  try {
    for await (const block of decode(fd, structure, (fault) => faults.push(fault))) {
      const channels = block.channels.length > 1 ? 2 : 1
      listener ??= new Listener(block.sample_rate, channels)
      if (options.previewPath !== undefined) {
        preview ??= await Preview.open(options.previewPath, { sample_rate: block.sample_rate, channels })
      }
      const heard = listener.push(block.channels)
      preview?.push(heard)
      options.onProgress?.(block.share)
    }
    preview?.finish()
    return listener
  } catch (error) {
    preview?.discard()
    throw error
  }
}

const UNDECODABLE: Fault = { code: 'undecodable', message: 'The audio cannot be decoded.' }

function bitrateOf(structure: Structure, seconds: number): number {
  if (structure.format === 'mp3') return structure.bitrate_kbps
  const audioBytes = structure.format === 'flac' ? structure.to - structure.from : structure.layout!.bytes
  return Math.round((audioBytes * 8) / seconds / 1000)
}

function soundFaults(seconds: number, truePeakDb: number): Fault[] {
  const faults: Fault[] = []
  if (truePeakDb < -60) faults.push({ code: 'silent', message: 'The whole file is silent.', at_seconds: 0 })
  if (seconds < 1) faults.push({ code: 'too_short', message: `The audio lasts ${seconds.toFixed(2)} seconds only.` })
  return faults
}

/**
 * Everything the pool knows about an audio file, in one pass: integrity, duration, tempo, key, loudness, peaks and, on request, the
 * preview. A damaged file is analysed as far as it can be heard, with `playable` false. Throws only when the file or the preview's
 * folder cannot be used at all.
 */
export async function analyse(path: string, options: AnalyseOptions = {}): Promise<Analysis> {
  const fd = fs.openSync(path, 'r')
  try {
    const file = new FileWindow(fd)
    const structure = inspect(file)
    if (!('format' in structure)) return unreadable(claimedFormat(path), [structure])
    if (!structure.is_decodable) return unreadable(structure.format, structure.faults)
    options.onExpected?.(structure.duration_seconds)
    const faults = [...structure.faults]
    const listener = await listen(fd, structure, faults, options)
    if (!listener) return unreadable(structure.format, [...faults, UNDECODABLE])
    const heard = listener.finish(options.tempoRange)
    faults.push(...soundFaults(heard.duration_seconds, heard.true_peak_db))
    return {
      format: structure.format,
      bitrate_kbps: bitrateOf(structure, heard.duration_seconds),
      ...heard,
      channels: structure.format === 'wav' || structure.format === 'aiff' ? structure.layout!.channels : heard.channels,
      faults,
      playable: faults.every(isWarning),
      analyser_version: ANALYSER_VERSION,
    }
  } finally {
    fs.closeSync(fd)
  }
}
