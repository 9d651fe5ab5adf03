import { expect, test } from 'vitest'
import { NO_MESSAGE, NO_TICKET, parseDraft, serialiseDraft } from './message.ts'

const file = { name: '17', filename: 'screen.png', bytes: 1200 }

test('restores a ticket as it was written, with its choices and attachments', () => {
  const filledTicket = {
    ...NO_TICKET,
    department_id: '2',
    subject: 'No sound',
    details: '<p>Help</p>',
    attachments: [file],
  }
  expect(parseDraft(serialiseDraft(filledTicket), NO_TICKET)).toEqual(filledTicket)
})

test('stores nothing for an empty message', () => {
  expect(serialiseDraft(NO_TICKET)).toBe('')
  expect(serialiseDraft({ ...NO_MESSAGE, attachments: [file] })).not.toBe('')
})

test('restores only the valid parts of a damaged draft', () => {
  for (const draftText of ['', '{', 'null', '7', '[]']) expect(parseDraft(draftText, NO_TICKET)).toEqual(NO_TICKET)
  expect(
    parseDraft('{"details":"<p>a</p>","subject":3,"colour":"red","attachments":[{"name":1},null]}', NO_TICKET),
  ).toEqual({
    ...NO_TICKET,
    details: '<p>a</p>',
  })
})
