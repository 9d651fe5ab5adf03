import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SECRET = 'a secret of at least thirty-two characters'
const read = (settings: Record<string, string> = {}) => readConfig({ SECRET, ...settings }).inbound
const INBOUND_ADDRESS = 'Help@Pool.Example'

test('does not accept replies by email without settings', () => {
  expect(read()).toBeUndefined()
  expect(read({ INBOUND_ADDRESS: '' })).toBeUndefined()
})

test('needs only an address and one way to receive email; the SMTP server listens on this machine by default', () => {
  expect(read({ INBOUND_ADDRESS, INBOUND_SMTP_PORT: '2525' })).toEqual({
    address: { local: 'help', domain: 'pool.example' },
    smtp: { host: '127.0.0.1', port: 2525, tls: undefined },
    ...{ webhookSecret: undefined, imap: undefined },
  })
  const rawSettings = { INBOUND_SMTP_HOST: '0.0.0.0', INBOUND_SMTP_PORT: '25' }
  expect(read({ INBOUND_ADDRESS, ...rawSettings })?.smtp).toMatchObject({ host: '0.0.0.0', port: 25 })
})

test('parses a mailbox URL with its user and password', () => {
  const imap = (INBOUND_IMAP_URL: string) => read({ INBOUND_ADDRESS, INBOUND_IMAP_URL })?.imap
  expect(imap('imaps://help%40pool.example:p%40ss@mail.example')).toEqual({
    ...{ host: 'mail.example', port: 993, secure: true, user: 'help@pool.example', password: 'p@ss', mailbox: 'INBOX' },
  })
  expect(imap('imap://u:p@[::1]:1143/Pool/Answers')).toMatchObject({
    ...{ host: '::1', port: 1143, secure: false, mailbox: 'Pool/Answers' },
  })
})

test.each([
  ['INBOUND_ADDRESS', { INBOUND_ADDRESS }, 'INBOUND_SMTP_PORT, INBOUND_WEBHOOK_SECRET or INBOUND_IMAP_URL'],
  ['INBOUND_SMTP_PORT', { INBOUND_SMTP_PORT: '25' }, 'INBOUND_ADDRESS'],
  ['INBOUND_WEBHOOK_SECRET', { INBOUND_WEBHOOK_SECRET: 'x'.repeat(24) }, 'INBOUND_ADDRESS'],
  ['INBOUND_IMAP_URL', { INBOUND_IMAP_URL: 'imaps://u:p@mail.example' }, 'INBOUND_ADDRESS'],
  ['INBOUND_SMTP_HOST', { INBOUND_ADDRESS, INBOUND_SMTP_HOST: '0.0.0.0' }, 'INBOUND_SMTP_PORT'],
  ['INBOUND_SMTP_CERT', { INBOUND_ADDRESS, INBOUND_SMTP_PORT: '25', INBOUND_SMTP_CERT: 'x' }, 'INBOUND_SMTP_KEY'],
  ['INBOUND_SMTP_KEY', { INBOUND_ADDRESS, INBOUND_SMTP_PORT: '25', INBOUND_SMTP_KEY: 'x' }, 'INBOUND_SMTP_CERT'],
])('%s cannot be used alone', (name, settings, missing) => {
  expect(() => read(settings as never)).toThrow(`${name} also requires ${missing}. Set all of them or none.`)
})

test.each([
  'help',
  'help+x@pool.example',
  'help@',
  'he lp@pool.example',
  `${'h'.repeat(21)}@pool.example`,
  'help@pool.example.',
])('refuses %s as the address for tickets', (address) => {
  expect(() => read({ INBOUND_ADDRESS: address, INBOUND_SMTP_PORT: '25' })).toThrow(
    `Invalid INBOUND_ADDRESS="${address}": expected an email address with up to 20 letters`,
  )
})

test('refuses a port that is not a number', () => {
  expect(() => read({ INBOUND_ADDRESS, INBOUND_SMTP_PORT: 'smtp' })).toThrow(
    'Invalid INBOUND_SMTP_PORT="smtp": expected a port number from 1 to 65535.',
  )
})

test('does not repeat an invalid secret', () => {
  const short = () => read({ INBOUND_ADDRESS, INBOUND_WEBHOOK_SECRET: 'hush' })
  expect(short).toThrow('Invalid INBOUND_WEBHOOK_SECRET: expected 24 to 200 random letters')
  expect(short).not.toThrow(/hush/)
  for (const url of [
    'hush',
    'https://u:hush@mail.example',
    'imaps://u@hush',
    'imaps://u:hush@mail.example/?x=1',
    'imaps://u:hu%sh@mail.example',
  ]) {
    const broken = () => read({ INBOUND_ADDRESS, INBOUND_IMAP_URL: url })
    expect(broken).toThrow('Invalid INBOUND_IMAP_URL: ')
    expect(broken).not.toThrow(/hush/)
  }
})

test('names a certificate that is missing or invalid', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-cert-'))
  const file = path.join(folder, 'pem')
  const smtp = { INBOUND_ADDRESS, INBOUND_SMTP_PORT: '25', INBOUND_SMTP_CERT: file, INBOUND_SMTP_KEY: file }
  expect(() => read(smtp)).toThrow(`Could not read INBOUND_SMTP_CERT="${file}": ENOENT`)
  writeFileSync(file, 'no certificate')
  expect(() => read(smtp)).toThrow(`Invalid INBOUND_SMTP_CERT="${file}" or INBOUND_SMTP_KEY="${file}": `)
})
