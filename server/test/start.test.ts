import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/platform/root.ts'

test('a start on a taken port says so in a sentence, ends, and leaves no database running', async () => {
  const taken = createServer().listen(0, 'localhost')
  await once(taken, 'listening')
  const { port } = taken.address() as { port: number }
  const dataDir = mkdtempSync(path.join(tmpdir(), 'dubplate-start-'))
  chmodSync(dataDir, 0o755)
  const server = spawn(process.execPath, [path.join(projectRoot, 'server/dist/start.js')], {
    env: { ...process.env, DATA_DIR: dataDir, PORT: String(port), DEMO: 'off', LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  server.stderr.on('data', (bytes) => {
    said += bytes
  })
  const [code] = await once(server, 'exit')
  expect([code, said.trim()]).toEqual([
    1,
    expect.stringMatching(/^Port \d+ on \S+ is taken\. Stop what listens there, or set PORT to another one\.$/),
  ])
  expect(existsSync(path.join(dataDir, 'postgres', 'cluster', 'postmaster.pid'))).toBe(false)
  taken.close()
  rmSync(dataDir, { recursive: true })
})
