// `npm test`: everything. Types, lint, budgets, unit and API tests on a real PostgreSQL, stories in a real browser.
// `npm test -- unit` or `npm test -- browser` runs a part. What failed is named once more at the end; the last line is
// "N passed, N failed".
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { findBrowser } from './browser.mjs'
import { checkNode, prepareCheckout, root } from './run.mjs'
import { findTools } from './tools.mjs'

checkNode()
prepareCheckout()
findTools()

const part = process.argv[2] ?? 'all'
const reports = mkdtempSync(path.join(tmpdir(), 'dubplate-reports-'))
const counts = { passed: 0, failed: 0 }
/** What to look for further up. */
const failures = []

const node = (script, ...args) => [process.execPath, path.join(root, 'node_modules', script), ...args]

function step(name, [command, ...args], { env = {}, count } = {}) {
  console.log(`\n── ${name}`)
  const done = spawnSync(command, args, { cwd: root, stdio: 'inherit', env: { ...process.env, ...env } })
  const counted = count?.()
  if (counted) {
    counts.passed += counted.passed
    counts.failed += counted.failed
    failures.push(...counted.names.map((failure) => `${name}: ${failure}`))
  }
  // A step that fails without a failed test (or without a report) is one failure itself.
  if (done.status !== 0 && !counted?.failed) {
    counts.failed++
    failures.push(`${name}: ended with code ${done.status}, and names no failed test`)
  }
  if (done.status === 0 && !counted) counts.passed++
}

const report = (name) => {
  const file = path.join(reports, name)
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined
}

function countUnits() {
  const read = report('unit.json')
  if (!read) return undefined
  // A file whose tests all passed can fail around them: while it is set up, or put away.
  const files = read.testResults.filter(({ status }) => status === 'failed')
  const names = files.flatMap(({ name, message, assertionResults }) => {
    const failed = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    const what = failed.length > 0 ? failed : [`around its tests: ${message}`]
    return what.map((one) => `${path.relative(root, name)} › ${one}`)
  })
  return { passed: read.numPassedTests, failed: names.length, names }
}

function countStories() {
  const read = report('browser.json')
  if (!read) return undefined
  const failed = storiesIn(read).filter(({ ok }) => !ok)
  const names = [
    ...failed.map(({ file, line, title }) => `${file}:${line} › ${title}`),
    ...read.errors.map(({ message }) => `around the stories: ${message}`),
  ]
  return { passed: read.stats.expected, failed: names.length, names }
}

const storiesIn = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(storiesIn)]

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
if (failures.length > 0) console.log(['\nFailed:', ...failures].join('\n  '))
console.log(`\n${counts.passed} passed, ${counts.failed} failed`)
process.exit(counts.failed === 0 ? 0 : 1)
