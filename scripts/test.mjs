// `npm test`: types, lint, budgets, commits, unit, component and API tests on a real PostgreSQL, and the smoke stories
// in a real browser. Of the heavy tests, it runs those beside changed files. `npm run test:all` runs all of them, the long
// tests and all other stories too. Both accept a part: `npm test -- unit`, `npm test -- browser`. Failures are listed again
// at the end; the last line is "N passed, N failed".
import path from 'node:path'
import { findInstalledBrowser } from './browser.mjs'
import { findChangedHeavyTests } from './changed-tests.mjs'
import { checkNode, root } from './run.mjs'
import { compareCpu, findRecorded, recordCpu } from './test-cpu.mjs'
import { removeAbandonedRuns } from './test-folder.mjs'
import { countStories, countUnits, findSlowest } from './test-reports.mjs'
import { startRun } from './test-steps.mjs'

/** Cases of each property test, as a percentage of the usual number (server/test/properties.ts). */
const FEW_CASES = '20'
const MANY_CASES = '100'
const USAGE = 'Usage: npm test [-- unit|browser] [--record], npm run test:all [-- unit|browser] [--record]'

const node = (script, ...args) => [process.execPath, path.join(root, script), ...args]
const tsc = (project) => node('node_modules/typescript/bin/tsc', '--noEmit', '-p', project)

const { isAll, isRecording, part } = readArguments(process.argv.slice(2))

function readArguments(args) {
  const [part = 'everything', ...others] = args.filter((arg) => !arg.startsWith('--'))
  const flags = args.filter((arg) => arg.startsWith('--'))
  const isKnown = flags.every((flag) => ['--all', '--record'].includes(flag))
  if (!isKnown || others.length > 0 || !['everything', 'unit', 'browser'].includes(part)) {
    console.error(USAGE)
    process.exit(2)
  }
  return { isAll: flags.includes('--all'), isRecording: flags.includes('--record'), part }
}

/** React's rules, with many times the CPU time of the other checks. */
const slowChecks = [{ name: 'lint: rules of React', command: node('node_modules/eslint/bin/eslint.js', 'web/src') }]

const checks = [
  { name: 'types: server, contract, demo, bench', command: tsc('tsconfig.json') },
  { name: 'types: web', command: tsc('web/tsconfig.json') },
  { name: 'types: service worker', command: tsc('web/service-worker/tsconfig.json') },
  { name: 'types: journeys', command: tsc('journeys/tsconfig.json') },
  {
    name: 'lint and format',
    command: node('node_modules/@biomejs/biome/bin/biome', 'check', '--error-on-warnings', '.'),
  },
  { name: 'unused code', command: node('node_modules/knip/bin/knip.js', '--no-progress') },
  { name: 'bundle size', command: node('scripts/web-budget.mjs') },
  { name: 'size of the commits', command: node('scripts/check-history.mjs') },
  { name: 'banned words', command: node('scripts/check-words.mjs') },
]

function vitest(name, env, ...args) {
  const report = path.join(testRun.folder, `${name.replace(/\W+/g, '-')}.json`)
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  return {
    name,
    env,
    command: node('node_modules/vitest/vitest.mjs', 'run', ...reporters, ...args),
    count: () => countUnits(report),
  }
}

function playwright(name, ...args) {
  const report = path.join(testRun.folder, `${name.replace(/\W+/g, '-')}.json`)
  const config = ['--config', 'journeys/playwright.config.ts', '--reporter=list,json']
  return {
    name,
    // Resolved when the step starts: an earlier step may install it.
    get env() {
      return { CHROMIUM: findInstalledBrowser() ?? '', PLAYWRIGHT_JSON_OUTPUT_NAME: report }
    },
    command: node('node_modules/@playwright/test/cli.js', 'test', ...config, ...args),
    count: () => countStories(report),
  }
}

/** Heavy tests of what was changed. */
function forChanges() {
  const files = findChangedHeavyTests()
  const env = { TEST_SCOPE: 'long', PROPERTY_CASES: FEW_CASES }
  const unit = files.length > 0 ? [vitest('heavy tests in folders with changes', env, ...files)] : []
  return { checks: [], unit, browser: [] }
}

