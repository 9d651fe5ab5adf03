import { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { songRows } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSongs, singlePage } from '../../test/samples.ts'

test('is shown while there is no connection, and loaded content stays', async () => {
  const notice = page.getByText('You’re offline. Loaded pages still work.')
  fakeApi.reply(catalogue.getNewRelease, { songs: makeSongs(2), pagination: singlePage(2) })
  await openApp('/newRelease')
  await expect.element(songRows().first()).toBeVisible()
  await expect.element(notice).not.toBeInTheDocument()
  fakeApi.setOffline(true)
  await expect.element(notice).toBeVisible()
  expect(page.getByRole('status').filter({ has: notice }).elements()).toHaveLength(1)
  await expect.element(songRows().first()).toBeVisible()
  fakeApi.setOffline(false)
  await expect.element(notice).not.toBeInTheDocument()
})
