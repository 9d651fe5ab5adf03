import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { appendFileSync, cpSync, existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs'
import { get as httpGet } from 'node:http'
import path from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, type DrillOptions, program, withTemporaryFolder } from './drill.ts'

const READY_TIMEOUT_MS = 180_000
const root = path.resolve(path.dirname(program('start')), '../..')

/** When the upgrade is killed: this long after it has printed this step. The later steps affect the running pool. */
const KILLS = [
  { step: 'Fetching', afterMs: 20, version: 1 },
  { step: 'Installing', afterMs: 300, version: 1 },
  { step: 'Building', afterMs: 4000, version: 1 },
  { step: 'Trying', afterMs: 1500, version: 1 },
  { step: 'Creating a backup', afterMs: 300, version: 1 },
  { step: 'Stopping', afterMs: 100, version: 1 },
  { step: 'Copying', afterMs: 50, version: 1 },
  { step: 'Switching', afterMs: 0, version: 1 },
  { step: 'Migrating', afterMs: 200, version: 2 },
  { step: 'Starting', afterMs: 400, version: 3 },
] as const

const git = (folder: string, ...args: string[]) =>
  execFileSync('git', ['-c', 'user.name=drill', '-c', 'user.email=drill@drill.test', ...args], {
    cwd: folder,
    encoding: 'utf8',
  }).trim()

/** Creates a repository with the committed state of this checkout, and newer versions that each add a migration. */
function createSourceRepository(folder: string): { source: string; commits: string[]; broken: string } {
  const source = path.join(folder, 'source')
  execFileSync('git', ['clone', '--quiet', '--depth', '1', `file://${root}`, source])
  const add = (n: number) => {
    writeFileSync(path.join(source, `server/migrations/99${n}0_drill.sql`), `create table drill_${n} (n int);\n`)
    git(source, 'add', '.')
    git(source, 'commit', '--quiet', '-m', `Version ${n} of the drill`)
    return git(source, 'rev-parse', 'HEAD')
  }
  const commits = [git(source, 'rev-parse', 'HEAD'), add(1), add(2), add(3)]
  // It runs in the trial start, but with the pool's settings it ends as soon as it is ready.
  const start = path.join(source, 'server/src/start.ts')
  appendFileSync(start, '\nif (process.env.DRILL_BREAKS) process.exit(3)\n')
  return { source, commits, broken: add(4) }
}

/** Clones it as an operator would, with the packages and build of this checkout. */
function cloneRepository(folder: string, source: string, commit: string): string {
  const clone = path.join(folder, 'pool')
  execFileSync('git', ['clone', '--quiet', source, clone])
  git(clone, 'reset', '--quiet', '--hard', commit)
  execFileSync('cp', ['-al', path.join(root, 'node_modules'), path.join(clone, 'node_modules')])
  for (const [dist, page] of [
    ['server/dist', 'start.js'],
    ['web/dist', 'index.html'],
  ] as const) {
    cpSync(path.join(root, dist), path.join(clone, dist), { recursive: true })
    const now = new Date()
    utimesSync(path.join(clone, dist, page), now, now)
  }
  const list = path.join(clone, 'node_modules/.package-lock.json')
  const text = readFileSync(list)
  execFileSync('rm', [list])
  writeFileSync(list, text)
  return clone
}

/** `npm start` in the clone, in its own process group so that all of it can be killed at once. */
class RunningPool {
  readonly url: string
  readonly #clone: string
  readonly #env: NodeJS.ProcessEnv
  #child: ChildProcess | undefined
  output = ''

  constructor(clone: string, port: number, data: string) {
    this.url = `http://localhost:${port}`
    this.#clone = clone
    const settings = { DATA_DIR: data, PORT: String(port), DEMO: 'off', LOG_LEVEL: 'warn', DRILL_BREAKS: 'yes' }
    this.#env = { PATH: process.env.PATH, HOME: process.env.HOME, ...settings }
  }

  start() {
    const child = spawn(process.execPath, ['scripts/start.mjs'], {
      ...{ cwd: this.#clone, env: this.#env, stdio: ['ignore', 'pipe', 'pipe'], detached: true },
    })
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.output += text
      })
    this.#child = child
  }

  get isSupervised() {
    return this.#child?.exitCode === null && this.#child.signalCode === null
  }

  /** Kills the whole group. The database survives and is taken over by the next start. */
  async kill(signal: NodeJS.Signals) {
    const child = this.#child
    if (!child?.pid || !this.isSupervised) return
    const exitPromise = new Promise((resolve) => child.once('exit', resolve))
    process.kill(signal === 'SIGKILL' ? -child.pid : child.pid, signal)
    await exitPromise
  }

  async waitUntilReady(): Promise<boolean> {
    const deadline = Date.now() + READY_TIMEOUT_MS
    while (Date.now() < deadline && this.isSupervised) {
      if ((await get(`${this.url}/readyz`)).status === 200) return true
      await pause(100)
    }
    return false
  }

  /** The commit that responds. The checkout's own commit is recognised by not being one of the others. */
  async commit(): Promise<string> {
    const { body } = await get(`${this.url}/api/openapi.json`)
    const { info } = JSON.parse(body) as { info: { version: string } }
    return info.version.split('+')[1] ?? ''
  }
}

