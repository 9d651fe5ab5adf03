import { expect, test } from 'vitest'
import { makePace } from './import-progress.ts'

test('the time left follows the last half minute, so that skipped files do not promise too much', () => {
  let now = 0
  const pace = makePace(() => now)
  const files = Array.from({ length: 100 }, (_, n) => ({ path: `${n}.mp3`, bytes: 1_000_000 }))
  pace.begin(files)
  for (const file of files.slice(0, 50)) {
    now += 10
    pace.done(file)
  }
  expect(pace.said()).toMatchObject({ files: '50/100 files', rate: '100.0 MB/s', left: '0:01 left' })
  for (const file of files.slice(50, 60)) {
    now += 10_000
    pace.done(file)
  }
  expect(pace.said()).toMatchObject({
    files: '60/100 files',
    rate: '0.1 MB/s',
    pace: '6 files a minute',
    left: '6:40 left',
  })
})
