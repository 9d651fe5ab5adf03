import type { dashboard } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { attentionText, sortByTone } from './attentionItems.ts'

const item = (kind: dashboard.AttentionKind, count: number): dashboard.AttentionItem => ({
  ...{ kind, count, since: null, is_urgent: false, ticket_number: null },
})

test.each([
  ['backup_old', 0, 'No backup yet'],
  ['backup_old', 1, 'Latest backup is 1 day old'],
  ['jobs_failed', 1, '1 failed job'],
  ['analyses_failed', 2, '2 failed analyses'],
  ['applications', 1, '1 pending application'],
  ['payments_in_review', 1, '1 payment needs review'],
  ['payments_in_review', 2, '2 payments need review'],
  ['gateway_down', 1, 'A payment provider is not working'],
  ['gateway_down', 2, '2 payment providers are not working'],
  ['songs_without_key', 1, '1 song without a key'],
  ['songs_without_key', 1200, '1,200 songs without a key'],
] as const)('says %s of %d', (kind, count, sentence) => {
  expect(attentionText(item(kind, count))).toBe(sentence)
})

test('sorts faults before what needs a look, and everyday work last', () => {
  const items = [item('tickets', 2), item('past_due', 1), { ...item('mail_failed', 1), is_urgent: true }]
  expect(sortByTone(items).map(({ kind }) => kind)).toEqual(['mail_failed', 'past_due', 'tickets'])
})
