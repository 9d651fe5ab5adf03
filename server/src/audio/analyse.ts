import path from 'node:path'
import {
  ANALYSER_VERSION,
  type Analysis,
  type Fault,
  isWarning,
  MAX_DURATION_SECONDS,
  unreadableAnalysis,
} from './analysis.ts'
import { type AnalysisFiles, withAnalysisFiles } from './analysis-files.ts'
import { decode } from './decode.ts'
import { EarlyStop } from './early-stop.ts'
import { FileWindow } from './file-window.ts'
import { claimedFormat } from './format.ts'
import { inspect, type Structure } from './integrity.ts'
import { Preview } from './preview.ts'
import { SignalAnalyser } from './signal-analyser.ts'
import { SoundCheck } from './sound-check.ts'
import type { DeclaredQuality } from './upscaling.ts'

export type AnalyseOptions = {
  /** The genre's usual range in BPM, deciding between half and double tempo. */
  tempoRange?: [number, number]
  /** Where to write an MP3 of 128 kbit/s in the same pass. */
  previewPath?: string
  /** Receives the share of the file read, 0..1. */
  onProgress?: (share: number) => void
  /** Receives the duration the file's structure promises, before anything is decoded. */
  onExpected?: (durationSeconds: number) => void
  /** Where decoding stops and the file is refused; {@link LONGEST_SECONDS} by default. */
  maxDurationSeconds?: number
}

/** What {@link analyseOpened} takes: the files are open already. */
type OpenedOptions = Omit<AnalyseOptions, 'previewPath'>

type DecodePass = { signalAnalyser: SignalAnalyser; check: SoundCheck; hasPreview: boolean }
/** Decoding that did not come to an end, and why. */
type EarlyStopResult = { stopped: Fault; decoded_seconds: number }

/** The smallest difference of two samples as they are stored; 0 where decoding makes floats of its own. */
function sampleStep(structure: Structure): number {
  if (structure.format === 'mp3') return 0
  if (structure.format === 'flac') return 2 ** (1 - structure.bits)
  const { encoding, sample_bytes } = structure.layout!
  return encoding === 'float' ? 0 : 2 ** (1 - 8 * sample_bytes)
}

/** Bytes of the audio in the file, and of one sample of all channels once it is decoded. */
function sizesOf(structure: Structure): { audio: number; sample: number } {
  if (structure.format === 'mp3') return { audio: structure.to - structure.from, sample: 2 * structure.channels }
  if (structure.format === 'flac') {
    const { from, to, bits, channels } = structure
    return { audio: to - from, sample: Math.ceil(bits / 8) * channels }
  }
  const { bytes, sample_bytes, channels } = structure.layout!
  return { audio: bytes, sample: sample_bytes * channels }
}

/**
 * Decodes once; hands every block to the measurements and to the preview. Undefined when nothing came out. Stops early where
 * the audio is too long or is no music.
 */
async function decodeAndMeasure(
  files: AnalysisFiles,
  structure: Structure,
  faults: Fault[],
  options: OpenedOptions,
): Promise<DecodePass | EarlyStopResult | undefined> {
  const { maxDurationSeconds = MAX_DURATION_SECONDS } = options
  let decodePass: DecodePass | undefined
  let preview: Preview | undefined
  let samples = 0
  let earlyStop: EarlyStop | undefined
  const { audio, sample } = sizesOf(structure)
  for await (const block of decode(files.source, structure, (fault) => faults.push(fault))) {
    const { sample_rate: rate } = block
    const channels = block.channels.length > 1 ? 2 : 1
    samples += block.channels[0]!.length
    earlyStop ??= new EarlyStop(rate)
    const amount = { decodedBytes: samples * sample, readBytes: block.share * audio }
    const stopped =
      samples > maxDurationSeconds * rate
        ? tooLongFault(maxDurationSeconds)
        : earlyStop.push({ channels: block.channels, ...amount })
    if (stopped) return { stopped, decoded_seconds: samples / rate }
    decodePass ??= {
      ...{
        signalAnalyser: new SignalAnalyser(rate, channels),
        check: new SoundCheck(rate, channels, sampleStep(structure)),
      },
      hasPreview: files.preview !== undefined,
    }
    if (files.preview !== undefined) {
      preview ??= await Preview.start(files.preview, { sample_rate: rate, channels, max_seconds: maxDurationSeconds })
    }
    const sound = decodePass.signalAnalyser.push(block.channels)
    decodePass.check.push(sound)
    preview?.push(sound)
    options.onProgress?.(block.share)
  }
  preview?.finish()
  return decodePass
}

