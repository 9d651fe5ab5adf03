import { cloud } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { chooseSend } from './sendChoice.ts'

const connection: cloud.CloudConnection = {
  ...{ provider: 'dropbox', account_name: 'dj@dropbox.test', state: 'connected', connected_at: '2026-11-22T10:00:00Z' },
  ...{ always_send_crate: false, open_files: 0 },
}

const summary = {
  ...{
    songs: 3,
    files: 3,
    bytes: 30_000_000,
    downloadable: 3,
    uses: 3,
    last: 0,
    repeated: 0,
    in_library: 0,
    used_up: 0,
    unavailable: 0,
  },
  ...{ too_early: 0, conversions: [], has_bundle: true, limit: 2, month: null, profile: 'Laptop' },
}

const songs = { title: 'Friday set', source: { playlist_id: 7 } }

async function openSendDialog(connections: cloud.CloudConnection[] = [connection]) {
  fakeApi.reply(cloud.getConnections, { providers: ['dropbox'], connections })
  signInAs(makeProfile())
  await openApp('/account/muted')
  chooseSend(songs)
  return page.getByRole('dialog')
}

test('shows what is sent and counted, sends it and leads to its progress', async () => {
  fakeApi.reply(cloud.getSendSummary, summary)
  const dialog = await openSendDialog()
  await expect.element(dialog.getByText('3 files, 30 MB')).toBeVisible()
  await expect.element(dialog.getByText(/This uses 3 downloads/)).toBeVisible()
  await expect.element(dialog.getByText(/your download profile “Laptop”/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send 3 files' }).click()
  await expect.element(page.getByText('Sending 3 files to Dropbox.')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(cloud.send)).toEqual([{ provider: 'dropbox', source: { playlist_id: 7 } }])
})

test('stays open with the reason if the songs could not be queued', async () => {
  fakeApi.reply(cloud.getSendSummary, summary)
  const message = 'You can send up to 2,000 files at once. Choose fewer songs.'
  fakeApi.rejectWith(cloud.send, { code: 'too_many_files', message })
  const dialog = await openSendDialog()
  await dialog.getByRole('button', { name: 'Send 3 files' }).click()
  await expect.element(page.getByText(message)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Send 3 files' })).toBeEnabled()
})

test('leaves out what was downloaded before and what is in the DJ library, on request', async () => {
  fakeApi.reply(cloud.getSendSummary, { ...summary, repeated: 1, in_library: 1 })
  const dialog = await openSendDialog()
  await dialog.getByRole('switch', { name: 'Leave out the file already downloaded' }).click()
  await expect.element(dialog.getByRole('button', { name: 'Send 2 files' })).toBeVisible()
  await dialog.getByRole('switch', { name: 'Leave out the file in your DJ library' }).click()
  await expect.element(dialog.getByText(/This uses 1 download/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Send 1 file' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(cloud.send))
    .toMatchObject([{ skip_downloaded: true, skip_in_library: true }])
})

test('offers to connect first', async () => {
  const dialog = await openSendDialog([])
  await expect.element(dialog.getByText(/Connect your cloud storage first/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: 'Connect Dropbox' })).toBeVisible()
})

test('says that the plan does not include it', async () => {
  fakeApi.reply(cloud.getSendSummary, { ...summary, has_bundle: false })
  const dialog = await openSendDialog()
  await expect.element(dialog.getByText(/Your plan doesn’t include/)).toBeVisible()
  await expect.element(dialog.getByRole('button', { name: /^Send/ })).toBeDisabled()
})
