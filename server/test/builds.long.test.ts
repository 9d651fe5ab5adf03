import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import helmet from '@fastify/helmet'
import Fastify from 'fastify'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'
import { serveWeb } from '../src/platform/web-files.ts'

/** The scripts are plain JavaScript: they run before anything is installed. */
const scriptUrl = (name: string) => pathToFileURL(path.join(projectRoot, 'scripts', name)).href
type Publish = (from: string, dist: string, options: { startedAt: number; now?: number }) => void
const { publishWeb, publishServer, carryOver } = (await import(scriptUrl('builds.mjs'))) as {
  publishWeb: Publish
  publishServer: Publish
  carryOver(from: string, to: string, now?: number): void
}

const DAY_MS = 24 * 3_600_000
/** A busy machine takes many times as long as an idle one. */
const WAIT_OPTIONS = { timeout: 60_000, interval: 20 }

function aFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-builds-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** A built front end whose page names the scripts; its files have the time `at` if given. */
function aBuild(dist: string, scripts: string[], at?: number): string {
  const built = path.join(dist, '.building')
  mkdirSync(path.join(built, 'assets'), { recursive: true })
  for (const name of scripts) writeFileSync(path.join(built, 'assets', name), name)
  writeFileSync(
    path.join(built, 'index.html'),
    scripts.map((name) => `<script src="/assets/${name}"></script>`).join(''),
  )
  if (at !== undefined) for (const name of scripts) utimesSync(path.join(built, 'assets', name), at / 1000, at / 1000)
  return built
}

const listAssets = (dist: string) => readdirSync(path.join(dist, 'assets')).sort()

test('keeps the scripts of the previous build for a day, and longer if there is no newer one', () => {
  const dist = aFolder()
  const start = Date.now() - 10 * DAY_MS
  const publish = (name: string, at: number) =>
    publishWeb(aBuild(dist, ['same.js', name], at), dist, { startedAt: at, now: at })
  publish('first.js', start)
  publish('second.js', start + 5 * DAY_MS)
  expect(listAssets(dist)).toEqual(['first.js', 'same.js', 'second.js'])
  publish('third.js', start + 5 * DAY_MS + 3_600_000)
  expect(listAssets(dist)).toEqual(['first.js', 'same.js', 'second.js', 'third.js'])
  publish('fourth.js', start + 7 * DAY_MS)
  expect(listAssets(dist)).toEqual(['fourth.js', 'same.js', 'third.js'])
  expect(readFileSync(path.join(dist, 'index.html'), 'utf8')).toContain('fourth.js')
  expect(existsSync(path.join(dist, '.building'))).toBe(false)
})

test('no request of a running process misses a script while builds are published', async () => {
  const dist = aFolder()
  publishWeb(aBuild(dist, ['build-0.js']), dist, { startedAt: Date.now() })
  const app = Fastify()
  onTestFinished(() => app.close())
  await app.register(helmet, { global: false })
  app.setNotFoundHandler((_request, reply) => reply.code(404).send('not found'))
  await serveWeb(app, dist, { renderPage: (page) => page })
  const failures: string[] = []
  let requests = 0
  for (let n = 1; n <= 20; n++) {
    // The page of this process names the first build; another process may send the newest.
    const latestScript = /assets\/[\w-]+\.js/.exec(readFileSync(path.join(dist, 'index.html'), 'utf8'))?.[0]
    const fetches = Array.from({ length: 10 }, async (_, at) => {
      const url = at % 2 ? '/assets/build-0.js' : `/${latestScript}`
      const { statusCode } = await app.inject({ url })
      requests++
      if (statusCode !== 200) failures.push(`${url}: ${statusCode}`)
    })
    publishWeb(aBuild(dist, [`build-${n}.js`]), dist, { startedAt: Date.now() })
    await Promise.all(fetches)
  }
  expect([failures, requests]).toEqual([[], 200])
})

