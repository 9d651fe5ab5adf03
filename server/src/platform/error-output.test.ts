import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { ErrorOutput } from './error-output.ts'

const run = (command: string, args: string[] = []) => spawn(command, args, { stdio: ['pipe', 'ignore', 'pipe'] })

test('is complete when everything was read, not when the process has exited', async () => {
  // The message comes when Node closes the input of a process that has exited. On a busy machine it may be as late.
  const child = run('sh', ['-c', 'exec 3<&0; (read line <&3; echo "lock file is empty" >&2) & exit 1'])
  const output = new ErrorOutput(child)
  await once(child, 'exit')
  expect(output.isComplete).toBe(false)
  await expect.poll(() => output.isComplete).toBe(true)
  expect(output.lastLines).toBe('lock file is empty')
})

test('has the last three lines', async () => {
  const child = run('sh', ['-c', 'for i in 1 2 3 4 5; do echo "line $i" >&2; done'])
  const output = new ErrorOutput(child)
  await expect.poll(() => output.isComplete).toBe(true)
  expect(output.lastLines).toBe('line 3 line 4 line 5')
})

test('says why a program could not be started', async () => {
  const output = new ErrorOutput(run('/no/such/program'))
  await expect.poll(() => output.isComplete).toBe(true)
  expect(output.lastLines).toContain('ENOENT')
})
