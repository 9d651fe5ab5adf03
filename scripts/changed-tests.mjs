// Finds the heavy tests that `npm test` runs too: those beside files that were changed since origin/main.
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { findBase } from './check-history.mjs'
import { root } from './releases.mjs'

const HEAVY_TEST = /\.heavy\.test\.tsx?$/

function list(args, cwd) {
  const { status, stdout, stderr } = spawnSync('git', [...args, '-z'], { cwd, encoding: 'utf8', maxBuffer: 2 ** 28 })
  if (status !== 0) throw new Error(`git ${args[0]}: ${stderr.trim()}`)
  return stdout.split('\0').filter(Boolean)
}

/**
 * The paths of the heavy tests in folders with a file that was added, changed or deleted since origin/main, whether that is
 * committed or not. Empty without origin/main or outside a repository. Throws an Error when git fails.
 */
export function findChangedHeavyTests(cwd = root) {
  const base = findBase(cwd)
  if (!base) return []
  const isNew = ['ls-files', '--others', '--exclude-standard']
  const changed = [...list(['diff', '--name-only', '--no-renames', base], cwd), ...list(isNew, cwd)]
  const folders = new Set(changed.map((file) => path.dirname(file)))
  const files = [...new Set([...list(['ls-files'], cwd), ...list(isNew, cwd)])]
  const isIncluded = (file) => HEAVY_TEST.test(file) && folders.has(path.dirname(file))
  return files.filter((file) => isIncluded(file) && existsSync(path.join(cwd, file)))
}
