import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../server/src/platform/project-root.ts'
import type { BenchPool } from './bench-pool.ts'
import { endedChildrenCpuSeconds } from './measure.ts'
import type { ImportCost, ImportParts } from './measure-import-parts.ts'
import { builtPath } from './processes.ts'
import { atLeastTarget, type Finding, type Report } from './results.ts'

const SECONDS = 180
const FORMATS = ['mp3', 'flac', 'wav'] as const
const FILES_PER_FORMAT = 2
/** The parts are those of the median run. */
const RUNS = 3

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
    const parts = measureParts(path.join(folder, 'mp3'))
    const speeds =
      'The parts are those of one MP3 of 320 kbit/s in a process that has analysed one before: “measure” is tempo, key, loudness, true peak, waveform and fingerprint, “rest” the sound check, the search for beats and the start. “TypeScript” is the same with neither of our WebAssembly modules, as before them. × is how many times faster than real time on one core.'
    return { title: 'Import', findings: [...findings, ...parts], notes: [what, speeds] }
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
    ours: `${each(importCost.cpu).toFixed(2)} s, ${speedOf(each(importCost.cpu))} (wall ${each(importCost.wall).toFixed(2)} s)`,
    against: `${each(decodeCost.cpu).toFixed(2)} s (wall ${each(decodeCost.wall).toFixed(2)} s) (ffmpeg decoding)`,
    ratio: importCost.cpu / decodeCost.cpu,
  }
}

const speedOf = (cpuSeconds: number): string => `${Math.round(SECONDS / cpuSeconds)} ×`

/** The parts of an analysis with and without our WebAssembly modules, compared with ffmpeg and with native LAME. */
function measureParts(folder: string): Finding[] {
  const file = path.join(folder, readdirSync(folder)[0]!)
  const target = path.join(folder, 'preview.tmp')
  const costOf = (mode: 'wasm' | 'typescript'): ImportCost => {
    const child = spawnSync(process.execPath, [builtPath('import-parts'), file, target, mode], { encoding: 'utf8' })
    if (child.status !== 0) throw new Error(`The parts of the import could not be measured: ${child.stderr}`)
    return JSON.parse(child.stdout) as ImportCost
  }
  const totalOf = ({ decode, measure, encode, rest }: ImportParts) => decode + measure + encode + rest
  const runs = Array.from({ length: RUNS }, () => costOf('wasm')).sort((a, b) => totalOf(a.again) - totalOf(b.again))
  const { first, again: fast } = runs[RUNS >> 1]!
  const { first: slowFirst, again: slow } = costOf('typescript')
  const decoding = measureCommand('ffmpeg', ['-i', file], ['-v', 'error', '-nostdin'], maps(1)).cpu
  const lame = encodeNatively(file, target)
  const against = (name: 'decode' | 'measure' | 'encode' | 'rest') => `${slow[name].toFixed(2)} s (TypeScript)`
  const findings: Finding[] = [
    {
      what: 'analysing an MP3 when the code is compiled, CPU',
      ours: `${totalOf(fast).toFixed(2)} s, ${speedOf(totalOf(fast))}`,
      against: `${totalOf(slow).toFixed(2)} s, ${speedOf(totalOf(slow))} (TypeScript)`,
      ratio: totalOf(fast) / totalOf(slow),
      target: atLeastTarget(Math.round(SECONDS / totalOf(fast)), 90, ' ×'),
    },
    {
      what: 'the same in a new process, as workers do it',
      ours: `${totalOf(first).toFixed(2)} s, ${speedOf(totalOf(first))}`,
      against: `${totalOf(slowFirst).toFixed(2)} s, ${speedOf(totalOf(slowFirst))} (TypeScript)`,
      ratio: totalOf(first) / totalOf(slowFirst),
    },
    {
      what: 'when the code is compiled, against ffmpeg',
      ours: `${totalOf(fast).toFixed(2)} s`,
      against: `${decoding.toFixed(2)} s (ffmpeg decoding)`,
      ratio: totalOf(fast) / decoding,
    },
  ]
  for (const name of ['decode', 'measure', 'encode', 'rest'] as const) {
    findings.push({
      what: `its part “${name}”`,
      ours: `${fast[name].toFixed(2)} s`,
      against: against(name),
      ratio: fast[name] / slow[name],
    })
  }
  if (lame !== undefined) {
    findings.push({
      what: 'its part “encode” against native LAME',
      ours: `${fast.encode.toFixed(2)} s`,
      against: `${lame.toFixed(2)} s (lame -V 4 -q 7 -b 160 -B 160 -F)`,
      ratio: fast.encode / lame,
    })
  }
  return findings
}

/** CPU seconds of the `lame` program with the settings of previews, without its decoding; undefined without it. */
function encodeNatively(mp3: string, target: string): number | undefined {
  if (spawnSync('lame', ['--version'], { stdio: 'ignore' }).status !== 0) return undefined
  const wav = `${target}.wav`
  const decoded = spawnSync('ffmpeg', ['-v', 'error', '-nostdin', '-y', '-i', mp3, wav])
  if (decoded.status !== 0) throw new Error(`ffmpeg could not decode ${mp3}: ${decoded.stderr}`)
  const settings = ['--quiet', '-V', '4', '-q', '7', '-b', '160', '-B', '160', '-F']
  return measureCommand('lame', settings, [], [wav, target]).cpu
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