/** The steps of `npm test` and, for `npm run test:all`, the additional ones. */
function listSteps() {
  const quick = {
    checks,
    unit: [vitest('unit, component and API', { TEST_SCOPE: 'quick', PROPERTY_CASES: isAll ? MANY_CASES : FEW_CASES })],
    browser: [playwright('smoke stories', '--grep', '@smoke')],
  }
  const rest = {
    checks: slowChecks,
    unit: [vitest('heavy and long tests', { TEST_SCOPE: 'long' })],
    browser: [playwright('all other stories', '--grep-invert', '@smoke')],
  }
  return (isAll ? [quick, rest] : [quick, forChanges()]).flatMap((scope) =>
    part === 'everything' ? [...scope.checks, ...scope.unit, ...scope.browser] : scope[part],
  )
}

const totals = { passed: 0, failed: 0, cpu_s: 0, files: [] }
/** Names of failures, listed at the end. */
const failures = []
/** Duration of each step. */
const steps = []

const inSeconds = (seconds) => `${seconds.toFixed(1).padStart(6)} s`

async function runStep({ name, command, env, count = () => undefined }) {
  console.log(`\n── ${name}`)
  const startedAt = performance.now()
  const { code, cpu_s = Number.NaN } = await testRun.run({ command, env })
  totals.cpu_s += cpu_s
  const wall_s = (performance.now() - startedAt) / 1000
  steps.push({ name, text: Number.isNaN(cpu_s) ? inSeconds(wall_s) : `${inSeconds(wall_s)}, CPU ${inSeconds(cpu_s)}` })
  const counts = count()
  totals.passed += counts?.passed ?? (code === 0 ? 1 : 0)
  totals.failed += counts?.failed ?? 0
  totals.files.push(...(counts?.files ?? []))
  failures.push(...(counts?.names ?? []).map((failure) => `${name}: ${failure}`))
  // A step that fails without a failed test (or without a report) counts as one failure.
  if (code === 0 || counts?.failed) return
  totals.failed++
  failures.push(`${name}: exited with code ${code} without reporting a failed test`)
}

function printSlowest() {
  const slowest = findSlowest(totals.files)
  if (slowest.length > 0) console.log('\nSlowest test files:')
  for (const { name, seconds } of slowest) console.log(`  ${inSeconds(seconds)}  ${name}`)
  console.log('\nSteps:')
  for (const { name, text } of steps) console.log(`  ${text}  ${name}`)
}

function printCpu() {
  if (Number.isNaN(totals.cpu_s)) return console.log('\nCPU: not measured on this system')
  console.log(`\nCPU: ${totals.cpu_s.toFixed(0)} s, without installing and building`)
  const command = isAll ? 'npm run test:all' : 'npm test'
  if (part !== 'everything') return
  const warning = compareCpu(command, totals.cpu_s, findRecorded(command))
  if (warning) console.log(warning)
  if (isRecording) recordCpu(command, totals.cpu_s)
}

checkNode()
const testRun = startRun()
for (const folder of await removeAbandonedRuns()) console.log(`Removed ${folder}, which a killed run left behind.`)
console.log('── install and build')
// Some shells set NODE_ENV. The front end is built for production regardless: the screen checks fail on a development
// build.
const prepared = await testRun.run({ command: node('scripts/prepare-tests.mjs'), env: { NODE_ENV: 'test' } })
if (prepared.code === 0) for (const step of listSteps()) await runStep(step)
else {
  totals.failed++
  failures.push('install and build: see above. Nothing else was run.')
}
const left = await testRun.finish()
if (left.length > 0) console.log(`\nThe tests left processes running. They were stopped: ${left.join(', ')}`)
printSlowest()
printCpu()
if (failures.length > 0) console.log(['\nFailed:', ...failures].join('\n  '))
console.log(`\n${totals.passed} passed, ${totals.failed} failed`)
process.exit(totals.failed === 0 ? 0 : 1)
