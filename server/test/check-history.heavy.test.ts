import { renameSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
// @ts-expect-error: plain JavaScript, which runs before anything is built.
import { checkHistory, findLargeCommits } from '../../scripts/check-history.mjs'
import { createRepository, lines } from './git-repository.ts'

const createManyFiles = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, n) => [`many/${n}.txt`, `${n}\n`]))

test('accepts a commit of 80 files and one of 3,000 lines', () => {
  const { cwd, commit } = createRepository()
  commit('Add eighty files', createManyFiles(80))
  commit('Add three thousand lines', { 'added.txt': lines(3000) })
  expect(checkHistory(cwd)).toEqual({
    isPassed: true,
    text: 'Every commit since origin/main is small enough to review.',
  })
})

test('rejects a commit of 81 files and one of 3,001 lines, and names both with their figures', () => {
  const { cwd, git, commit } = createRepository()
  commit('Add eighty-one files', createManyFiles(81))
  commit('Swap the lines', { 'long.txt': lines(2500), 'added.txt': lines(1501) })
  const [swap, files] = git('log', '--format=%h', '-2').trim().split('\n')
  const { isPassed, text } = checkHistory(cwd)
  expect(isPassed).toBe(false)
  expect(text).toContain(`${files} "Add eighty-one files" changes 81 lines in 81 files.`)
  expect(text).toContain(`${swap} "Swap the lines" changes 3001 lines in 2 files.`)
  expect(text).toContain('Split it')
})

test.each(['Rename: rooms to modules', 'Move: tests beside their code', 'Generated: texts of the mails'])(
  'accepts a large commit with the subject "%s"',
  (subject) => {
    const { cwd, commit } = createRepository()
    commit(subject, { 'added.txt': lines(3001) })
    expect(checkHistory(cwd).isPassed).toBe(true)
  },
)

test('rejects a large commit whose subject only mentions a rename', () => {
  const { cwd, commit } = createRepository()
  commit('Rename rooms to modules', { 'added.txt': lines(3001) })
  expect(checkHistory(cwd).isPassed).toBe(false)
})

test('does not count package-lock.json, binary files or the lines of a renamed file', () => {
  const { cwd, commit } = createRepository()
  renameSync(path.join(cwd, 'long.txt'), path.join(cwd, 'renamed.txt'))
  const binary = `\0${lines(3001)}`
  commit('Update a package', {
    'package-lock.json': lines(5000),
    'web/package-lock.json': lines(5000),
    'a.png': binary,
  })
  expect(checkHistory(cwd).isPassed).toBe(true)
})

test('judges the commits of a merged branch, and not the merge commit', () => {
  const { cwd, git, commit } = createRepository()
  const commitHalf = (name: string) => commit(`Add ${name}`, { [`${name}.txt`]: lines(2000) })
  git('checkout', '-q', '-b', 'topic')
  commitHalf('first')
  commitHalf('second')
  git('checkout', '-q', 'main')
  commitHalf('third')
  git('merge', '-q', '--no-ff', '-m', 'Merge the topic', 'topic')
  expect(checkHistory(cwd).isPassed).toBe(true)
  expect(findLargeCommits('origin/main', { cwd, maxLines: 1999 })).toHaveLength(3)
})

test('does not judge commits that origin/main already has', () => {
  const { cwd, git, commit } = createRepository()
  commit('Add everything at once', { 'added.txt': lines(3001) })
  git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  commit('Add a line', { 'short.txt': lines(1) })
  expect(checkHistory(cwd).isPassed).toBe(true)
})

test('passes and says so where there is no origin/main', () => {
  const { cwd, git } = createRepository()
  git('update-ref', '-d', 'refs/remotes/origin/main')
  expect(checkHistory(cwd)).toEqual({
    isPassed: true,
    text: 'There is no origin/main to compare with. No commits were checked.',
  })
})
