import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { compareCpu, findRecorded, withRecorded } from '../../scripts/test-cpu.mjs'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { countStories, countUnits, findSlowest } from '../../scripts/test-reports.mjs'

const RECORDED = { date: new Date('2026-11-22T12:00:00Z'), machine: '2 cores, Example; Node 24.0.0' }

test('finds the recorded CPU time of a command in the results, and replaces it', () => {
  const first = withRecorded('# Benchmarks\n', 'npm test', 100.4, RECORDED)
  const both = withRecorded(first, 'npm run test:all', 900, RECORDED)
  const replaced = withRecorded(both, 'npm test', 120, RECORDED)
  const measured = { measured: '2026-11-22', machine: '2 cores, Example; Node 24.0.0' }
  expect(findRecorded('npm test', first)).toEqual({ seconds: 100, ...measured })
  expect(findRecorded('npm test', replaced)).toEqual({ seconds: 120, ...measured })
  expect(findRecorded('npm run test:all', replaced)).toEqual({ seconds: 900, ...measured })
  expect(findRecorded('npm test', '# Benchmarks\n')).toBeUndefined()
  expect(replaced.match(/## Test suite/g)).toHaveLength(1)
})

test('reports a run that needs at least 15 % more CPU time than recorded, with figure and date', () => {
  const recorded = { seconds: 100, measured: '2026-11-22', machine: '2 cores' }
  expect(compareCpu('npm test', 114.9, recorded)).toBeUndefined()
  expect(compareCpu('npm test', 115, recorded)).toBe(
    '"npm test" used 15 % more CPU than the 100 s recorded on 2026-11-22 (2 cores; bench/RESULTS.md, Test suite).',
  )
  expect(compareCpu('npm test', 5000, undefined)).toBeUndefined()
})

function writeReport(report: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-report-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = path.join(folder, 'report.json')
  writeFileSync(file, JSON.stringify(report))
  return file
}

test('counts a unit test file that fails outside its tests as one failure', () => {
  const file = (name: string, status: string, testTitles: string[]) => ({
    ...{ name: path.resolve(name), status, message: 'no database', startTime: 1000, endTime: 3500 },
    assertionResults: testTitles.map((fullName) => ({ fullName, status: 'failed' })),
  })
  const testResults = [
    file('a.test.ts', 'passed', []),
    file('b.test.ts', 'failed', []),
    file('c.test.ts', 'failed', ['x']),
  ]
  expect(countUnits(writeReport({ numPassedTests: 7, testResults }))).toMatchObject({
    passed: 7,
    failed: 2,
    names: ['b.test.ts › outside its tests: no database', 'c.test.ts › x'],
    files: [{ seconds: 2.5 }, { seconds: 2.5 }, { seconds: 2.5 }],
  })
  expect(countUnits('/nowhere/report.json')).toBeUndefined()
})

test('counts stories in nested suites, and adds up the time of each file', () => {
  const spec = (title: string, ok: boolean) => ({
    ...{ title, ok, file: 'a.story.ts', line: 3 },
    tests: [{ results: [{ duration: 1500 }] }],
  })
  const suites = [{ file: 'a.story.ts', specs: [spec('one', true)], suites: [{ specs: [spec('two', false)] }] }]
  expect(countStories(writeReport({ suites, stats: { expected: 1 }, errors: [] }))).toEqual({
    passed: 1,
    failed: 1,
    names: ['a.story.ts:3 › two'],
    files: [{ name: 'journeys/a.story.ts', seconds: 3 }],
  })
})

test('lists the slowest files first, and adds up a file that ran in two steps', () => {
  const files = [
    { name: 'a', seconds: 2 },
    { name: 'b', seconds: 3 },
    { name: 'a', seconds: 2 },
    { name: 'c', seconds: 1 },
  ]
  expect(findSlowest(files, 2)).toEqual([
    { name: 'a', seconds: 4 },
    { name: 'b', seconds: 3 },
  ])
})
