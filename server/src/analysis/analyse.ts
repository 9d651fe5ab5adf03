import path from 'node:path'
import { type Fault, isWarning, MAX_DURATION_SECONDS } from '../audio-files/faults.ts'
import { FileWindow } from '../audio-files/file-window.ts'
import { claimedFormat } from '../audio-files/format.ts'
import { inspect, type Structure } from '../audio-files/integrity.ts'
import { ANALYSER_VERSION, type Analysis, unreadableAnalysis } from './analysis.ts'
import { type AnalysisFiles, withAnalysisFiles } from './analysis-files.ts'
import { decode } from './decode.ts'
import { channelLayout } from './downmix.ts'
import { EarlyStop } from './early-stop.ts'
import type { FallbackHandler } from './fallback.ts'
import { Preview } from './preview.ts'
import { SignalAnalyser } from './signal-analyser.ts'
import { SoundCheck } from './sound-check.ts'
import { Spectrogram } from './spectrogram.ts'
import type { DeclaredQuality } from './upscaling.ts'

export type AnalyseOptions = {
  /** The range in which the tempo is expected, which decides between half and double: see usual-tempo.ts. */
  tempoRange?: [number, number] | undefined
  /** Where to write an MP3 in the same pass. */
  previewPath?: string
  /** Receives the share of the file read, 0..1. */
  onProgress?: (share: number) => void
  /** Receives the duration declared by the file's structure, before anything is decoded. */
  onExpected?: (durationSeconds: number) => void
  /** Where decoding stops and the file is refused; {@link MAX_DURATION_SECONDS} by default. */
  maxDurationSeconds?: number
  onFallback?: FallbackHandler
}

/** The options of {@link analyseOpened}, whose files are already open. */
type OpenedOptions = Omit<AnalyseOptions, 'previewPath'>

type DecodePass = {
  signalAnalyser: SignalAnalyser
  check: SoundCheck
  spectrogram: Spectrogram
  hasPreview: boolean
}
/** Decoding that stopped before the end of the audio, and why. */
type EarlyStopResult = { stopped: Fault; decoded_seconds: number }

/** The smallest difference between two stored samples; 0 where the decoder computes its own floats. */
function sampleStep(structure: Structure): number {
  if (structure.format === 'mp3') return 0
  if (structure.format === 'flac') return 2 ** (1 - structure.bits)
  if (structure.format === 'm4a') return structure.track?.codec === 'alac' ? 2 ** (1 - structure.track.bits) : 0
  if (structure.format === 'ogg' || structure.format === 'opus') return 0
  const { encoding, sample_bytes } = structure.layout!
  return encoding === 'float' ? 0 : 2 ** (1 - 8 * sample_bytes)
}

/** Bits of a stored sample; null for lossy files. */
function bitDepth(structure: Structure): number | null {
  if (structure.format === 'flac') return structure.bits
  if (structure.format === 'm4a') return structure.track?.codec === 'alac' ? structure.track.bits : null
  return 'layout' in structure && structure.layout ? 8 * structure.layout.sample_bytes : null
}

/** Bytes of the audio in the file, and bytes of one sample of all channels once decoded. */
function sizesOf(structure: Structure): { audio: number; sample: number } {
  if (structure.format === 'mp3') return { audio: structure.to - structure.from, sample: 2 * structure.channels }
  if (structure.format === 'flac') {
    const { from, to, bits, channels } = structure
    return { audio: to - from, sample: Math.ceil(bits / 8) * channels }
  }
  if (structure.format === 'ogg' || structure.format === 'opus') {
    return { audio: structure.to - structure.from, sample: 2 * structure.channels }
  }
  if (structure.format === 'm4a') {
    const { bits = 0, channels = 1 } = structure.track ?? {}
    return { audio: structure.audio_bytes, sample: Math.ceil((bits || 16) / 8) * channels }
  }
  const { bytes, sample_bytes, channels } = structure.layout!
  return { audio: bytes, sample: sample_bytes * channels }
}

/**
 * Decodes the audio once and passes every block to the measurements and to the preview. Returns undefined when nothing
 * was decoded. Stops early when the audio is too long or is not music.
 */
async function decodeAndMeasure(
  files: AnalysisFiles,
  structure: Structure,
  faults: Fault[],
  options: OpenedOptions,
): Promise<DecodePass | EarlyStopResult | undefined> {
  const { maxDurationSeconds = MAX_DURATION_SECONDS, onFallback } = options
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
    if (!decodePass) {
      const layout = channelLayout(structure, block.channels.length)
      const signalAnalyser = new SignalAnalyser(rate, layout, { onFallback })
      const sound = { sample_rate: rate, channels, step: sampleStep(structure) } as const
      const check = new SoundCheck(sound, declaredQuality(structure), signalAnalyser.transforms)
      const spectrogram = new Spectrogram(rate, signalAnalyser.transforms.createSpectrum)
      decodePass = { signalAnalyser, check, spectrogram, hasPreview: files.preview !== undefined }
    }
    if (files.preview !== undefined) {
      const source = { sample_rate: rate, channels, max_seconds: maxDurationSeconds, onFallback } as const
      preview ??= await Preview.start(files.preview, source)
    }
    const stereo = decodePass.signalAnalyser.push(block.channels)
    // A mix hides the clipping of single channels.
    decodePass.check.push(block.channels.length > 2 ? block.channels.slice(0, 2) : stereo)
    decodePass.spectrogram.push(stereo)
    preview?.push(stereo)
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
  return Math.round((sizesOf(structure).audio * 8) / seconds / 1000)
}

function declaredQuality(structure: Structure): DeclaredQuality {
  const isAac = structure.format === 'm4a' && structure.track?.codec === 'aac'
  if (isAac || structure.format === 'ogg' || structure.format === 'opus')
    return { format: structure.format, is_lossy: true }
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
 * Measures everything about an audio file in one pass: integrity, duration, tempo, key, loudness, peaks and, on
 * request, the preview. A damaged file is analysed as far as it can be decoded, with `playable` false; one that is too
 * long is not decoded. Throws only when the file or the preview's folder cannot be used at all.
 */
export async function analyse(filePath: string, options: AnalyseOptions = {}): Promise<Analysis> {
  const { previewPath, ...rest } = options
  const { analysis } = await withAnalysisFiles({ path: filePath, previewPath }, (files) =>
    analyseOpened({ name: path.basename(filePath), ...files }, rest),
  )
  return analysis
}

/** When a preview stopped early or failed, it is incomplete: `hasPreview` is false, even if something was written. */
type AnalysedFile = { analysis: Analysis; hasPreview: boolean }

/** Does the same with files that are already open, for a process that cannot open any. */
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
  // A FLAC header can declare anything; counted frames and samples are reliable.
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
  // How the rest of a damaged file sounds says nothing about its quality.
  if (faults.every(isWarning)) {
    faults.push(...soundFaults(measured.duration_seconds, measured.true_peak_db))
    faults.push(...decodePass.check.faults())
  }
  const analysis = {
    format,
    bitrate_kbps: bitrateOf(structure, measured.duration_seconds),
    bit_depth: bitDepth(structure),
    ...measured,
    spectrum: decodePass.spectrogram.finish(),
    faults,
    playable: faults.every(isWarning),
    decoded_seconds: measured.duration_seconds,
    analyser_version: ANALYSER_VERSION,
  }
  return { analysis, hasPreview: decodePass.hasPreview }
}
