import { catalogue, collections } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, singlePage } from '../../test/samples.ts'
import { actionInTab } from '../membership/pendingAction.ts'
import { openNewReleases } from '../player/testing.ts'

const dig = page.getByRole('button', { name: 'Dig', exact: true })

function fakeGenre() {
  const songs = makeSongs(2)
  fakeApi.reply(catalogue.genreSongs, { genre: { genre_id: 3, name: 'House' }, songs, pagination: singlePage(2) })
  fakeApi.reply(collections.getCollection, {
    collection: {
      ...{ title: 'House', description: '', images: [], created_by: null, song_count: 2, duration_seconds: null },
      ...{ new_count: null, updated_at: null },
    },
  })
}

test('opens the list of the screen', async () => {
  signInAs(makeProfile())
  await openNewReleases()
  await dig.click()
  await expect.poll(currentUrl).toBe('/dig/new')
})

test('opens the list of a genre', async () => {
  fakeGenre()
  signInAs(makeProfile())
  await openApp('/genres/view/3')
  await dig.click()
  await expect.poll(currentUrl).toBe('/dig/genre-3')
})

test('asks a visitor to sign in, and remembers the list', async () => {
  fakeGenre()
  await openApp('/genres/view/3')
  await dig.click()
  await expect.element(page.getByText('Sign in to dig through “House”')).toBeVisible()
  expect(actionInTab.get()).toEqual({ kind: 'dig', args: ['genre-3'], title: 'House' })
})

test('is not shown for kuts, which are not offered', async () => {
  fakeGenre()
  await openApp('/genres/view/3?section=kuts')
  await expect.element(page.getByRole('button', { name: 'Shuffle' })).toBeVisible()
  await expect.element(dig).not.toBeInTheDocument()
})
