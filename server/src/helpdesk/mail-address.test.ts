import { expect, test } from 'vitest'
import { INBOUND } from '../../test/mails.ts'
import { readConfig } from '../platform/config.ts'
import { findTicketReferences, isInboundAddress, isSigned, threadHeaders, ticketReplyAddress } from './mail-address.ts'

const config = { ...readConfig({ SECRET: 's'.repeat(32), PUBLIC_URL: 'https://pool.example' }), inbound: INBOUND }
const ctx = { config }
const address = ticketReplyAddress(ctx, 1042, 7) ?? ''
const signed = (text: string, customerId = 7, by = ctx) =>
  findTicketReferences(ctx, text).map((named) => isSigned(by, named, customerId))

test('a ticket has its own address, which is valid for mail servers', () => {
  expect(address).toMatch(/^help\+1042\.[a-z2-7]{26}@pool\.example$/)
  expect(ticketReplyAddress(ctx, 999_999_999_999_999, 1)?.split('@')[0]?.length).toBeLessThanOrEqual(64)
  expect(ticketReplyAddress({ config: { ...config, inbound: undefined } }, 1042, 7)).toBeUndefined()
})

test('finds the address in capitals, in brackets, among others and at the end of a sentence', () => {
  for (const text of [address, address.toUpperCase(), `"Help" <${address}>, x@y.z`, `Write to ${address}.`]) {
    expect(signed(text)).toEqual([true])
  }
})

test('rejects another ticket, customer, pool or signature', () => {
  expect(signed(address.replace('1042', '1043'))).toEqual([false])
  expect(signed(address, 8)).toEqual([false])
  expect(signed(address, 7, { config: { ...config, secret: 't'.repeat(32) } })).toEqual([false])
  const last = address.indexOf('@') - 1
  const other = address[last] === 'a' ? 'b' : 'a'
  expect(signed(`${address.slice(0, last)}${other}${address.slice(last + 1)}`)).toEqual([false])
})

test('every character of a signature counts', () => {
  const signs = new Set(
    Array.from(
      { length: 200 },
      (_, n) =>
        ticketReplyAddress(ctx, n + 1, 7)
          ?.split('.')[1]
          ?.split('@')[0] ?? '',
    ),
  )
  for (let at = 0; at < 26; at++) {
    expect(new Set([...signs].map((one) => one[at])).size).toBeGreaterThan(20)
  }
})

test('finds no ticket in text that only resembles such an address', () => {
  for (const text of [
    `x${address}`,
    `x.${address}`,
    `${address}.evil.example`,
    `${address}x`,
    address.replace('.', ''),
    '',
  ]) {
    expect(findTicketReferences(ctx, text)).toEqual([])
  }
})

test('returns each ticket once, up to a maximum', () => {
  const many = Array.from({ length: 50 }, (_, n) => ticketReplyAddress(ctx, n + 1, 7))
  expect(findTicketReferences(ctx, `${address} ${address.toUpperCase()}`)).toHaveLength(1)
  expect(findTicketReferences(ctx, many.join(' '))).toHaveLength(20)
})

test('accepts mail to the inbound address, also with a suffix after a plus sign', () => {
  const ownAddresses = ['help@pool.example', 'HELP@Pool.Example', 'help+1.x@pool.example', address]
  const others = [
    'helper@pool.example',
    'help@other.example',
    'help@pool.example.evil.example',
    'a@help@pool',
    '+help@pool.example',
  ]
  expect(ownAddresses.map((one) => isInboundAddress(ctx, one))).toEqual(ownAddresses.map(() => true))
  expect(others.map((one) => isInboundAddress(ctx, one))).toEqual(others.map(() => false))
})

test('all emails of a ticket reply to the same message', () => {
  const thread = '<ticket.1042@pool.example>'
  expect(threadHeaders(ctx, 1042)).toEqual({ 'In-Reply-To': thread, References: thread })
})
