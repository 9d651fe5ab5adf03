import type { dashboard } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { waitInWords } from './attentionItems.ts'

const wait = (kind: dashboard.AttentionKind, count: number): dashboard.AttentionItem => ({
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
  expect(waitInWords(wait(kind, count))).toBe(sentence)
})
