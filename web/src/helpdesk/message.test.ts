import { expect, test } from 'vitest'
import { keptOf, messageOf, NO_MESSAGE, NO_TICKET } from './message.ts'

const file = { name: '17', filename: 'screen.png', bytes: 1200 }

test('a ticket comes back as it was written, with what was chosen and attached', () => {
  const written = { ...NO_TICKET, department_id: '2', subject: 'No sound', details: '<p>Help</p>', attachments: [file] }
  expect(messageOf(keptOf(written), NO_TICKET)).toEqual(written)
})

test('nothing written keeps nothing', () => {
  expect(keptOf(NO_TICKET)).toBe('')
  expect(keptOf({ ...NO_MESSAGE, attachments: [file] })).not.toBe('')
})

test('of a draft that is not whole only what makes sense comes back', () => {
  for (const kept of ['', '{', 'null', '7', '[]']) expect(messageOf(kept, NO_TICKET)).toEqual(NO_TICKET)
  expect(
    messageOf('{"details":"<p>a</p>","subject":3,"colour":"red","attachments":[{"name":1},null]}', NO_TICKET),
  ).toEqual({
    ...NO_TICKET,
    details: '<p>a</p>',
  })
})
