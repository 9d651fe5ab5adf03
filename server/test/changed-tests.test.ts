import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { findChangedHeavyTests } from '../../scripts/changed-tests.mjs'
import { createRepository } from './git-repository.ts'

/** A repository whose origin/main has code and a heavy test in two folders. */
function createRepositoryWithTests() {
  const repository = createRepository()
  repository.commit('Add code', {
    'a/code.ts': '',
    'a/code.test.ts': '',
    'a/code.heavy.test.ts': '',
    'b/Screen.tsx': '',
    'b/Screen.heavy.test.tsx': '',
    'b/inner/code.heavy.test.ts': '',
  })
  repository.git('update-ref', 'refs/remotes/origin/main', 'HEAD')
  return repository
}

test('without changes, no heavy test is run', () => {
  expect(findChangedHeavyTests(createRepositoryWithTests().cwd)).toEqual([])
})

test('heavy tests beside a committed change, an uncommitted one and a new file are run', () => {
  const { cwd, commit } = createRepositoryWithTests()
  commit('Change the code', { 'a/code.ts': 'changed' })
  expect(findChangedHeavyTests(cwd)).toEqual(['a/code.heavy.test.ts'])
  writeFileSync(path.join(cwd, 'b/Screen.tsx'), 'changed')
  expect(findChangedHeavyTests(cwd)).toEqual(['a/code.heavy.test.ts', 'b/Screen.heavy.test.tsx'])
  writeFileSync(path.join(cwd, 'b/inner/é.heavy.test.ts'), '')
  expect(findChangedHeavyTests(cwd)).toEqual([
    'a/code.heavy.test.ts',
    'b/Screen.heavy.test.tsx',
    'b/inner/code.heavy.test.ts',
    'b/inner/é.heavy.test.ts',
  ])
})

test('heavy tests beside a deleted file are run, and a deleted test is not', () => {
  const { cwd } = createRepositoryWithTests()
  rmSync(path.join(cwd, 'a/code.ts'))
  rmSync(path.join(cwd, 'b/Screen.heavy.test.tsx'))
  expect(findChangedHeavyTests(cwd)).toEqual(['a/code.heavy.test.ts'])
})

test('without origin/main, no heavy test is run', () => {
  const { cwd, git, commit } = createRepositoryWithTests()
  git('update-ref', '-d', 'refs/remotes/origin/main')
  commit('Change the code', { 'a/code.ts': 'changed' })
  expect(findChangedHeavyTests(cwd)).toEqual([])
})
