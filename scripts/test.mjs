// `npm test`: everything. Types, lint, budgets, unit and API tests on a real PostgreSQL, stories in a real browser.
// `npm test -- unit` or `npm test -- browser` runs a part. The last line is "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { build, checkNode, install, root } from './run.mjs'

checkNode()
install()
build()

const part = process.argv[2] ?? 'all'
const reports = mkdtempSync(path.join(tmpdir(), 'dubplate-reports-'))
const counts = { passed: 0, failed: 0 }

const node = (script, ...args) => [process.execPath, path.join(root, 'node_modules', script), ...args]

function step(name, [command, ...args], { env = {}, count } = {}) {
  console.log(`\n── ${name}`)
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const counted = count?.()
  if (counted) {
    counts.passed += counted.passed
    counts.failed += counted.failed
  }
  // A step that fails without a failed test (or without a report) is one failure itself.
  if (done.status !== 0 && !counted?.failed) counts.failed++
  if (done.status === 0 && !counted) counts.passed++
}

const report = (name) => {
  const file = path.join(reports, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function countUnits() {
  const read = report('unit.json')
  return (
    read && {
      passed: read.numPassedTests,
      failed: read.numFailedTests + read.numFailedTestSuites * (read.numFailedTests === 0),
    }
  )
}

function countStories() {
  const read = report('browser.json')
  return read && { passed: read.stats.expected, failed: read.stats.unexpected + read.stats.flaky + read.errors.length }
}

if (part === 'all') {
  step('types: server, contract, demo, bench', node('typescript/bin/tsc', '--noEmit', '-p', 'tsconfig.json'))
  step('types: web', node('typescript/bin/tsc', '--noEmit', '-p', 'web/tsconfig.json'))
  step('types: service worker', node('typescript/bin/tsc', '--noEmit', '-p', 'web/service-worker/tsconfig.json'))
  step('types: journeys', node('typescript/bin/tsc', '--noEmit', '-p', 'journeys/tsconfig.json'))
  step('lint and format', node('@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'))
  step('size of the screens', [process.execPath, path.join(root, 'scripts/web-budget.mjs')])
}
if (part === 'all' || part === 'unit') {
  const output = path.join(reports, 'unit.json')
  step(
    'unit and API',
    node('vitest/vitest.mjs', 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${output}`),
    {
      count: countUnits,
    },
  )
}
if (part === 'all' || part === 'browser') {
  const env = { CHROMIUM: findBrowser(), PLAYWRIGHT_JSON_OUTPUT_NAME: path.join(reports, 'browser.json') }
  step(
    'stories in a browser',
    node('@playwright/test/cli.js', 'test', '--config', 'journeys/playwright.config.ts', '--reporter=list,json'),
    {
      env,
      count: countStories,
    },
  )
}

rmSync(reports, { recursive: true, force: true })
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exit(counts.failed === 0 ? 0 : 1)