/** Runs the upgrade as an operator does. With `killStep`, kills all of it at that step. */
async function upgrade(clone: string, to: string, killStep?: { step: string; afterMs: number }) {
  const child = spawn(process.execPath, ['scripts/upgrade.mjs', '--to', to, '--wait', '30'], {
    ...{ cwd: clone, env: { PATH: process.env.PATH, HOME: process.env.HOME }, detached: true },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let wasKilled = false
  const read = (text: string) => {
    output += text
    if (!killStep || wasKilled || !new RegExp(`^\\d+\\. ${killStep.step}`, 'm').test(output)) return
    wasKilled = true
    setTimeout(() => child.pid && child.exitCode === null && process.kill(-child.pid, 'SIGKILL'), killStep.afterMs)
  }
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', read)
  const code = await new Promise<number | null>((resolve) => child.once('close', (exit) => resolve(exit)))
  return { code, output, wasKilled: wasKilled && code === null }
}

/** Status and body; status 0 when nothing listens or the connection is cut. */
const get = (url: string): Promise<{ status: number; body: string }> =>
  new Promise((resolve) => {
    const fail = () => resolve({ status: 0, body: '' })
    const request = httpGet(url, { agent: false }, (response) => {
      let body = ''
      response.setEncoding('utf8').on('data', (text: string) => {
        body += text
      })
      response.on('end', () => resolve({ status: response.statusCode ?? 0, body })).on('close', fail)
    })
    request.on('error', fail)
  })

/** Fetches the scripts of every page that was ever served, like a browser that still shows an old page. */
function watchScripts(url: string) {
  const scripts = new Set<string>()
  const counts = { requests: 0, missing: [] as string[] }
  const abortController = new AbortController()
  const pollScripts = async () => {
    while (!abortController.signal.aborted) {
      const page = await get(url)
      for (const [, script] of page.body.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)) scripts.add(script ?? '')
      for (const script of scripts) {
        const { status } = await get(url + script)
        if (status !== 0) counts.requests++
        if (status !== 0 && status !== 200) counts.missing.push(`${script}: ${status}`)
        await pause(20)
      }
      await pause(50)
    }
  }
  const polling = pollScripts()
  const stop = () => {
    abortController.abort()
    return polling
  }
  return { counts, stop }
}

async function run({ rounds, report }: DrillOptions) {
  return withTemporaryFolder(async (folder) => {
    const { source, commits, broken: brokenCommit } = createSourceRepository(folder)
    const clone = cloneRepository(folder, source, commits[0]!)
    const data = path.join(folder, 'data')
    const pool = new RunningPool(clone, await freePort(), data)
    const kills = KILLS.slice(0, rounds ?? KILLS.length)
    let [survived, killed] = [0, 0]
    const problems: string[] = []
    const expectVersion = async (description: string, allowed: (string | undefined)[]) => {
      const isReady = await pool.waitUntilReady()
      const commit = isReady ? await pool.commit() : 'nothing'
      const isFirst = !commits
        .slice(1)
        .concat(brokenCommit)
        .some((one) => one.startsWith(commit))
      const found = isReady && isFirst ? commits[0]! : commit
      const isCorrect = isReady && allowed.some((one) => one?.startsWith(found))
      report(
        `${description}: ${isReady ? `${found.slice(0, 12)} runs` : 'NOTHING RUNS'}${isCorrect ? '' : ', which is wrong'}`,
      )
      if (!isCorrect) problems.push(`${description}\n${pool.output.slice(-2000)}`)
      return isCorrect
    }
    pool.start()
    try {
      await expectVersion('at first', [commits[0]])
      const scripts = watchScripts(pool.url)
      for (const [n, { step, afterMs, version }] of kills.entries()) {
        const result = await upgrade(clone, commits[version]!, { step, afterMs })
        if (!result.wasKilled) problems.push(`It was not killed at "${step}":\n${result.output}`)
        else killed++
        const allowedVersions = [commits[version - 1], commits[version]]
        let isCorrect = await expectVersion(`killed ${afterMs} ms after "${step}"`, allowedVersions)
        // The whole pool is killed too: a plain start has to be enough.
        await pool.kill('SIGKILL')
        pool.start()
        isCorrect = (await expectVersion('   and started again', allowedVersions)) && isCorrect
        if (isCorrect && result.wasKilled) survived++
        if (kills[n + 1]?.version === version) continue
        const retriedUpgrade = await upgrade(clone, commits[version]!)
        if (retriedUpgrade.code !== 0) problems.push(`The next upgrade failed:\n${retriedUpgrade.output}`)
        await expectVersion('upgraded again, to the end', [commits[version]])
      }
      const last = commits[kills.at(-1)?.version ?? 0]
      const failed = await upgrade(clone, brokenCommit)
      if (failed.code !== 1 || !failed.output.includes('The pool runs the previous version again.'))
        problems.push(`A version that does not start was installed:\n${failed.output}`)
      await expectVersion('after a version that does not start', [last])
      await scripts.stop()
      const { requests, missing } = scripts.counts
      problems.push(...missing.slice(0, 5))
      const copies = readdirSync(path.join(data, 'postgres')).join(', ')
      report(
        `folders next to the database: ${copies}; releases: ${readdirSync(path.join(clone, '.releases')).join(', ')}`,
      )
      for (const problem of problems) report(problem)
      return {
        metric: `after ${survived} of ${killed} kills the old or the new version runs; a version that does not start is replaced by the one before; ${missing.length} of ${requests} requests for scripts found none`,
        hasPassed: problems.length === 0 && survived === killed && killed === kills.length && requests > 0,
      }
    } finally {
      await pool.kill('SIGTERM')
      // A database that survived a killed pool.
      const pidFile = path.join(data, 'postgres/cluster/postmaster.pid')
      if (existsSync(pidFile)) process.kill(Number(readFileSync(pidFile, 'utf8').split('\n')[0]), 'SIGINT')
    }
  })
}

export const upgradeDrill: Drill = {
  name: 'upgrade',
  summary: 'kills npm run upgrade at ten points, and upgrades to a version that does not start',
  run,
}
