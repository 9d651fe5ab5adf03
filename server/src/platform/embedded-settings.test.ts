import { expect, test } from 'vitest'
import { databaseSettings, readMachine } from './embedded-settings.ts'

const MEGABYTE = 2 ** 20
const settingsOf = (memoryMb: number, cores = 2): Record<string, string> =>
  Object.fromEntries(
    databaseSettings({ memoryBytes: memoryMb * MEGABYTE, cores }).map(
      (setting) => setting.split('=') as [string, string],
    ),
  )

test('the caches grow with the memory, within bounds', () => {
  expect(settingsOf(512)).toMatchObject({ shared_buffers: '64MB', effective_cache_size: '256MB', work_mem: '4MB' })
  expect(settingsOf(4096)).toMatchObject({ shared_buffers: '512MB', effective_cache_size: '2048MB', work_mem: '16MB' })
  expect(settingsOf(131_072)).toMatchObject({
    shared_buffers: '1024MB',
    work_mem: '32MB',
    maintenance_work_mem: '512MB',
  })
})

test('half of the cores may work on one query', () => {
  expect(settingsOf(4096, 1)).toMatchObject({ max_parallel_workers_per_gather: '0' })
  expect(settingsOf(4096, 8)).toMatchObject({ max_parallel_workers: '8', max_parallel_workers_per_gather: '4' })
})

test('this machine has memory and a core', () => {
  const { memoryBytes, cores } = readMachine()
  expect(memoryBytes).toBeGreaterThan(64 * MEGABYTE)
  expect(cores).toBeGreaterThan(0)
})
