import { library } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../test/samples.ts'
import { titlesOf } from '../catalogue/selectionTestHelpers.ts'
import { rowOf, rows } from '../player/testing.ts'
import { fakeCrate } from './fakeCrate.ts'

const top = makeSong({ title: 'Top' })
const middle = makeSong({ title: 'Middle' })
const bottom = makeSong({ title: 'Bottom', version: [makeVersion(), makeVersion()] })
const crateLink = page.getByRole('banner').getByRole('link', { name: /^Your Crate/ })
const titles = () => titlesOf(rows.elements())

async function openCrate() {
  const songs = [top, middle, bottom]
  const crate = fakeCrate(songs, songs)
  signInAs(makeProfile())
  await openApp('/crate')
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Your Crate 3 songs')
  await expect.element(page.getByRole('main').getByText('3 songs', { exact: true })).toBeVisible()
  return crate
}

test('restores a removed song to its position with the versions it had', async () => {
  const crate = await openCrate()
  await rowOf(middle).getByRole('button', { name: 'Remove Middle from crate', exact: true }).click()
  await expect.element(page.getByText('“Middle” removed from your crate.')).toBeVisible()
  await expect.poll(titles).toEqual(['Top', 'Bottom'])
  await expect.poll(crate.ids).toEqual([top.entity_id, bottom.entity_id])
  await expect.element(crateLink).toHaveAccessibleName('Your Crate 2 songs')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Your Crate 3 songs')
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([
    { version_ids: [middle.version[0]!.song_version_id], below: top.entity_id },
  ])
})

test('restores a cleared crate as it was', async () => {
  await openCrate()
  await page.getByRole('button', { name: 'Clear all tracks' }).click()
  await expect.element(page.getByText('4 versions removed.')).toBeVisible()
  await expect.element(page.getByRole('heading', { name: 'Your crate is empty' })).toBeVisible()
  await expect.element(crateLink).toHaveAccessibleName('Your Crate 0 songs')

  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(titles).toEqual(['Top', 'Middle', 'Bottom'])
  await expect.element(crateLink).toHaveAccessibleName('Your Crate 3 songs')
  const versions = [top, middle, bottom].flatMap(({ version }) => version)
  expect(fakeApi.inputsOf(library.crateChange)).toEqual([
    { version_ids: versions.map(({ song_version_id }) => song_version_id) },
  ])
})
