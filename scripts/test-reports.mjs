// Reads the JSON reports of Vitest and Playwright: what passed, what failed, and which files took longest.
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { root } from './releases.mjs'

/** @typedef {{ passed: number, failed: number, names: string[], files: { name: string, seconds: number }[] }} Counts */

/** undefined when there is no report, or only the beginning of one because its writer was killed. */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'))
  } catch {
    return undefined
  }
}

/** @returns {Counts | undefined} undefined when Vitest wrote no report */
export function countUnits(reportFile) {
  const report = readReport(reportFile)
  if (!report) return undefined
  // A file whose tests all passed can fail around them: in its setup or its clean-up.
  const failed = report.testResults.filter(({ status }) => status === 'failed')
  const names = failed.flatMap(({ name, message, assertionResults }) => {
    const titles = assertionResults.filter(({ status }) => status === 'failed').map(({ fullName }) => fullName)
    const shown = titles.length > 0 ? titles : [`outside its tests: ${message}`]
    return shown.map((title) => `${path.relative(root, name)} › ${title}`)
  })
  const files = report.testResults.map(({ name, startTime, endTime }) => ({
    name: path.relative(root, name),
    seconds: (endTime - startTime) / 1000,
  }))
  return { passed: report.numPassedTests, failed: names.length, names, files }
}

const listSpecs = (suite) => [...(suite.specs ?? []), ...(suite.suites ?? []).flatMap(listSpecs)]

const secondsOf = (spec) =>
  spec.tests.flatMap(({ results }) => results).reduce((sum, { duration }) => sum + duration / 1000, 0)

/** @returns {Counts | undefined} undefined when Playwright wrote no report */
export function countStories(reportFile) {
  const report = readReport(reportFile)
  if (!report) return undefined
  const failed = listSpecs(report).filter(({ ok }) => !ok)
  const names = [
    ...failed.map(({ file, line, title }) => `${file}:${line} › ${title}`),
    ...report.errors.map(({ message }) => `outside the stories: ${message}`),
  ]
  const files = report.suites.map((suite) => ({
    name: `journeys/${suite.file}`,
    seconds: listSpecs(suite).reduce((sum, spec) => sum + secondsOf(spec), 0),
  }))
  return { passed: report.stats.expected, failed: names.length, names, files }
}

/** The files that took longest, the longest first. A file that ran in two steps counts once, with both times. */
export function findSlowest(files, count = 10) {
  const sums = new Map()
  for (const { name, seconds } of files) sums.set(name, (sums.get(name) ?? 0) + seconds)
  return [...sums]
    .map(([name, seconds]) => ({ name, seconds }))
    .sort((a, b) => b.seconds - a.seconds)
    .slice(0, count)
}
