import { library } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { songList, titlesIn } from '../../test/locators.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, onePage } from '../../test/samples.ts'

test('clears the crate and restores it with Undo', async () => {
  const songs = makeSongs(2)
  const version = songs.flatMap((song) => song.version.map(({ song_version_id }) => song_version_id))
  let isCleared = false
  const held = () => (isCleared ? [] : songs)
  fakeApi.reply(library.getCrates, () => ({
    version: isCleared ? [] : version,
    crates: held().map(({ entity_id }) => entity_id),
    count: held().length,
  }))
  fakeApi.reply(library.crateIndex, () => ({ songs: held(), pagination: onePage(held().length) }))
  fakeApi.reply(library.clearCrates, () => {
    isCleared = true
    return { cleared: version.length }
  })
  fakeApi.reply(library.crateChange, () => {
    isCleared = false
    return {}
  })
  const titles = () => titlesIn(songList('Songs in your crate'))
  const link = page.getByRole('banner').getByRole('link', { name: /^Your Crate/ })
  signInAs(makeProfile())
  await openApp('/crate')
  await expect.poll(titles).toEqual(['Song 1', 'Song 2'])
  await expect.element(page.getByRole('main').getByText('2 songs', { exact: true })).toBeVisible()
  await expect.element(link).toHaveAccessibleName('Your Crate 2 songs')
  await page.getByRole('button', { name: 'Clear all tracks' }).click()
  await expect.element(page.getByRole('heading', { name: 'Your crate is empty' })).toBeVisible()
  await expect.element(link).toHaveAccessibleName('Your Crate 0 songs')
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toEqual(['Song 1', 'Song 2'])
  await expect.element(link).toHaveAccessibleName('Your Crate 2 songs')
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([{ version_ids: version }])
})
