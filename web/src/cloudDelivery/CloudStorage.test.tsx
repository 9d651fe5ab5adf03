import { cloud } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const PROVIDERS = ['dropbox', 'google_drive'] as const

const connection = (overrides: Partial<cloud.CloudConnection> = {}): cloud.CloudConnection => ({
  ...{ provider: 'dropbox', account_name: 'dj@dropbox.test', state: 'connected', connected_at: '2026-11-22T10:00:00Z' },
  ...{ always_send_crate: false, open_files: 0 },
  ...overrides,
})

const NO_COUNTS = { waiting: 0, sending: 0, sent: 0, already_there: 0, failed: 0, cancelled: 0 }

const delivery = (overrides: Partial<cloud.CloudDelivery> = {}): cloud.CloudDelivery => ({
  ...{ delivery_id: 4, provider: 'dropbox', title: 'Friday set', created_at: '2026-11-22T10:00:00Z' },
  ...{ is_automatic: false, counts: { ...NO_COUNTS, sent: 3 }, progress: 1, problem: null },
  ...overrides,
})

const showDeliveries = (...results: cloud.CloudDelivery[]) =>
  fakeApi.reply(cloud.getDeliveries, { results, pagination: { page: 1, perPageLimit: 10, totalCount: results.length } })

async function openCloudStorage(...connections: cloud.CloudConnection[]) {
  fakeApi.reply(cloud.getConnections, { providers: [...PROVIDERS], connections })
  signInAs(makeProfile())
  await openApp('/account/cloud')
}

test('says in words that the operator has set up no cloud storage', async () => {
  fakeApi.reply(cloud.getConnections, { providers: [], connections: [] })
  signInAs(makeProfile())
  await openApp('/account/cloud')
  await expect.element(page.getByText('Cloud storage isn’t available')).toBeVisible()
  await expect.element(page.getByText('This pool isn’t set up to send songs')).toBeVisible()
  await expect.element(page.getByRole('button', { name: /Connect/ })).not.toBeInTheDocument()
})

test('tells staff how to set it up', async () => {
  fakeApi.reply(cloud.getConnections, { providers: [], connections: [] })
  signInAs(makeProfile({ staff_role: 'admin' }))
  await openApp('/account/cloud')
  await expect.element(page.getByText(/register an app with Dropbox or Google/)).toBeVisible()
})

test('offers to connect each provider, and shows why that failed', async () => {
  await openCloudStorage()
  fakeApi.rejectWith(cloud.connect, { code: 'cloud_not_configured', message: 'This pool doesn’t send to Dropbox.' })
  await page.getByRole('button', { name: 'Connect Dropbox' }).click()
  await expect.element(page.getByText('This pool doesn’t send to Dropbox.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Connect Google Drive' })).toBeEnabled()
})

test('turns sending of new crate songs on', async () => {
  await openCloudStorage(connection())
  fakeApi.reply(cloud.alwaysSendCrate, { connection: connection({ always_send_crate: true }) })
  await page.getByRole('switch', { name: 'Always send my crate' }).click()
  await expect.element(page.getByText('New crate songs are sent to Dropbox from now on.')).toBeVisible()
  expect(fakeApi.inputsOf(cloud.alwaysSendCrate)).toEqual([{ provider: 'dropbox', is_on: true }])
})

