import { player as listening, site } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, singlePage } from '../../test/samples.ts'
import { titlesOf } from '../catalogue/selectionTestHelpers.ts'
import { rows } from './testing.ts'

test('lists what a member has listened to in the order of the server', async () => {
  fakeApi.reply(site.getPool, { name: 'Dubplate' })
  fakeApi.reply(listening.recentPlayed, {
    songs: makeSongs(2)
      .reverse()
      .map((song) => ({ ...song, played_at: '2026-11-20T10:00:00Z' })),
    pagination: singlePage(2),
  })
  signInAs(makeProfile())
  await openApp('/recentPlayed')
  await expect.element(page.getByRole('table', { name: 'Recently played' })).toBeVisible()
  await expect.poll(() => titlesOf(rows.elements())).toEqual(['Song 2', 'Song 1'])
  await expect.element(rows.first()).toHaveTextContent('20 Nov')
  await expect.poll(() => document.title).toBe('Recently played · Dubplate')
  expect(fakeApi.inputsOf(listening.recentPlayed)).toEqual([{ page: 1 }])
})

test('asks a visitor to sign in', async () => {
  await openApp('/recentPlayed')
  const main = page.getByRole('main')
  await expect.element(main.getByText('Sign in to see the songs you’ve listened to.')).toBeVisible()
  await main.getByRole('button', { name: 'Sign in' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Sign In' })).toBeVisible()
  expect(fakeApi.inputsOf(listening.recentPlayed)).toEqual([])
})
