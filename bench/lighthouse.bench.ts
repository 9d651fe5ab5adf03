import { execFile, spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { findInstalledBrowser } from '../scripts/browser.mjs'
import { projectRoot } from '../server/src/platform/project-root.ts'
import { freePort } from '../server/test/free-port.ts'
import { closeAtExit } from './close-at-exit.ts'
import { median } from './measure.ts'
import { createStop, untilReady } from './processes.ts'
import { atLeastTarget, atMostTarget, type Finding, type Report } from './results.ts'

/**
 * The newest version that runs on Node 20. npx downloads it when this benchmark runs; it is not part of an
 * installation.
 */
const LIGHTHOUSE = 'lighthouse@12.8.2'
const ROUNDS = 5

const SCREENS = [
  { name: 'home', address: '/' },
  { name: 'genre', address: '/genres/view/31' },
  { name: 'search', address: '/search/result/night' },
]
const SETTINGS = [
  { name: 'desktop', flags: ['--preset=desktop'], performance: 98 },
  { name: 'mobile', flags: [], performance: 90 },
]

type Audit = { numericValue?: number }
type Scores = { categories: Record<string, { score: number }>; audits: Record<string, Audit> }

/** The child processes of a process (proc(5), `children`). */
const childrenOf = (pid: number) =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )

/** Signals the child processes that render the demo's music. They run for minutes and use every core. */
function signalMusic(parentPid: number, signal: NodeJS.Signals) {
  for (const pid of childrenOf(parentPid)) {
    try {
      if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('music-child')) process.kill(pid, signal)
    } catch {
      // It has ended since.
    }
  }
}

/** Starts the demo pool as `npm start` does, in its own data folder. */
async function startDemoServer() {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-lighthouse-'))
  chmodSync(dataDir, 0o755)
  const port = await freePort()
  const child = spawn(process.execPath, [path.join(projectRoot, 'server/dist/start.js')], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { PATH: process.env.PATH, PORT: String(port), HOST: '127.0.0.1', DATA_DIR: dataDir, LOG_LEVEL: 'warn' },
  })
  const stop = createStop(child)
  const { pid = 0 } = child
  const close = closeAtExit(async () => {
    // A stopped process would never end.
    if (existsSync(`/proc/${pid}`)) signalMusic(pid, 'SIGCONT')
    await stop()
    rmSync(dataDir, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await untilReady(`${origin}/readyz`, child)
  return { origin, close, pauseMusic: () => signalMusic(pid, 'SIGSTOP') }
}

/** How often a run is repeated when Lighthouse loses its connection to the browser. */
const MAX_ATTEMPTS = 3

async function audit(url: string, flags: string[], folder: string, attemptsLeft = MAX_ATTEMPTS): Promise<Scores> {
  const file = path.join(folder, 'report.json')
  const lighthouseArgs = [
    '--quiet',
    '--output=json',
    `--output-path=${file}`,
    '--chrome-flags=--headless=new --no-sandbox',
  ]
  try {
    const env = { CHROME_PATH: findInstalledBrowser(), ...process.env }
    await promisify(execFile)('npx', ['--yes', LIGHTHOUSE, url, ...flags, ...lighthouseArgs], { env })
  } catch (error) {
    if (attemptsLeft <= 1 || !String(error).includes('run Lighthouse again')) throw error
    return audit(url, flags, folder, attemptsLeft - 1)
  }
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Runs Lighthouse on the production build with the demo's music: medians of five runs for each of three screens. */
export async function benchLighthouse(): Promise<Report> {
  const demo = await startDemoServer()
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-lighthouse-'))
  const findings: Finding[] = []
  try {
    for (const { name: setting, flags, performance } of SETTINGS) {
      for (const { name: screen, address: url } of SCREENS) {
        // The first visit generates the pictures, so it is not measured.
        await audit(demo.origin + url, flags, folder)
        const runs: Scores[] = []
        for (let n = 0; n < ROUNDS; n++) {
          // Another process may have started since.
          demo.pauseMusic()
          runs.push(await audit(demo.origin + url, flags, folder))
        }
        findings.push(...findingsOf(`${screen}, ${setting}`, performance, runs))
      }
    }
  } finally {
    await demo.close()
    rmSync(folder, { recursive: true, force: true })
  }
  const note = `Medians of ${ROUNDS} runs of ${LIGHTHOUSE} as a visitor, on the built site over HTTP/1.1 without a proxy, while the demo's music is not being made.`
  return { title: 'Lighthouse', findings, notes: [note] }
}

function findingsOf(what: string, target: number, runs: Scores[]): Finding[] {
  const score = (category: string) => Math.round(median(runs.map((run) => run.categories[category]?.score ?? 0)) * 100)
  const audited = (name: string) => median(runs.map((run) => run.audits[name]?.numericValue ?? Number.NaN))
  const times = [
    `first paint ${(audited('first-contentful-paint') / 1000).toFixed(2)} s`,
    `largest ${(audited('largest-contentful-paint') / 1000).toFixed(2)} s`,
    `blocked ${audited('total-blocking-time').toFixed(0)} ms`,
  ]
  const shift = audited('cumulative-layout-shift')
  const [performance, accessibility, practices] = ['performance', 'accessibility', 'best-practices'].map(score)
  return [
    {
      what: `${what}: performance`,
      ours: `${performance} (${times.join(', ')})`,
      against: '',
      target: atLeastTarget(performance ?? 0, target),
    },
    { what: `${what}: layout shift`, ours: shift.toFixed(3), against: '', target: atMostTarget(shift, 0.02) },
    {
      what: `${what}: accessibility`,
      ours: String(accessibility),
      against: '',
      target: atLeastTarget(accessibility ?? 0, 100),
    },
    {
      what: `${what}: best practices`,
      ours: String(practices),
      against: '',
      target: atLeastTarget(practices ?? 0, 100),
    },
  ]
}
