import type { announcements } from '@dubplate/contract'
import { expect, test } from 'vitest'
import {
  inputOf,
  isBlank,
  NEW_ANNOUNCEMENT,
  validateAnnouncement,
  valuesOf,
  valuesToShowAgain,
} from './announcementValues.ts'

const one: announcements.StaffAnnouncement = {
  message_id: 7,
  page_name: 'mp3_chart',
  message: '<p>Charts are back</p>',
  audience: 'paid',
  state: 'ended',
  published_at: '2026-03-01T10:00:42.123Z',
  ended_at: '2026-03-08T10:00:30.000Z',
  written_by: 'Dashboard',
  hidden_by: 3,
  version: 4,
}

test('leaves out unchanged times, so that they keep their seconds', () => {
  const input = inputOf({ ...valuesOf(one), message: '<p>New</p>' }, one)
  expect(input).toEqual({
    message_id: 7,
    version: 4,
    page_name: 'mp3_chart',
    audience: 'paid',
    message: '<p>New</p>',
    show_again: false,
  })
})

test('sends a removed end as “no end” and a removed start as “now”', () => {
  expect(inputOf({ ...valuesOf(one), from: '', until: '' }, one)).toMatchObject({ published_at: null, ended_at: null })
})

test('shows an ended announcement again from now on without an end, also to people who dismissed it', () => {
  expect(inputOf(valuesToShowAgain(one), one)).toMatchObject({ published_at: null, ended_at: null, show_again: true })
})

test('sends no id for a new one, which starts now when no start is given', () => {
  const input = inputOf({ ...NEW_ANNOUNCEMENT, message: '<p>Hello</p>' }, undefined)
  expect(input).toMatchObject({ published_at: null, ended_at: null })
  expect(input).not.toHaveProperty('message_id')
})

test('requires the end to be after the start, and after now when it starts now', () => {
  const now = new Date('2026-03-05T12:00')
  const errorAt = (from: string, until: string) =>
    validateAnnouncement({ ...NEW_ANNOUNCEMENT, message: '<p>Hi</p>', from, until }, now).until
  expect(errorAt('2026-03-06T10:00', '2026-03-06T10:00')).toMatch(/end must be after the start/)
  expect(errorAt('', '2026-03-05T11:59')).toMatch(/end must be after the start/)
  expect(errorAt('2026-03-06T10:00', '2026-03-06T10:01')).toBeUndefined()
  expect(errorAt('2026-03-06T10:00', '')).toBeUndefined()
})

test('treats markup without text as empty', () => {
  expect(isBlank('<p><br></p><ul><li>&nbsp;</li></ul>')).toBe(true)
  expect(isBlank('<p>Hi</p>')).toBe(false)
})
