import { spawn } from 'node:child_process'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'
import { freePort } from './free-port.ts'

/** A busy machine takes many times as long as an idle one. */
const WAIT_OPTIONS = { timeout: 120_000, interval: 50 }

/** Starts the pool as npm does, with a shell in between that passes no signal on; the pool is ready when this resolves. */
async function startWithShell(env: Record<string, string>) {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-npm-start-'))
  chmodSync(dataDir, 0o755)
  const port = await freePort()
  const shell = spawn('/bin/sh', ['-c', `"${process.execPath}" scripts/start.mjs; exit $?`], {
    cwd: projectRoot,
    env: { ...process.env, DATA_DIR: dataDir, PORT: `${port}`, DEMO: 'off', LOG_LEVEL: 'silent', ...env },
    stdio: 'ignore',
    // Everything this test starts is in one process group, which is killed at its end.
    detached: true,
  })
  // A negative number stands for a process group: here the shell, the script and the server.
  const group = -shell.pid!
  const postmasterFile = path.join(dataDir, 'postgres/cluster/postmaster.pid')
  onTestFinished(() => {
    endIfRunning(group, 'SIGKILL')
    if (existsSync(postmasterFile)) endIfRunning(Number(readFileSync(postmasterFile, 'utf8').split('\n')[0]), 'SIGQUIT')
    rmSync(dataDir, { recursive: true, force: true })
  })
  const isReady = () =>
    fetch(`http://localhost:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await vi.waitUntil(isReady, WAIT_OPTIONS)
  return { shell, group, isReady, isDatabaseRunning: () => existsSync(postmasterFile) }
}

function endIfRunning(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

test('the pool and its database stop when the npm command that started them is stopped', async () => {
  const { shell, group, isReady, isDatabaseRunning } = await startWithShell({ npm_lifecycle_event: 'start' })
  shell.kill('SIGTERM')
  await vi.waitUntil(() => !isRunning(group), WAIT_OPTIONS)
  expect([await isReady(), isDatabaseRunning()]).toEqual([false, false])
})
