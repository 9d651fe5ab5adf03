import { expect, test } from 'vitest'
import { callerAddress, createTrustCheck, normaliseAddress } from './caller-address.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  [' "203.0.113.9:4711"', '203.0.113.9'],
  ['2001:db8::9', '2001:db8::9'],
  ['[2001:db8::9]', '2001:db8::9'],
  ['"[2001:db8::9]:4711"', '2001:db8::9'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['fe80::1%eth0', 'fe80::1'],
  ['unknown', undefined],
  ['_hidden', undefined],
  ['', undefined],
  ['1.2.3.4.5:80', undefined],
  ['[unknown]:80', undefined],
])('parses the address %j as %s', (text, address) => {
  expect(normaliseAddress(text)).toBe(address)
})

test('trusts a proxy in one of the trusted networks in any spelling of its address', () => {
  const isTrusted = createTrustCheck(['loopback', '10.0.0.0/8', '2001:db8::/32', '192.0.2.7'])
  for (const hop of ['127.9.9.9', '::1', '::ffff:10.1.2.3', '10.1.2.3:4711', '[2001:db8::1]:80', '192.0.2.7'])
    expect(isTrusted(hop, 0), hop).toBe(true)
  for (const hop of ['11.0.0.1', '192.0.2.8', 'unknown', '2001:db9::1', '']) expect(isTrusted(hop, 0), hop).toBe(false)
})

test('uses the address of the reporting proxy for a caller without a valid address', () => {
  expect(callerAddress({ ips: ['127.0.0.1', '10.0.0.2', 'unknown'], ip: 'unknown' })).toBe('10.0.0.2')
  expect(callerAddress({ ip: undefined as never })).toBe('::')
})