test('asks before disconnecting and says what is cancelled', async () => {
  await openCloudStorage(connection({ open_files: 2 }))
  fakeApi.reply(cloud.disconnect, { providers: [...PROVIDERS], connections: [] })
  await page.getByRole('button', { name: 'Disconnect Dropbox' }).click()
  const dialog = page.getByRole('dialog')
  await expect.element(dialog.getByText(/2 files that are still to be sent are cancelled/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Disconnect' }).click()
  await expect.element(page.getByText('Dropbox is disconnected.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Connect Dropbox' })).toBeVisible()
})

test('a connection that expired can be made again', async () => {
  await openCloudStorage(connection({ state: 'expired' }))
  await expect.element(page.getByText(/Dropbox no longer accepts this connection/)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Connect again' })).toBeVisible()
  await expect.element(page.getByRole('switch')).not.toBeInTheDocument()
})

test('shows progress while files are sent, and cancels the rest', async () => {
  const problem = 'Dropbox asked for a pause. Sending continues on its own.'
  showDeliveries(delivery({ counts: { ...NO_COUNTS, sent: 3, sending: 1, waiting: 6 }, progress: 0.35, problem }))
  await openCloudStorage(connection({ open_files: 7 }))
  await expect.element(page.getByText('3 of 10 files')).toBeVisible()
  await expect.element(page.getByRole('progressbar')).toHaveAttribute('value', '0.35')
  await expect.element(page.getByText(problem)).toBeVisible()
  fakeApi.reply(cloud.cancelDelivery, { delivery: delivery() })
  await page.getByRole('button', { name: 'Cancel the rest' }).click()
  await expect.poll(() => fakeApi.inputsOf(cloud.cancelDelivery)).toEqual([{ delivery_id: 4 }])
})

test('shows that the list could not be loaded, also while files are sent', async () => {
  fakeApi.rejectWith(cloud.getDeliveries, { code: 'service_unavailable', message: 'Try again in a moment.' })
  await openCloudStorage(connection({ open_files: 7 }))
  await expect.element(page.getByText('Couldn’t load what was sent')).toBeVisible()
  showDeliveries(delivery())
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.element(page.getByText('Friday set')).toBeVisible()
})

test('lists files with the reason of those that failed, and sends them again', async () => {
  showDeliveries(delivery({ counts: { ...NO_COUNTS, sent: 1, failed: 1 }, problem: 'Your Dropbox is full.' }))
  const file = { delivery_file_id: 1, song_version_id: 9, entity_id: 5, artist: 'Ada', version_label: 'Clean' }
  const results: cloud.CloudDeliveryFile[] = [
    { ...file, title: 'Big', state: 'failed', reason: 'Make space.', bytes: 9, sent_bytes: 0, path: null },
    {
      ...file,
      delivery_file_id: 2,
      title: 'Small',
      state: 'sent',
      reason: null,
      bytes: 9,
      sent_bytes: 9,
      path: 'House/Small.mp3',
    },
  ]
  fakeApi.reply(cloud.getDeliveryFiles, { results, pagination: { page: 1, perPageLimit: 50, totalCount: 2 } })
  await openCloudStorage(connection())
  await expect.element(page.getByText('1 sent · 1 failed')).toBeVisible()
  await page.getByRole('button', { name: 'Show files' }).click()
  const files = page.getByRole('list', { name: 'Files of Friday set' })
  await expect.element(files.getByText('Make space.')).toBeVisible()
  await expect.element(files.getByText('House/Small.mp3')).toBeVisible()
  fakeApi.reply(cloud.retryDelivery, { delivery: delivery() })
  await page.getByRole('button', { name: 'Send failed files again' }).click()
  await expect.poll(() => fakeApi.inputsOf(cloud.retryDelivery)).toEqual([{ delivery_id: 4 }])
})

test.each([
  ['/cloud/dropbox', 'dropbox'],
  ['/cloud/google-drive', 'google_drive'],
] as const)('%s completes the connection once and shows it', async (path, provider) => {
  fakeApi.reply(cloud.getConnections, { providers: [...PROVIDERS], connections: [connection({ provider })] })
  fakeApi.reply(cloud.finishConnection, { connection: connection({ provider }) })
  signInAs(makeProfile())
  await openApp(`${path}?code=code-of-${provider}&state=xyz`)
  await expect.element(page.getByRole('heading', { name: 'Cloud storage' })).toBeVisible()
  expect(fakeApi.inputsOf(cloud.finishConnection)).toEqual([{ provider, code: `code-of-${provider}`, state: 'xyz' }])
})

test('the return page says that access was not given, or why the connection failed', async () => {
  signInAs(makeProfile())
  await openApp('/cloud/dropbox?error=access_denied&state=xyz')
  await expect.element(page.getByText('Access wasn’t given, so nothing was connected.')).toBeVisible()
  expect(fakeApi.inputsOf(cloud.finishConnection)).toEqual([])
})
