import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { wavOf } from '../server/src/analysis/make-audio.ts'
import { renderScore } from './labelled-music.ts'
import { endedChildrenCpuSeconds } from './measure.ts'
import type { ConversionMeasurement } from './measure-conversion.ts'
import { builtPath } from './processes.ts'
import { atMostTarget, type Finding, megabytes, type Report } from './results.ts'

const SECONDS = 300
/** Of the CPU of native programs, which decode and encode with all instructions of the machine. */
const MAX_RATIO = 2

type Conversion = { what: string; source: string; format: 'mp3' | 'aiff'; native: readonly string[] }

/** Measures the CPU of converting a full-length file for a download, compared with native programs in the same run. */
export async function benchConversion(): Promise<Report> {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-bench-conversion-'))
  try {
    const conversions = conversionsOf(folder)
    return {
      title: 'Converted downloads',
      findings: conversions.map((conversion) => measure(conversion, folder)),
      notes: conversions.length < 2 ? ['Without FLAC and 96 kHz: ffmpeg is not installed.'] : [],
    }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const FFMPEG = ['ffmpeg', '-v', 'error', '-nostdin', '-y', '-threads', '1'] as const

function conversionsOf(folder: string): Conversion[] {
  const score = { seed: 1, rhythm: 'house', bpm: 124, tonic: 9, mode: 'minor', cents: 0 } as const
  const mono = renderScore({ ...score, seconds: SECONDS, hasDrums: true, hasHarmony: true })
  const wav = path.join(folder, 'full.wav')
  writeFileSync(wav, wavOf([mono, mono.map((sample, i) => (sample + (mono[i - 400] ?? 0)) / 2)]))
  const output = path.join(folder, 'native')
  const lame = ['lame', '--quiet', '-b', '320', '-q', '2', wav, `${output}.mp3`]
  const conversions: Conversion[] = [{ what: 'WAV to MP3 320', source: wav, format: 'mp3', native: lame }]
  const flac = path.join(folder, 'full.flac')
  const fine = path.join(folder, 'fine.flac')
  const isFlac = runs([...FFMPEG, '-i', wav, flac])
  const isFine = runs([...FFMPEG, '-i', wav, '-ar', '96000', '-sample_fmt', 's32', '-bits_per_raw_sample', '24', fine])
  if (!isFlac || !isFine) return conversions
  const encode = ['-c:a', 'libmp3lame', '-b:a', '320k', '-compression_level', '2']
  return [
    ...conversions,
    {
      ...{ what: 'FLAC to MP3 320', source: flac, format: 'mp3' },
      native: [...FFMPEG, '-i', flac, ...encode, `${output}.mp3`],
    },
    {
      ...{ what: 'FLAC of 96 kHz and 24 bits to MP3 320', source: fine, format: 'mp3' },
      native: [...FFMPEG, '-i', fine, '-ar', '48000', ...encode, `${output}.mp3`],
    },
    { what: 'FLAC to AIFF', source: flac, format: 'aiff', native: [...FFMPEG, '-i', flac, `${output}.aiff`] },
  ]
}

const runs = ([program = '', ...args]: readonly string[]): boolean => spawnSync(program, args).status === 0

/** CPU seconds of a native program; undefined if it is not installed. */
function nativeSeconds(command: readonly string[]): number | undefined {
  const before = endedChildrenCpuSeconds()
  return runs(command) ? endedChildrenCpuSeconds() - before : undefined
}

function measure({ what, source, format, native }: Conversion, folder: string): Finding {
  const args = [builtPath('converting'), source, path.join(folder, 'ours'), format]
  const child = spawnSync(process.execPath, args, { encoding: 'utf8' })
  if (child.status !== 0) throw new Error(`${source} was not converted: ${child.stderr}`)
  const { cpu_seconds, peak_mb } = JSON.parse(child.stdout) as ConversionMeasurement
  const compared = nativeSeconds(native)
  const speed = Math.round(SECONDS / cpu_seconds)
  return {
    what: `${what}, ${SECONDS} s, times real time on one core`,
    ours: `${speed} (${cpu_seconds.toFixed(2)} s of CPU, at most ${megabytes(peak_mb)})`,
    against: compared === undefined ? '' : `${compared.toFixed(2)} s of CPU (${native[0]})`,
    ...(compared === undefined ? {} : { ratio: cpu_seconds / compared }),
    ...(compared === undefined || format === 'aiff' ? {} : { target: atMostTarget(cpu_seconds / compared, MAX_RATIO) }),
  }
}
