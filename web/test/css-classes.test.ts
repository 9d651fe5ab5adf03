import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const root = path.join(import.meta.dirname, '..')
const listFiles = (pattern: string) =>
  execFileSync('git', ['ls-files', pattern], { cwd: root, encoding: 'utf8' }).trim().split('\n')

/** The classes that a file takes from its CSS modules but that these do not have: such an element has no style. */
function findUnknownClasses(file: string): string[] {
  const source = readFileSync(path.join(root, file), 'utf8')
  const imports = [...source.matchAll(/import (\w+) from '(\S+\.module\.css)'/g)]
  return imports.flatMap(([, name = '', from = '']) => {
    const css = readFileSync(path.join(root, path.dirname(file), from), 'utf8')
    const uses = [...source.matchAll(new RegExp(`(?<![\\w.])${name}\\.(\\w+)`, 'g'))].map(([, used = '']) => used)
    return [...new Set(uses)]
      .filter((used) => !new RegExp(`\\.${used}(?![\\w-])`).test(css))
      .map((used) => `${file}: ${name}.${used}`)
  })
}

test('every class that a component takes from a CSS module exists', () => {
  const files = listFiles('src/**/*.tsx')
  expect(files.length).toBeGreaterThan(100)
  expect(files.flatMap(findUnknownClasses)).toEqual([])
})
