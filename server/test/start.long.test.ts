import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'

function anEmptyFolder(): string {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-start-'))
  chmodSync(dataDir, 0o755)
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  return dataDir
}

function start(dataDir: string, port: number, env: Record<string, string> = {}): ChildProcess {
  const server = spawn(process.execPath, [path.join(projectRoot, 'server/dist/start.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DEMO: 'off', LOG_LEVEL: 'silent', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  onTestFinished(() => void server.kill('SIGKILL'))
  return server
}

async function findFreePort(): Promise<number> {
  const probe = createServer().listen(0, 'localhost')
  await once(probe, 'listening')
  const { port } = probe.address() as { port: number }
  probe.close()
  return port
}

const isDatabaseRunning = (dataDir: string) => existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))

const isReady = (port: number) =>
  fetch(`http://localhost:${port}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )

test('a start on a port in use exits with one sentence and leaves no database running', async () => {
  const occupiedServer = createServer().listen(0, 'localhost')
  await once(occupiedServer, 'listening')
  const { port } = occupiedServer.address() as { port: number }
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-start-'))
  chmodSync(dataDir, 0o755)
  const server = spawn(process.execPath, [path.join(projectRoot, 'server/dist/start.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DEMO: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let output = ''
  server.stderr.on('data', (bytes) => {
    output += bytes
  })
  const [code] = await once(server, 'exit')
  expect([code, output.trim()]).toEqual([
    1,
    expect.stringMatching(/^Port \d+ on \S+ is already in use\. Stop the other program or set PORT to another port\.$/),
  ])
  expect(existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
  occupiedServer.close()
  rmSync(dataDir, { recursive: true })
})

test.each([
  ['while its database starts', (dataDir: string) => isDatabaseRunning(dataDir)],
  ['while the demo is filled', (_dataDir: string, output: string) => output.includes('Creating demo data')],
])('a start that is stopped %s ends cleanly and leaves no database running', async (_when, isThen) => {
  const dataDir = anEmptyFolder()
  const server = start(dataDir, 0, { DEMO: 'on', DEMO_SONGS: '2000', LOG_LEVEL: 'info' })
  let output = ''
  server.stdout?.on('data', (bytes) => {
    output += bytes
  })
  await vi.waitUntil(() => isThen(dataDir, output), { timeout: 90_000, interval: 5 })
  const deleted = once(server, 'exit')
  server.kill('SIGINT')
  expect(await deleted).toEqual([0, null])
  expect(isDatabaseRunning(dataDir)).toBe(false)
  expect(output).not.toContain('Server running at')
})

test('two processes that start at once in an empty folder share one database; the last to stop ends it', async () => {
  const dataDir = anEmptyFolder()
  const ports = [await findFreePort(), await findFreePort()]
  const seen = new Set<number | undefined>()
  const inspectProcesses = () =>
    seen.add(statSync(path.join(dataDir, 'postgres', 'cluster'), { throwIfNoEntry: false })?.ino)
  const inspectTimer = setInterval(inspectProcesses, 2)
  onTestFinished(() => clearInterval(inspectTimer))
  const servers = ports.map((port) => start(dataDir, port))
  for (const port of ports) await vi.waitUntil(() => isReady(port), { timeout: 90_000, interval: 50 })
  seen.delete(undefined)
  expect(seen.size, 'clusters that were there one after the other').toBe(1)
  // The file that reserves space for a full disk is created a little later.
  const folders = readdirSync(path.join(dataDir, 'postgres')).filter((name) => name !== 'reserve')
  expect(folders.sort()).toEqual(['cluster', 'run'])
  for (const [n, server] of servers.entries()) {
    const deleted = once(server, 'exit')
    server.kill('SIGTERM')
    expect(await deleted).toEqual([0, null])
    expect(isDatabaseRunning(dataDir)).toBe(n === 0)
  }
})
