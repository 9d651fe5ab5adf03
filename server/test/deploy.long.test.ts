import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { memoryEnvironment, nodeFlags } from '../../scripts/node-flags.mjs'
import { projectRoot } from '../src/platform/project-root.ts'

const read = (...file: string[]) => readFileSync(path.join(projectRoot, ...file), 'utf8')
const systemdUnits = readdirSync(path.join(projectRoot, 'deploy/systemd')).filter((name) => name.endsWith('.service'))

test.each(systemdUnits)('%s limits memory and processes, and gains no privileges', (name) => {
  const lines = read('deploy/systemd', name).split('\n')
  for (const limit of ['MemoryHigh=', 'MemoryMax=', 'TasksMax='])
    expect(lines.filter((line) => line.startsWith(limit))).toHaveLength(1)
  expect(lines).toEqual(
    expect.arrayContaining(['NoNewPrivileges=yes', 'CapabilityBoundingSet=', 'StateDirectoryMode=0700']),
  )
})

/** The text of each top-level block of a part of compose.yaml, by its name. */
function parseBlocks(text: string): Record<string, string> {
  const found = [...text.matchAll(/^ {2}(\w+):\n((?: {4}.*\n|\n| {2}#.*\n)+)/gm)]
  return Object.fromEntries(found.map(([, name, block]) => [name, block]))
}

test('every container has limits, drops its capabilities and gains no privileges', () => {
  const text = read('compose.yaml')
  const [shared = '', services = ''] = text.split(/^services:$/m)
  const blocks = parseBlocks(services)
  expect(Object.keys(blocks)).toEqual(['web', 'worker', 'pool', 'postgres'])
  for (const [name, block] of Object.entries(blocks)) {
    const all = block.includes('<<: *pool') ? shared + block : block
    for (const line of ['mem_limit:', 'pids_limit:', 'cap_drop: [ALL]', 'no-new-privileges:true', 'read_only: true'])
      expect(all, name).toContain(line)
  }
})

test('web and worker start with the flags that limit their memory, wherever they run', () => {
  const flags = nodeFlags.join(' ')
  const arenas = `MALLOC_ARENA_MAX=${memoryEnvironment.MALLOC_ARENA_MAX}`
  for (const name of ['dubplate', 'dubplate-web', 'dubplate-worker']) {
    const unit = read('deploy/systemd', `${name}.service`)
    expect(unit).toContain(`node ${flags} server/dist/`)
    expect(unit).toContain(arenas)
  }
  expect(read('Dockerfile')).toContain(`CMD ["node", ${nodeFlags.map((flag) => `"${flag}"`).join(', ')}, `)
  expect(read('Dockerfile')).toContain(arenas)
  expect(read('compose.yaml')).toContain(`[node, ${nodeFlags.join(', ')}, server/dist/worker.js]`)
})
