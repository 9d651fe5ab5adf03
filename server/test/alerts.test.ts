import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'
import { openTestPool, type TestPool } from './pool.ts'

/** Checks the rules of deploy/prometheus-alerts.yml against the actual /metrics. */

const file = path.join(projectRoot, 'deploy', 'prometheus-alerts.yml')
const text = readFileSync(file, 'utf8')
const rules = text.split(/^ {6}- alert: /m).slice(1)

let pool: TestPool
let page = ''
beforeAll(async () => {
  pool = await openTestPool()
  // Histograms have no buckets before the first request.
  await pool.app.inject('/healthz')
  page = (await pool.app.inject('/metrics')).body
})
afterAll(() => pool.close())

test('every metric that a rule names exists', () => {
  const named = new Set(rules.flatMap((rule) => rule.match(/\bdubplate_[a-z_]+/g) ?? []))
  expect(named.size).toBeGreaterThan(20)
  const declared = new Set([...page.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name]) => name))
  const known = (name: string) => declared.has(name) || declared.has(name.replace(/_(bucket|count|sum)$/, ''))
  expect([...named].filter((name) => !known(name))).toEqual([])
})

test('every label that a rule filters by exists', () => {
  const filters = [...text.matchAll(/(dubplate_[a-z_]+)\{([a-z]+)=~?"([^"]+)"/g)]
  expect(filters.length).toBeGreaterThan(1)
  for (const [, name = '', label = ''] of filters) expect(page).toMatch(new RegExp(`^${name}\\{[^}]*${label}="`, 'm'))
})

test('every rule has its own name, a severity, and says what to do', () => {
  const names = rules.map((rule) => rule.split('\n')[0])
  expect(new Set(names).size).toBe(names.length)
  for (const rule of rules) {
    expect(rule).toMatch(/severity: (critical|warning)/)
    expect(rule).toMatch(/^ {10}summary: ./m)
    expect(rule).toMatch(/^ {10}description: ./m)
  }
})

const promtool = (process.env.PATH ?? '')
  .split(':')
  .map((folder) => path.join(folder, 'promtool'))
  .find(existsSync)

test.skipIf(!promtool)('promtool accepts the rules', () => {
  expect(execFileSync(promtool ?? '', ['check', 'rules', file], { encoding: 'utf8' })).toContain('SUCCESS')
})
