import { expect, test } from 'vitest'
import { createRateEstimator } from './import-progress.ts'

test('bases the remaining time on the last half minute, so that skipped files do not distort it', () => {
  let now = 0
  const rateEstimator = createRateEstimator(() => now)
  const files = Array.from({ length: 100 }, (_, n) => ({ path: `${n}.mp3`, bytes: 1_000_000 }))
  rateEstimator.onStart(files)
  for (const file of files.slice(0, 50)) {
    now += 10
    rateEstimator.onDone(file)
  }
  expect(rateEstimator.summary()).toMatchObject({ files: '50/100 files', rate: '100.0 MB/s', left: '0:01 left' })
  for (const file of files.slice(50, 60)) {
    now += 10_000
    rateEstimator.onDone(file)
  }
  expect(rateEstimator.summary()).toMatchObject({
    files: '60/100 files',
    rate: '0.1 MB/s',
    pace: '6 files/min',
    left: '6:40 left',
  })
})

test('bases the remaining time on the audio, although a WAV has many times the bytes of an MP3', () => {
  let now = 0
  const rateEstimator = createRateEstimator(() => now)
  const wavs = Array.from({ length: 4 }, (_, n) => ({ path: `${n}.wav`, bytes: 40_000_000 }))
  const mp3s = Array.from({ length: 40 }, (_, n) => ({ path: `${n}.mp3`, bytes: 4_000_000 }))
  rateEstimator.onStart([...wavs, ...mp3s])
  for (const wav of wavs) {
    now += 10_000
    rateEstimator.onDone(wav, 200)
  }
  // 40 × 100 s of estimated audio at 20 s of audio per second; by their bytes it would be 40 s.
  expect(rateEstimator.summary().left).toBe('3:20 left')
  now += 10_000
  for (const mp3 of mp3s.slice(0, 1)) rateEstimator.onDone(mp3, 200)
  // The first MP3 is twice as long as estimated, so the others are expected to be too.
  expect(rateEstimator.summary().left).toBe('6:30 left')
})
