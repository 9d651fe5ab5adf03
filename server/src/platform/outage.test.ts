import { expect, test } from 'vitest'
import { Outage } from './outage.ts'

function aLog() {
  const lines: string[] = []
  const write = (fields: { failures?: number; seconds?: number }, message: string) =>
    void lines.push(`${message}${fields.failures === undefined ? '' : ` ${fields.failures} in ${fields.seconds} s`}`)
  return { lines, log: { error: write, info: write } as never }
}

test('logs an outage once when it begins, once a minute and once when it ends', () => {
  const { lines, log } = aLog()
  let now = 0
  const outage = new Outage('The database is unavailable', () => now)
  for (; now < 130_000; now += 100) outage.failed(log, new Error('connect ECONNREFUSED'))
  outage.recovered(log)
  outage.recovered(log)
  expect(lines).toEqual([
    'The database is unavailable.',
    'The database is unavailable still. 601 in 60 s',
    'The database is unavailable still. 1201 in 120 s',
    'Over: the database is unavailable. 1300 in 130 s',
  ])
})

test('treats failures half a minute apart as two outages, also if the end of the first was not reported', () => {
  const { lines, log } = aLog()
  let now = 0
  const outage = new Outage('The disk is full', () => now)
  outage.failed(log, new Error('ENOSPC'))
  now = 31_000
  outage.failed(log, new Error('ENOSPC'))
  expect(lines).toEqual(['The disk is full.', 'The disk is full.'])
})
