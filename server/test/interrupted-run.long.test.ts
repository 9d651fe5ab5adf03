import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'

/** A busy machine takes many times as long as an idle one. */
const WAIT_OPTIONS = { timeout: 120_000, interval: 50 }

/** A test file that never ends, in a run with the real database. */
const configSource = (folder: string) => `export default {
  test: {
    globals: true,
    root: ${JSON.stringify(folder)},
    include: ['*.test.js'],
    globalSetup: [${JSON.stringify(path.join(projectRoot, 'server/test/global-setup.ts'))}],
  },
}`
const ENDLESS_TEST_SOURCE = `test('never ends', () => { console.log('TEST RUNS'); return new Promise(() => {}) }, 3_600_000)`
const vitestCommand = (folder: string) => [
  ...[process.execPath, path.join(projectRoot, 'node_modules/vitest/vitest.mjs'), 'run'],
  ...['--config', path.join(folder, 'vitest.config.mjs'), '--disable-console-intercept'],
]
/** Does not end when it is asked to, nor does its child in another process group. */
const STUBBORN_SOURCE = `process.on('SIGTERM', () => console.log('ASKED'))
  if (process.argv[2] !== 'child')
    require('node:child_process').spawn(process.execPath, [__filename, 'child'], { stdio: 'inherit', detached: true })
  else console.log('TEST RUNS')
  setInterval(() => {}, 1000)`

/** Runs one step as scripts/test.mjs runs its steps. */
const runnerSource = (step: string[], options: object) => `
import { removeAbandonedRuns } from ${JSON.stringify(scriptUrl('test-folder.mjs'))}
import { startRun } from ${JSON.stringify(scriptUrl('test-steps.mjs'))}
await removeAbandonedRuns()
const run = startRun(${JSON.stringify(options)})
const { code } = await run.run({ command: ${JSON.stringify(step)} })
await run.finish()
process.exit(code)
`

const scriptUrl = (name: string) => pathToFileURL(path.join(projectRoot, 'scripts', name)).href

/** A folder for all temporary files of a run, and what it takes to start the run in it. */
function prepareRun(createStep: (folder: string) => string[], options: object = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), 'stop-'))
  chmodSync(folder, 0o755)
  onTestFinished(() => {
    for (const pid of findTraces(folder)) process.kill(pid, 'SIGKILL')
    rmSync(folder, { recursive: true, force: true })
  })
  writeFileSync(path.join(folder, 'vitest.config.mjs'), configSource(folder))
  writeFileSync(path.join(folder, 'endless.test.js'), ENDLESS_TEST_SOURCE)
  writeFileSync(path.join(folder, 'stubborn.cjs'), STUBBORN_SOURCE)
  const runner = path.join(folder, 'runner.mjs')
  writeFileSync(runner, runnerSource(createStep(folder), options))
  const start = (command: string[], env: Record<string, string> = {}) => {
    const [program = '', ...args] = command
    const child = spawn(program, args, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, npm_lifecycle_event: '', TMPDIR: folder, ...env },
    })
    let output = ''
    child.stdout.on('data', (text) => {
      output += text
    })
    return { child, hasSaid: (text: string) => vi.waitUntil(() => output.includes(text), WAIT_OPTIONS) }
  }
  return { folder, runner, start, startRunner: () => start([process.execPath, runner]) }
}

const attempt = (read: () => string): string => {
  try {
    return read()
  } catch {
    return ''
  }
}

/** Processes that name the folder in their arguments, their environment or as their working directory. */
const findTraces = (folder: string): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) =>
      [
        attempt(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')),
        attempt(() => readFileSync(`/proc/${pid}/environ`, 'utf8')),
        attempt(() => readlinkSync(`/proc/${pid}/cwd`)),
      ].some((text) => text.includes(folder)),
    )
    .map(Number)

const listRuns = (folder: string) => readdirSync(folder).filter((name) => name.startsWith('dubplate-run-'))

const isPostgresRunning = (folder: string) =>
  listRuns(folder).some((run) =>
    readdirSync(path.join(folder, run)).some((name) =>
      existsSync(path.join(folder, run, name, 'postgres/cluster/postmaster.pid')),
    ),
  )

