// Rejects commits that are too large to review: part of `npm test`. Checks the commits that the branch adds to origin/main.
import { spawnSync } from 'node:child_process'
import { pathToFileURL } from 'node:url'
import { root } from './releases.mjs'

const MAX_FILES = 80
const MAX_LINES = 3000
/** Commits made by a program, or that move text without changing it, may be large. */
const EXEMPT = /^(Rename|Move|Generated): /
/** Written by npm. The changes that matter are in package.json. */
const GENERATED_FILE = /(^|\/)package-lock\.json$/
/** Cannot be part of a subject or a path. */
const SEPARATOR = '\x01'

/**
 * Returns the commits since `base` that are too large to review. Merge commits are left out: their parents are checked.
 * Throws an Error when git fails.
 */
export function findLargeCommits(base, { cwd = root, maxFiles = MAX_FILES, maxLines = MAX_LINES } = {}) {
  const format = `--format=${SEPARATOR}%h %s`
  const log = git(['log', '--no-merges', '-M', '--numstat', format, `${base}..HEAD`], cwd)
  return log
    .split(SEPARATOR)
    .filter(Boolean)
    .map(readCommit)
    .filter(({ subject, files, lines }) => !EXEMPT.test(subject) && (files > maxFiles || lines > maxLines))
}

function readCommit(text) {
  const [head, ...rest] = text.trim().split('\n')
  const [, id, subject] = head.match(/^(\S+) (.*)$/) ?? [head, head, '']
  const changes = rest
    .filter(Boolean)
    .map((line) => line.split('\t'))
    .filter(([, , file]) => !GENERATED_FILE.test(file))
  // A binary file has "-" for both.
  const lines = changes.reduce((sum, [added, removed]) => sum + (Number(added) || 0) + (Number(removed) || 0), 0)
  return { id, subject, files: changes.length, lines }
}

function git(args, cwd) {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim()}`)
  return stdout.trim()
}

/** The merge base with origin/main; undefined without that branch, outside a repository, or in a shallow clone. */
export function findBase(cwd = root) {
  try {
    return git(['merge-base', 'origin/main', 'HEAD'], cwd)
  } catch {
    return undefined
  }
}

/** Returns the text to print and whether the check passed. */
export function checkHistory(cwd = root) {
  const base = findBase(cwd)
  if (!base) return { isPassed: true, text: 'There is no origin/main to compare with. No commits were checked.' }
  const large = findLargeCommits(base, { cwd })
  if (large.length === 0) return { isPassed: true, text: 'Every commit since origin/main is small enough to review.' }
  const text = [
    ...large.map(({ id, subject, files, lines }) => `${id} "${subject}" changes ${lines} lines in ${files} files.`),
    `A commit may change at most ${MAX_LINES} lines in ${MAX_FILES} files (package-lock.json is not counted).`,
    'Split it with "git rebase -i origin/main" (mark it "edit"). If the change was generated, or only renames or',
    'moves text, start its subject with "Generated: ", "Rename: " or "Move: ".',
  ].join('\n')
  return { isPassed: false, text }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { isPassed, text } = checkHistory()
  console.log(text)
  process.exit(isPassed ? 0 : 1)
}
