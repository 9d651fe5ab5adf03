import { expect, test } from 'vitest'
import { readConfig } from './config.ts'

const SECRET = 'a secret of at least thirty-two characters'
const read = (settings: Record<string, string> = {}) => readConfig({ SECRET, ...settings }).cloud

test('offers a provider of cloud storage once both of its keys are set', () => {
  expect(read()).toEqual({ dropbox: undefined, google_drive: undefined, testUrl: undefined })
  expect(read({ DROPBOX_APP_KEY: 'app-key', DROPBOX_APP_SECRET: 'app-secret' })).toMatchObject({
    dropbox: { clientId: 'app-key', clientSecret: 'app-secret' },
    google_drive: undefined,
  })
  expect(() => read({ DROPBOX_APP_KEY: 'app-key' })).toThrow(
    'DROPBOX_APP_KEY also requires DROPBOX_APP_SECRET. Set both or neither.',
  )
  expect(() => read({ GOOGLE_DRIVE_CLIENT_SECRET: 'secret' })).toThrow(
    'GOOGLE_DRIVE_CLIENT_SECRET also requires GOOGLE_DRIVE_CLIENT_ID. Set both or neither.',
  )
})

test('does not repeat a secret in its message', () => {
  const settings = { DROPBOX_APP_KEY: 'app-key', DROPBOX_APP_SECRET: 'my secret' }
  expect(() => read(settings)).toThrow('Invalid DROPBOX_APP_SECRET (9 characters): expected the app secret')
})

test.each(['https://example.com', 'http://example.com'])('sends tokens to no other server: %s', (CLOUD_TEST_URL) => {
  expect(() => read({ CLOUD_TEST_URL })).toThrow('Invalid CLOUD_TEST_URL')
})
