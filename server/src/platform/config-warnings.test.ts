import { expect, test } from 'vitest'
import { readConfig } from './config.ts'
import { findWarnings } from './config-warnings.ts'

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

test('warns that SENDFILE has no effect for files in a bucket', () => {
  const STORAGE_URL = 's3://pool-music?region=eu-central-1'
  expect(read({ SENDFILE: 'nginx', STORAGE_URL })).toEqual([
    expect.stringMatching(/^SENDFILE=nginx has no effect, .* STORAGE_URL\. Remove SENDFILE\./),
  ])
  expect([read({ SENDFILE: 'nginx' }), read({ STORAGE_URL })]).toEqual([[], []])
})

test('stops at an unknown SENDFILE with the values it accepts', () => {
  expect(() => read({ SENDFILE: 'lighttpd' })).toThrow(
    'Invalid SENDFILE="lighttpd": expected "off", "nginx" or "apache".',
  )
  expect(() => read({ SENDFILE_CACHE_GB: '-1' })).toThrow(
    'Invalid SENDFILE_CACHE_GB="-1": expected a number of gigabytes',
  )
})

test.each(['SECRET', 'METRICS_TOKEN', 'STRIPE_SECRET_KEY', 'STRIPE_WEBHOOK_SECRET'])(
  'names the length of an invalid %s, never its value',
  (name) => {
    const rejected = () => readConfig({ SECRET: 's'.repeat(32), [name]: 'hunter2 hunter2' })
    expect(rejected).toThrow(`Invalid ${name} (15 characters): expected `)
    expect(rejected).not.toThrow('hunter2')
  },
)

test('does not print the password of an invalid URL, also if it contains an @', () => {
  const rejected = () => readConfig({ SECRET: 's'.repeat(32), DATABASE_URL: 'mysql://pool:hunt@r2@db.example/pool' })
  expect(rejected).toThrow('Invalid DATABASE_URL="mysql://pool:…@db.example/pool"')
})
