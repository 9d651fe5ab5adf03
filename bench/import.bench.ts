import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../server/src/platform/project-root.ts'
import type { BenchPool } from './bench-pool.ts'
import { endedChildrenCpuSeconds } from './measure.ts'
import type { Finding, Report } from './results.ts'

const SECONDS = 180
const FORMATS = ['mp3', 'flac', 'wav'] as const
const FILES_PER_FORMAT = 2

const program = path.resolve(projectRoot, process.env.BENCH_SERVER ?? 'server/dist', 'pool.js')

const has = (name: string): boolean => spawnSync(name, ['-version'], { stdio: 'ignore' }).status === 0

/** Imports a folder (analysis, previews, waveforms, checksums), compared with ffmpeg only decoding the same files. */
export async function benchImport(pool: BenchPool): Promise<Report> {
  const skippedReport = (reason: string): Report => ({ title: 'Import', findings: [], notes: [reason] })
  if (!has('ffmpeg'))
    return skippedReport('There is no ffmpeg on this machine, so the import was not compared with it.')
  if (!existsSync(program)) return skippedReport(`There is no ${program}, so the import was not measured.`)
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-bench-import-'))
  try {
    const findings = FORMATS.map((format) => compareFormat(pool, path.join(folder, format), format))
    const what = `${FILES_PER_FORMAT} files of ${SECONDS} s in each format. CPU of the import with its analysers, without the database's; both sides decode every sample, the import also measures tempo, key and loudness and makes previews and waveforms.`
    return { title: 'Import', findings, notes: [what] }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function compareFormat(pool: BenchPool, folder: string, format: (typeof FORMATS)[number]): Finding {
  const files = synthesise(folder, format)
  const decodeCost = measureCommand(
    'ffmpeg',
    files.flatMap((file) => ['-i', file]),
    ['-v', 'error', '-nostdin'],
    maps(files.length),
  )
  const importCost = measureCommand(process.execPath, [program, 'import', folder], [], [], {
    PATH: process.env.PATH ?? '',
    DATA_DIR: pool.dataDir,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
  })
  const each = (total: number) => total / files.length
  return {
    what: `importing ${format.toUpperCase()}, CPU for each file`,
    ours: `${each(importCost.cpu).toFixed(2)} s (wall ${each(importCost.wall).toFixed(2)} s)`,
    against: `${each(decodeCost.cpu).toFixed(2)} s (wall ${each(decodeCost.wall).toFixed(2)} s) (ffmpeg decoding)`,
    ratio: importCost.cpu / decodeCost.cpu,
  }
}

/** ffmpeg arguments that decode every input and discard the output. */
const maps = (count: number): string[] => [
  ...Array.from({ length: count }, (_, n) => ['-map', `${n}:a`]).flat(),
  ...['-f', 'null', '-'],
]

/**
 * Synthesises a kick, a bass and high-frequency noise, so that there is a tempo to detect. Each file has a different
 * tempo and content.
 */
function synthesise(folder: string, format: string): string[] {
  mkdirSync(folder)
  return Array.from({ length: FILES_PER_FORMAT }, (_, n) => {
    const beat = 60 / (118 + n * 4 + format.length)
    const kick = `0.7*sin(2*PI*55*mod(t,${beat}))*exp(-9*mod(t,${beat}))`
    const bass = `0.2*sin(2*PI*${110 + n * 7}*t)`
    const hat = `0.1*(random(0)-0.5)*exp(-40*mod(t+${beat / 2},${beat}))`
    const file = path.join(folder, `Bench ${format} - Track ${n + 1} ${Date.now()} (Clean).${format}`)
    const sound = `aevalsrc=exprs=${kick}+${bass}+${hat}:s=44100:d=${SECONDS}`.replaceAll(',', '\\,')
    const encode = format === 'mp3' ? ['-b:a', '320k'] : ['-sample_fmt', 's16']
    const result = spawnSync('ffmpeg', [
      '-v',
      'error',
      '-nostdin',
      '-f',
      'lavfi',
      '-i',
      sound,
      '-ac',
      '2',
      ...encode,
      file,
    ])
    if (result.status !== 0) throw new Error(`ffmpeg could not create ${file}: ${result.stderr}`)
    return file
  })
}

/** CPU and wall-clock seconds of a program and its child processes. */
function measureCommand(name: string, args: string[], before: string[], after: string[], env?: Record<string, string>) {
  const [cpu, wall] = [endedChildrenCpuSeconds(), performance.now()]
  const result = spawnSync(name, [...before, ...args, ...after], { encoding: 'utf8', ...(env ? { env } : {}) })
  if (result.status !== 0)
    throw new Error(`${name} ${args.slice(0, 2).join(' ')} failed: ${result.stderr}${result.stdout}`)
  return { cpu: endedChildrenCpuSeconds() - cpu, wall: (performance.now() - wall) / 1000 }
}
