import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { supervise } from '../../scripts/supervise.mjs'

/** A program that ends as the words say, one word for each of its starts, and then keeps running. */
function aProgram(...exitCodes: string[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-supervise-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const starts = path.join(folder, 'starts')
  writeFileSync(starts, '')
  writeFileSync(
    path.join(folder, 'program.mjs'),
    `import { appendFileSync, readFileSync } from 'node:fs'
     appendFileSync(${JSON.stringify(starts)}, '|')
     const ending = ${JSON.stringify(exitCodes)}[readFileSync(${JSON.stringify(starts)}, 'utf8').length - 1]
     if (ending === undefined) setInterval(() => {}, 1000)
     else if (ending.startsWith('SIG')) process.kill(process.pid, ending)
     else process.exit(Number(ending))`,
  )
  const lines: string[] = []
  const start = () => spawn(process.execPath, [path.join(folder, 'program.mjs')], { stdio: 'ignore' })
  const supervised = supervise(start, { log: (line: string) => lines.push(line), restartDelay_ms: 1 })
  return { supervised, lines, starts: () => readFileSync(starts, 'utf8').length }
}

test('restarts a program that is killed or reports a fault, and stops it when asked to', async () => {
  const { supervised, lines, starts } = aProgram('SIGKILL', '70')
  await vi.waitUntil(() => starts() === 3, { timeout: 60_000 })
  supervised.stop('SIGTERM')
  expect(await supervised.ended).toBe(1)
  expect(lines).toEqual([
    'The server stopped (SIGKILL). Restarting it in 1 s.',
    'The server stopped (exit code 70). Restarting it in 1 s.',
  ])
})

test.each([
  ['1', 'a wrong setting'],
  ['0', 'a clean end'],
])('exit code %s at the first start (%s) ends it permanently', async (code) => {
  const { supervised, starts } = aProgram(code)
  expect(await supervised.ended).toBe(Number(code))
  expect(starts()).toBe(1)
})

test('a program that is replaced starts again at once, whatever its exit code', async () => {
  const { supervised, lines, starts } = aProgram()
  await vi.waitUntil(() => starts() === 1, { timeout: 60_000 })
  supervised.replace()
  await vi.waitUntil(() => starts() === 2, { timeout: 60_000 })
  supervised.stop('SIGTERM')
  await supervised.ended
  expect(lines).toEqual([])
})