const UNDECODABLE: Fault = { code: 'undecodable', message: 'The audio can’t be decoded.' }

function tooLongFault(maxDurationSeconds: number): Fault {
  const limit = maxDurationSeconds >= 3600 ? `${maxDurationSeconds / 3600} hours` : `${maxDurationSeconds} seconds`
  return { code: 'too_long', message: `The audio is longer than ${limit}. Split it into shorter files.` }
}

function bitrateOf(structure: Structure, seconds: number): number {
  if (structure.format === 'mp3') return structure.bitrate_kbps
  const audioBytes = structure.format === 'flac' ? structure.to - structure.from : structure.layout!.bytes
  return Math.round((audioBytes * 8) / seconds / 1000)
}

function declaredQuality(structure: Structure): DeclaredQuality {
  if (structure.format !== 'mp3') return { format: structure.format }
  return { format: 'mp3', kbps: structure.bitrate_kbps, is_constant: structure.is_constant }
}

function soundFaults(seconds: number, truePeakDb: number): Fault[] {
  const faults: Fault[] = []
  if (truePeakDb < -60) faults.push({ code: 'silent', message: 'The file is silent.', at_seconds: 0 })
  if (seconds < 1) faults.push({ code: 'too_short', message: `The audio is only ${seconds.toFixed(2)} seconds long.` })
  return faults
}

/**
 * Everything the pool knows about an audio file, in one pass: integrity, duration, tempo, key, loudness, peaks and, on request, the
 * preview. A damaged file is analysed as far as it can be heard, with `playable` false; one that is too long is not listened to.
 * Throws only when the file or the preview's folder cannot be used at all.
 */
export async function analyse(filePath: string, options: AnalyseOptions = {}): Promise<Analysis> {
  const { previewPath, ...rest } = options
  const { analysis } = await withAnalysisFiles({ path: filePath, previewPath }, (files) =>
    analyseOpened({ name: path.basename(filePath), ...files }, rest),
  )
  return analysis
}

/** A preview that stopped early or failed is not complete: then `hasPreview` is false, whatever was written. */
type AnalysedFile = { analysis: Analysis; hasPreview: boolean }

/** The same of files that are open, for a process that may open none. */
export async function analyseOpened(
  files: AnalysisFiles & { name: string },
  options: OpenedOptions = {},
): Promise<AnalysedFile> {
  const { maxDurationSeconds = MAX_DURATION_SECONDS, tempoRange } = options
  const withoutPreview = (analysis: Analysis): AnalysedFile => ({ analysis, hasPreview: false })
  const structure = inspect(new FileWindow(files.source))
  if (!('format' in structure)) return withoutPreview(unreadableAnalysis(claimedFormat(files.name), [structure]))
  const { format, duration_seconds: declaredSeconds } = structure
  if (!structure.is_decodable) return withoutPreview(unreadableAnalysis(format, structure.faults))
  // The head of a FLAC can promise anything; frames and samples that were counted cannot.
  if (declaredSeconds > maxDurationSeconds && format !== 'flac')
    return withoutPreview(unreadableAnalysis(format, [tooLongFault(maxDurationSeconds)]))
  options.onExpected?.(Math.min(declaredSeconds, maxDurationSeconds))
  const faults = [...structure.faults]
  const decodePass = await decodeAndMeasure(files, structure, faults, options)
  if (decodePass && 'stopped' in decodePass)
    return withoutPreview(unreadableAnalysis(format, [...faults, decodePass.stopped], decodePass.decoded_seconds))
  if (!decodePass)
    return withoutPreview(
      unreadableAnalysis(format, faults.some((fault) => !isWarning(fault)) ? faults : [...faults, UNDECODABLE]),
    )
  const measured = decodePass.signalAnalyser.finish(tempoRange)
  // Of what is damaged, how the rest sounds says nothing.
  if (faults.every(isWarning)) {
    faults.push(...soundFaults(measured.duration_seconds, measured.true_peak_db))
    faults.push(...decodePass.check.faults(declaredQuality(structure)))
  }
  const analysis = {
    format,
    bitrate_kbps: bitrateOf(structure, measured.duration_seconds),
    ...measured,
    channels:
      structure.format === 'wav' || structure.format === 'aiff' ? structure.layout!.channels : measured.channels,
    faults,
    playable: faults.every(isWarning),
    decoded_seconds: measured.duration_seconds,
    analyser_version: ANALYSER_VERSION,
  }
  return { analysis, hasPreview: decodePass.hasPreview }
}
