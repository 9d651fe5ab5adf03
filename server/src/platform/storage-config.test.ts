import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SECRET = 'a secret of at least thirty-two characters'
const read = (settings: Record<string, string> = {}) => readConfig({ SECRET, ...settings }).bucket

test('without STORAGE_URL, music and pictures are in the folder', () => {
  expect(read()).toBeUndefined()
  expect(read({ STORAGE_URL: '' })).toBeUndefined()
})

test('a bucket at Amazon needs a region, another server an endpoint', () => {
  expect(read({ STORAGE_URL: 's3://music?region=eu-central-1' })).toEqual({
    ...{ bucket: 'music', prefix: '', region: 'eu-central-1', endpoint: undefined, pathStyle: false },
    ...{ credentials: undefined, redirect: undefined },
  })
  expect(read({ STORAGE_URL: 's3://music', AWS_REGION: 'us-west-2' })?.region).toBe('us-west-2')
  const STORAGE_URL = 's3://my.music/pools/one/?endpoint=http://127.0.0.1:9000&path_style=off'
  expect(read({ STORAGE_URL, STORAGE_ACCESS_KEY_ID: 'id', STORAGE_SECRET_ACCESS_KEY: 'key' })).toMatchObject({
    ...{ bucket: 'my.music', prefix: 'pools/one/', region: 'us-east-1', endpoint: 'http://127.0.0.1:9000' },
    ...{ pathStyle: false, credentials: { accessKeyId: 'id', secretAccessKey: 'key' } },
  })
  expect(read({ STORAGE_URL: 's3://music?endpoint=https://s3.example' })?.pathStyle).toBe(true)
})

test.each([
  ['./media', 'expected a bucket URL, such as s3://bucket/prefix?endpoint='],
  ['https://s3.example/music', 'expected a bucket URL'],
  ['s3://', 'the bucket is missing'],
  ['s3://m', 'the bucket is missing'],
  ['s3://music', 'the region is missing'],
  ['s3://music?endpoint=s3.example', 'endpoint must be the URL of a server'],
  ['s3://music?endpoint=https://s3.example/music', 'endpoint must be the URL of a server'],
  ['s3://music?regoin=eu', 'unknown option "regoin"; use endpoint, region, path_style, redirect'],
  ['s3://music?region=eu&path_style=yes', 'path_style must be "on" or "off"'],
  ['s3://music?region=eu&redirect=yes', 'redirect must be "on", "off" or the URL'],
])('refuses to start with %s and names the expected value', (STORAGE_URL, why) => {
  expect(() => read({ STORAGE_URL })).toThrow(`Invalid STORAGE_URL="${STORAGE_URL}": ${why}`)
})

test('refuses keys in the URL without repeating them', () => {
  const broken = () => read({ STORAGE_URL: 's3://AKIA:hush@music?region=eu' })
  expect(broken).toThrow('set the keys in STORAGE_ACCESS_KEY_ID and STORAGE_SECRET_ACCESS_KEY instead')
  expect(broken).not.toThrow(/hush/)
})

test('names the missing one of two keys', () => {
  const STORAGE_URL = 's3://music?region=eu'
  expect(() => read({ STORAGE_URL, STORAGE_ACCESS_KEY_ID: 'id' })).toThrow(
    'STORAGE_ACCESS_KEY_ID also requires STORAGE_SECRET_ACCESS_KEY. Set all of them or none.',
  )
  expect(() => read({ STORAGE_URL, STORAGE_SECRET_ACCESS_KEY: 'key' })).toThrow(
    /^STORAGE_SECRET_ACCESS_KEY also requires STORAGE_ACCESS_KEY_ID\./,
  )
})
