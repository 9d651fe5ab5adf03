import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import {
  fillPlaceholders,
  parseEnvironment,
  placeholdersIn,
  readDeployFiles,
} from '../../drills/cluster/deploy-files.ts'
import { secondsUntilWritesWork } from '../../drills/cluster/kills.ts'
import { describeMissingPrograms } from '../../drills/cluster/programs.ts'
import { projectRoot } from '../src/platform/project-root.ts'

/** The parts of `npm run drill -- cluster` that need no programs. */

const folder = path.join(projectRoot, 'deploy/cluster')
const files = readDeployFiles(folder)

test('every placeholder of deploy/cluster is described in its README, which describes no others', () => {
  const used = [...files.values()].flatMap(placeholdersIn)
  const described = placeholdersIn(readFileSync(path.join(folder, 'README.md'), 'utf8'))
  // A row such as "{{POSTGRES_1}} to {{POSTGRES_3}}" describes three.
  const withRanges = described.flatMap((name) => (name.endsWith('_3') ? [name, name.replace(/3$/, '2')] : [name]))
  expect(new Set(withRanges)).toEqual(new Set(used))
})

test('fills every placeholder, and names the file and those without a value', () => {
  expect(fillPlaceholders('a.cfg', 'bind {{HOST}}:{{PORT}}', { HOST: '127.0.0.1', PORT: '80' })).toBe(
    'bind 127.0.0.1:80',
  )
  expect(() => fillPlaceholders('a.cfg', '{{HOST}} {{PORT}} {{HOST}}', { PORT: '80' })).toThrow(
    'deploy/cluster/a.cfg has placeholders without a value: HOST.',
  )
})

test.each(['web.env', 'worker.env'])('every setting of %s is described in docs/configuration.md', (file) => {
  const documented = readFileSync(path.join(projectRoot, 'docs/configuration.md'), 'utf8')
  const names = Object.keys(parseEnvironment(file, files.get(file) ?? ''))
  expect(names.length).toBeGreaterThan(5)
  expect(names.filter((name) => !documented.includes(`| \`${name}\``))).toEqual([])
})

test('a line of settings that is not NAME=value is an error', () => {
  expect(parseEnvironment('web.env', '# why\nA=1\n\nB=c=d\n')).toEqual({ A: '1', B: 'c=d' })
  expect(() => parseEnvironment('web.env', 'export A=1')).toThrow('a line that is not NAME=value: export A=1')
})

test('missing programs are named with the command that installs them', () => {
  const isInstalled = (name: string) => (['etcd', 'nginx'].includes(name) ? undefined : `/usr/bin/${name}`)
  expect(describeMissingPrograms(isInstalled, false)).toBe(
    'This drill needs programs that are not installed: etcd, nginx, PostgreSQL 15 or later. On Debian: apt-get install --no-install-recommends etcd-server nginx postgresql-15',
  )
  expect(describeMissingPrograms((name) => `/usr/bin/${name}`, true)).toBeUndefined()
})

test('writes work again with the first one after the last that failed or was slow', () => {
  const write = (startedAt: number, endedAt: number, succeeded = true) => ({ startedAt, endedAt, succeeded })
  const killedAt = 1000
  expect(secondsUntilWritesWork([write(1100, 1200), write(1300, 1400)], killedAt)).toBe(0)
  const failed = [write(1100, 1200), write(1300, 1400, false), write(1500, 1600, false), write(3800, 4000)]
  expect(secondsUntilWritesWork(failed, killedAt)).toBe(3)
  expect(secondsUntilWritesWork([write(1100, 6000), write(6100, 6200)], killedAt)).toBe(5)
  expect(secondsUntilWritesWork([write(1100, 1200, false)], killedAt)).toBe(Number.POSITIVE_INFINITY)
})
