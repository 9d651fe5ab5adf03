import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../server/src/platform/project-root.ts'

/** One row of the results: what was measured, and what it is compared with in the same run. */
export type Finding = {
  what: string
  ours: string
  against: string
  ratio?: number
  target?: { limit: 'most' | 'least'; bound: number; unit: string; value: number }
}

/** Result of one benchmark: its findings, and notes of one sentence each for the reader. */
export type Report = { title: string; findings: Finding[]; notes: string[] }

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number): string => `${Math.round(value)}/s`
export const perGb = (value: number): string => `${value.toFixed(2)} s/GB`
export const megabytes = (value: number): string => `${Math.round(value)} MB`

/** A number with the upper bound it should not exceed. */
export const atMostTarget = (value: number, bound: number, unit = ''): Finding['target'] => ({
  limit: 'most',
  bound,
  unit,
  value,
})
export const atLeastTarget = (value: number, bound: number, unit = ''): Finding['target'] => ({
  limit: 'least',
  bound,
  unit,
  value,
})

const isMet = ({ limit, bound, value }: NonNullable<Finding['target']>): boolean =>
  limit === 'most' ? value <= bound : value >= bound

function row({ what, ours: ourResult, against: compareWith, ratio, target }: Finding): string[] {
  const targetText = target ? `at ${target.limit} ${target.bound}${target.unit}` : ''
  return [
    what,
    ourResult,
    compareWith,
    ratio === undefined ? '' : ratio.toFixed(2),
    targetText,
    target ? (isMet(target) ? 'yes' : 'NO') : '',
  ]
}

const HEAD = ['measured', 'Dubplate', 'against', 'ratio', 'aim', 'met']

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

export function table(findings: readonly Finding[]): string {
  return [line(HEAD), line(HEAD.map(() => '---')), ...findings.map((finding) => line(row(finding)))].join('\n')
}

/** One benchmark as a section of RESULTS.md: when it ran, with how many songs, and what it found. */
const section = ({ title, findings, notes }: Report, child: string): string =>
  [`## ${title}`, child, ...(findings.length > 0 ? [table(findings)] : []), ...notes].join('\n\n')

/** Describes the machine and the versions, as far as they affect the numbers. */
export function describeMachine(postgresVersion: string): string {
  const [first] = cpus()
  return [
    `- ${cpus().length} cores, ${first?.model.trim() ?? 'unknown'}; ${Math.round(totalmem() / 2 ** 30)} GB of memory, ${hugePagesMb()} MB of them reserved as huge pages`,
    `- Node ${process.versions.node}; PostgreSQL ${postgresVersion} (embedded); ${programVersions().join('; ')}`,
  ].join('\n')
}

/** Memory that is reserved as huge pages of 2 MB, which PostgreSQL uses for its cache. Source: proc(5), meminfo. */
function hugePagesMb(): number {
  const pages = existsSync('/proc/meminfo')
    ? /^HugePages_Total:\s+(\d+)/m.exec(readFileSync('/proc/meminfo', 'utf8'))
    : null
  return Number(pages?.[1] ?? 0) * 2
}

/** Describes when a benchmark began, and the load on the machine at that time. */
export const describeRun = (songs: number): string =>
  `${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC, ${songs.toLocaleString('en')} songs, load average ${(loadavg()[0] ?? 0).toFixed(1)} before.`

function programVersions(): string[] {
  return [firstLine('nginx', ['-v']), firstLine('zip', ['-v']), firstLine('ffmpeg', ['-version'])].filter(Boolean)
}

function firstLine(program: string, args: string[]): string {
  try {
    const text = execFileSync('sh', ['-c', `PATH=$PATH:/usr/sbin ${program} ${args.join(' ')} 2>&1`], {
      encoding: 'utf8',
    })
    const version = /\d+\.\d+(\.\d+)?/.exec(text.replace(/^Copyright.*$/gm, ''))?.[0]
    return version ? `${program} ${version}` : ''
  } catch {
    return ''
  }
}

const RESULTS = path.join(projectRoot, 'bench', 'RESULTS.md')

/** The existing sections of RESULTS.md, by title. */
function readPreviousSections(): Map<string, string> {
  if (!existsSync(RESULTS)) return new Map()
  const [, ...sections] = readFileSync(RESULTS, 'utf8').split(/^(?=## )/m)
  return new Map(sections.map((text) => [text.slice(3, text.indexOf('\n')), text.trim()]))
}

/** Writes the new results to bench/RESULTS.md. Sections of benchmarks that did not run stay unchanged. */
export function writeResults(machine: string, child: readonly { report: Report; when: string }[]): void {
  const sections = readPreviousSections()
  for (const { report, when: measuredAt } of child) sections.set(report.title, section(report, measuredAt))
  const text = `# Benchmarks

Written by \`npm run bench\` (a single one: \`npm run bench -- search --songs 1000000 --write\`). Each row compares two
numbers of the same run on the same machine; CPU is the time the serving process (or database process) was on a core,
which repeats where the clock does not.

${machine}

${[...sections.values()].join('\n\n')}
`
  writeFileSync(RESULTS, text)
}
