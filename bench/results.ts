import { execFileSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { cpus, loadavg, totalmem } from 'node:os'
import path from 'node:path'
import { projectRoot } from '../server/src/platform/root.ts'

/** One line of the results: what was measured, beside what it is compared with, in one run. */
export type Finding = {
  what: string
  ours: string
  against: string
  ratio?: number
  aim?: { at: 'most' | 'least'; bound: number; unit: string; value: number }
}

/** What one benchmark says: its findings, and in a sentence each what a reader should know about them. */
export type Report = { title: string; findings: Finding[]; notes: string[] }

export const ms = (value: number): string => `${value.toFixed(value < 10 ? 2 : 1)} ms`
export const perSecond = (value: number): string => `${Math.round(value)}/s`
export const perGb = (value: number): string => `${value.toFixed(2)} s/GB`
export const megabytes = (value: number): string => `${Math.round(value)} MB`

/** A ratio or another number with the bound it should keep. */
export const atMost = (value: number, bound: number, unit = ''): Finding['aim'] => ({ at: 'most', bound, unit, value })
export const atLeast = (value: number, bound: number, unit = ''): Finding['aim'] => ({
  at: 'least',
  bound,
  unit,
  value,
})

const isMet = ({ at, bound, value }: NonNullable<Finding['aim']>): boolean =>
  at === 'most' ? value <= bound : value >= bound

function row({ what, ours, against, ratio, aim }: Finding): string[] {
  const wanted = aim ? `at ${aim.at} ${aim.bound}${aim.unit}` : ''
  return [
    what,
    ours,
    against,
    ratio === undefined ? '' : ratio.toFixed(2),
    wanted,
    aim ? (isMet(aim) ? 'yes' : 'NO') : '',
  ]
}

const HEAD = ['measured', 'Dubplate', 'against', 'ratio', 'aim', 'met']

const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`

export function table(findings: readonly Finding[]): string {
  return [line(HEAD), line(HEAD.map(() => '---')), ...findings.map((finding) => line(row(finding)))].join('\n')
}

const section = ({ title, findings, notes }: Report): string =>
  [`## ${title}`, ...(findings.length > 0 ? [table(findings)] : []), ...notes].join('\n\n')

/** The machine and the versions, as far as they bear on the numbers. */
export function describeMachine(postgresVersion: string, loadBefore: number): string {
  const [first] = cpus()
  const load = `${loadBefore.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`
  return [
    `- ${cpus().length} cores, ${first?.model.trim() ?? 'unknown'}; ${Math.round(totalmem() / 2 ** 30)} GB of memory; load average ${load}`,
    `- Node ${process.versions.node}; PostgreSQL ${postgresVersion} (embedded); ${programVersions().join('; ')}`,
    `- ${new Date().toISOString().slice(0, 16).replace('T', ' ')} UTC`,
  ].join('\n')
}

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

/** Writes bench/RESULTS.md. */
export function writeResults(machine: string, songs: number, reports: readonly Report[]): void {
  const text = `# Benchmarks

Written by \`npm run bench\`. Each line compares two numbers of the same run on the same machine; CPU is the time the
serving process (or database process) was on a core, which repeats where the clock does not.

${machine}
- a catalogue of ${songs.toLocaleString('en')} songs

${reports.map(section).join('\n\n')}
`
  writeFileSync(path.join(projectRoot, 'bench', 'RESULTS.md'), text)
}