test('copies the scripts of the previous version to the folder of the next one', () => {
  const [before, after] = [aFolder(), aFolder()]
  const now = Date.now()
  publishWeb(aBuild(before, ['old.js']), before, { startedAt: now - DAY_MS, now: now - DAY_MS })
  publishWeb(aBuild(after, ['new.js']), after, { startedAt: now, now })
  carryOver(before, after, now)
  carryOver(before, after, now)
  expect(listAssets(after)).toEqual(['new.js', 'old.js'])
  expect(readFileSync(path.join(after, 'index.html'), 'utf8')).toContain('new.js')
  const twoDaysLater = now + 2 * DAY_MS
  for (const name of ['old.js', 'new.js']) utimesSync(path.join(after, 'assets', name), now / 1000, now / 1000)
  publishWeb(aBuild(after, ['newer.js']), after, { startedAt: twoDaysLater, now: twoDaysLater })
  expect(listAssets(after)).toEqual(['new.js', 'newer.js'])
})

test('a build of the server does not change the running one', async () => {
  const dist = aFolder()
  writeFileSync(path.join(dist, 'package.json'), '{"type":"module"}')
  const publish = (id: string, childOutput: string, startedAt: number) => {
    mkdirSync(path.join(dist, 'builds', id), { recursive: true })
    writeFileSync(path.join(dist, 'builds', id, 'chunk-a.js'), `export const said = '${childOutput}'`)
    writeFileSync(
      path.join(dist, 'builds', id, 'start.js'),
      `process.stdin.once('data', async () => console.log((await import('./chunk-a.js')).said))\nconsole.log('up')`,
    )
    publishServer(id, dist, { startedAt, now: startedAt })
  }
  const start = () => {
    const child = spawn(process.execPath, [path.join(dist, 'start.js')], { stdio: ['pipe', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    const childOutput = (text: string) => vi.waitUntil(() => output.includes(text), WAIT_OPTIONS)
    return { said: childOutput, ask: () => child.stdin.end('go\n') }
  }
  publish('one', 'first build', Date.now())
  const old = start()
  await old.said('up')
  publish('two', 'second build', Date.now())
  old.ask()
  await old.said('first build')
  const freshServer = start()
  await freshServer.said('up')
  freshServer.ask()
  await freshServer.said('second build')
  mkdirSync(path.join(dist, 'builds', 'killed-in-the-middle'))
  publish('three', 'third build', Date.now() + 2 * DAY_MS)
  expect(readdirSync(path.join(dist, 'builds')).sort()).toEqual(['three', 'two'])
})

/** Takes the lock, records when it had it, and with `stays` set keeps it until told to stop. */
const CONTENDER = `
import { appendFileSync } from 'node:fs'
import { acquireLock } from ${JSON.stringify(scriptUrl('lock.mjs'))}
const [folder, log, stays] = process.argv.slice(2)
const release = acquireLock(folder)
appendFileSync(log, 'in ' + process.pid + '\\n')
if (stays) { console.log('has it'); setInterval(() => {}, 1000) }
else { appendFileSync(log, 'out ' + process.pid + '\\n'); release() }
`

test('commands started at the same moment take turns, also after one of them was killed', async () => {
  const folder = aFolder()
  const [script, lock, log] = ['contender.mjs', 'lock', 'log'].map((name) => path.join(folder, name)) as [
    string,
    string,
    string,
  ]
  writeFileSync(script, CONTENDER)
  const startContender = (...stays: string[]) => {
    const child = spawn(process.execPath, [script, lock, log, ...stays], { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    return { child, exited: once(child, 'exit') }
  }
  const killed = startContender('stays')
  await once(killed.child.stdout, 'data')
  // The process id of a process that ended may belong to another one by now.
  const [owner = ''] = readdirSync(lock)
  writeFileSync(path.join(lock, owner.replace(/~\d+~.*$/, `~${process.pid}~1`)), '')
  const others = Array.from({ length: 6 }, () => startContender())
  await vi.waitUntil(() => readdirSync(lock).filter((name) => !name.startsWith('choosing')).length >= 7, WAIT_OPTIONS)
  expect(readFileSync(log, 'utf8').split('\n').filter(Boolean)).toHaveLength(1)
  killed.child.kill('SIGKILL')
  for (const { exited } of others) expect(await exited).toEqual([0, null])
  const lines = readFileSync(log, 'utf8').split('\n').filter(Boolean).slice(1)
  expect(lines).toHaveLength(12)
  for (let at = 0; at < lines.length; at += 2) expect(lines[at + 1]).toBe(lines[at]?.replace('in', 'out'))
  expect(readdirSync(lock)).toEqual([])
})
