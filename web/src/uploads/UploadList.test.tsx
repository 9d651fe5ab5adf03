import { uploadedSongs } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, singlePage } from '../../test/samples.ts'
import { makeUpload } from '../../test/staffSamples.ts'

const row = (title: string) => page.getByTestId('upload-row').filter({ hasText: title })

const FAULT = {
  code: 'cut_off',
  message: 'The file is cut off at 0:38.',
  blocks: true,
  version_label: 'Dirty',
} as const
const draft = makeUpload({
  ...{ title: 'Night Bus', status: 'draft', faults: [FAULT], is_listed: false },
  corrupt_version: `Dirty: ${FAULT.message} ${'Its last frame is short. '.repeat(5)}`,
})
const declined = makeUpload({ title: 'Sleepless', status: 'declined', reason: 'No beat to mix on.', is_listed: false })
const published = makeUpload({ title: 'Canal Street', status: 'published', is_listed: true, listed_entity_id: 90 })

beforeEach(() => {
  signInAs(makeProfile())
  fakeApi.reply(uploadedSongs.getUploadedSongs, ({ status }) => {
    const songs = [draft, declined, published].filter((song) => !status || song.status === status)
    return { data: songs, counts: { draft: 1, declined: 1, published: 1 }, pagination: singlePage(songs.length) }
  })
})

test('lists own songs with their states, reasons and faults', async () => {
  await openApp('/uploads/index')
  await expect.element(row('Night Bus')).toHaveTextContent('DraftOne version is damaged. Replace or remove it.')
  await expect.element(row('Sleepless')).toHaveTextContent('DeclinedNo beat to mix on.')
  await expect.element(row('Canal Street').getByRole('link', { name: 'Canal Street', exact: true })).toBeVisible()
  await expect.element(row('Night Bus')).not.toHaveTextContent(draft.corrupt_version.trim())
  await press(row('Night Bus'), 'Show more')
  await expect.element(row('Night Bus')).toHaveTextContent(draft.corrupt_version.trim())
})

test('filters by state and sorts through the URL', async () => {
  await openApp('/uploads/index')
  await press(page, 'Declined 1')
  await expect.element(row('Night Bus')).not.toBeInTheDocument()
  await expect.element(row('Sleepless')).toBeVisible()
  await page.getByRole('columnheader', { name: 'Expires' }).getByRole('button').click()
  await expect.poll(currentUrl).toBe('/uploads/index?status=declined&sort=expire_date&dir=ASC')
  await expect
    .poll(() => fakeApi.inputsOf(uploadedSongs.getUploadedSongs).at(-1))
    .toMatchObject({ status: 'declined', order: 'expire_date', orderDir: 'ASC' })
  await press(page, 'Expired 0')
  await expect.element(page.getByText('No songs with this status')).toBeVisible()
})

test('renews and deletes a song after a confirmation', async () => {
  fakeApi.reply(uploadedSongs.renewSong, { expire_date: '2027-05-01T00:00:00Z', status: 'published' })
  await openApp('/uploads/index')
  await press(page, 'Renew Canal Street')
  await press(dialogNamed('Are you sure you want to renew this song?'), 'Renew')
  await expect.element(page.getByText('“Canal Street” renewed until 1 May 2027.')).toBeVisible()
  await press(page, 'Delete Canal Street')
  const dialog = dialogNamed('Are you sure? You want to remove the song uploaded?')
  await expect.element(dialog).toHaveTextContent('will be unpublished immediately')
  fakeApi.rejectWith(uploadedSongs.deleteSong, { code: 'unknown_song', message: 'This song no longer exists.' })
  await press(dialog, 'Delete')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('This song no longer exists.')
  fakeApi.reply(uploadedSongs.deleteSong, {})
  await press(dialog, 'Delete')
  await expect.element(page.getByText('“Canal Street” deleted.')).toBeVisible()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('shows the weekly statistics of a song', async () => {
  const week = { week: '2026-11-16', listens: 12, downloads: 3, favourites: 0, crates: 1 }
  fakeApi.reply(uploadedSongs.getSongFigures, { weeks: [week], totals: week })
  await openApp('/uploads/index')
  await press(page, 'Statistics for Canal Street')
  const table = page.getByRole('table', { name: 'Weekly statistics for Canal Street' })
  await expect.element(table.getByRole('row', { name: /^16 Nov/ })).toHaveTextContent('16 Nov12301')
})
