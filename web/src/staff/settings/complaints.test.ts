import * as schema from '@dubplate/contract/schemas/settings'
import { expect, test } from 'vitest'
import { type Complaints, limitComplaints, nameComplaints, senderComplaints, storeComplaints } from './complaints.ts'

/** The server's errors for the same values. */
function saidByServer(shape: { safeParse: (value: unknown) => { error?: unknown } }, values: object): Complaints {
  const { error } = shape.safeParse(values) as { error?: { issues: { path: string[]; message: string }[] } }
  return Object.fromEntries((error?.issues ?? []).toReversed().map(({ path, message }) => [path.join('.'), message]))
}

test.each(['Night Shift', '', '   ', 'A\nB', 'A <b>', 'Say "so"', 'Ü'])(
  'validates the name “%s” like the server',
  (pool_name) => {
    expect(nameComplaints({ pool_name })).toEqual(saidByServer(schema.name, { pool_name }))
  },
)

test.each([
  '',
  'https://store.example/a?b=c',
  'store.example',
  'javascript:alert(1)',
  'https://a b',
  ' https://x.test ',
])('validates the store “%s” like the server', (store_url) => {
  expect(storeComplaints({ store_url })).toEqual(saidByServer(schema.store, { store_url }))
})

test.each([
  ['The Door', 'door@pool.test'],
  ['', 'door@pool.test'],
  ['A\rB', 'door'],
  ['A', 'a@b@c'],
  ['A', 'a b@c.test'],
  ['A', ''],
])('validates the sender “%s” <%s> like the server', (name, address) => {
  const mail_from = { name, address }
  expect(senderComplaints(mail_from)).toEqual(saidByServer(schema.sender, { mail_from }))
})

test.each([
  ['2', '90', '0'],
  ['0', '0', '-1'],
  ['21', '4000', '3650'],
  ['1.5', '', 'x'],
])('validates the limits %s, %s and %s like the server', (download_limit, upload_days, rescue_days) => {
  const typed = { download_limit, upload_days, rescue_days }
  expect(limitComplaints(typed)).toEqual(saidByServer(schema.limits, typed))
})