/** The runner itself, whose arguments name the folder, is the last process to end. */
async function waitForCleanup(folder: string): Promise<void> {
  await vi.waitUntil(() => listRuns(folder).length === 0 && findTraces(folder).length === 0, WAIT_OPTIONS)
}

const waitForExit = (child: ChildProcess) => once(child, 'exit')

describe.runIf(process.platform === 'linux')('a test run', () => {
  test.each([
    ['SIGINT', 130],
    ['SIGTERM', 143],
    ['SIGHUP', 129],
  ] as const)('that receives %s leaves no process and no folder behind', async (signal, code) => {
    const { folder, startRunner } = prepareRun(vitestCommand)
    const run = startRunner()
    await run.hasSaid('TEST RUNS')
    expect(isPostgresRunning(folder)).toBe(true)
    const exited = waitForExit(run.child)
    run.child.kill(signal)
    expect(await exited).toEqual([code, null])
    expect({ runs: listRuns(folder), processes: findTraces(folder) }).toEqual({ runs: [], processes: [] })
  })

  test('whose npm is stopped leaves no process and no folder behind', async () => {
    const { folder, runner, start } = prepareRun(vitestCommand)
    // npm has a shell between itself and the script; most shells pass no signal on.
    const shell = start(['/bin/sh', '-c', `"${process.execPath}" "${runner}"; exit $?`], {
      npm_lifecycle_event: 'test',
    })
    await shell.hasSaid('TEST RUNS')
    expect(isPostgresRunning(folder)).toBe(true)
    shell.child.kill('SIGTERM')
    await waitForCleanup(folder)
  })

  test('that is interrupted a second time kills what did not end when it was asked to', async () => {
    const step = (folder: string) => [process.execPath, path.join(folder, 'stubborn.cjs')]
    const { folder, startRunner } = prepareRun(step, { grace_ms: 3_600_000, sameSignal_ms: 0 })
    const run = startRunner()
    await run.hasSaid('TEST RUNS')
    const exited = waitForExit(run.child)
    run.child.kill('SIGINT')
    await run.hasSaid('ASKED')
    run.child.kill('SIGINT')
    expect(await exited).toEqual([130, null])
    expect({ runs: listRuns(folder), processes: findTraces(folder) }).toEqual({ runs: [], processes: [] })
  })

  test('that is stopped leaves a program alone that someone has opened in its folder', async () => {
    const step = (folder: string) => [process.execPath, path.join(folder, 'stubborn.cjs')]
    const { folder, startRunner } = prepareRun(step, { grace_ms: 0 })
    const run = startRunner()
    await run.hasSaid('TEST RUNS')
    const [name = ''] = listRuns(folder)
    const directory = path.join(folder, name)
    const visitor = spawn('tail', ['-f', path.join(directory, 'owner')], {
      cwd: directory,
      env: { ...process.env, PWD: directory },
    })
    await once(visitor, 'spawn')
    const exited = waitForExit(run.child)
    run.child.kill('SIGTERM')
    expect(await exited).toEqual([143, null])
    expect(findTraces(folder)).toEqual([visitor.pid])
    const deleted = waitForExit(visitor)
    visitor.kill()
    expect(await deleted).toEqual([null, 'SIGTERM'])
  })

  test('that is killed is cleaned up by the next one', async () => {
    const { folder, startRunner } = prepareRun(vitestCommand)
    const killed = startRunner()
    await killed.hasSaid('TEST RUNS')
    const [left = ''] = listRuns(folder)
    const exited = waitForExit(killed.child)
    killed.child.kill('SIGKILL')
    await exited
    expect(isPostgresRunning(folder)).toBe(true)
    const next = startRunner()
    await next.hasSaid('TEST RUNS')
    expect(listRuns(folder)).not.toContain(left)
    expect(findTraces(path.join(folder, left))).toEqual([])
    next.child.kill('SIGTERM')
    await waitForCleanup(folder)
  })
})
