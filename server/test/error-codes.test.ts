import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { ERRORS } from '@dubplate/contract/schemas/errors'
import { expect, test } from 'vitest'
import { projectRoot } from '../src/platform/project-root.ts'
import { allEndpoints } from './all-endpoints.ts'

const source = path.join(projectRoot, 'server', 'src')
const code = readdirSync(source, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => readFileSync(path.join(source, name), 'utf8'))
  .join('\n')

test('every error code is declared by an endpoint or thrown outside of one', () => {
  const declared = new Set<string>(allEndpoints.flatMap(({ errors }) => errors))
  const thrown = new Set(Array.from(code.matchAll(/new ApiError\(\s*'(\w+)'/g), ([, name]) => name))
  expect(Object.keys(ERRORS).filter((name) => !declared.has(name) && !thrown.has(name))).toEqual([])
})
