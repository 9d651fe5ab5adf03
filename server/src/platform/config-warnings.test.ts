import { expect, test } from 'vitest'
import { findWarnings, readConfig } from './config.ts'

const read = (settings: Record<string, string>) => findWarnings(readConfig({ SECRET: 's'.repeat(32), ...settings }))

test.each(['0.0.0.0', '::'])('warns when HOST=%s is open to others and PUBLIC_URL is not set', (HOST) => {
  expect(read({ HOST })).toEqual([
    expect.stringMatching(/^HOST=\S+ accepts .* Set PUBLIC_URL to the address people use/),
  ])
  expect(read({ HOST, PUBLIC_URL: 'https://pool.test' })).toEqual([])
})

test('does not warn about a pool that only this machine can reach', () => {
  expect(read({})).toEqual([])
})
