import { expect, test } from 'vitest'
import { NO_MESSAGE, NO_TICKET, parseDraft, serialiseDraft } from './message.ts'

const file = { name: '17', filename: 'screen.png', bytes: 1200 }

test('a ticket comes back as it was written, with what was chosen and attached', () => {
  const filledTicket = {
    ...NO_TICKET,
    department_id: '2',
    subject: 'No sound',
    details: '<p>Help</p>',
    attachments: [file],
  }
  expect(parseDraft(serialiseDraft(filledTicket), NO_TICKET)).toEqual(filledTicket)
})

test('nothing written keeps nothing', () => {
  expect(serialiseDraft(NO_TICKET)).toBe('')
  expect(serialiseDraft({ ...NO_MESSAGE, attachments: [file] })).not.toBe('')
})

test('of a draft that is not whole only what makes sense comes back', () => {
  for (const draftText of ['', '{', 'null', '7', '[]']) expect(parseDraft(draftText, NO_TICKET)).toEqual(NO_TICKET)
  expect(
    parseDraft('{"details":"<p>a</p>","subject":3,"colour":"red","attachments":[{"name":1},null]}', NO_TICKET),
  ).toEqual({
    ...NO_TICKET,
    details: '<p>a</p>',
  })
})
