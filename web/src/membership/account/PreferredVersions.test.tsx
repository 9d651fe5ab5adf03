import { account, library, type membership } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { press } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../../test/samples.ts'
import { preferredVersion } from '../../library/preferredVersion.ts'

const HOUSE = { genre_id: 4, name: 'House' }
const KINDS = ['Original', 'Intro Clean', 'Clean', 'Dirty'].map((name) => ({
  version_code: name.toLowerCase().replace(' ', '_'),
  name,
}))
const list = (name = 'Preferred versions') => page.getByRole('list', { name, exact: true })
const namesIn = (name?: string) => () =>
  list(name)
    .getByRole('listitem')
    .elements()
    .map((row) => row.textContent.replace(/^\d+/, ''))
const choose = (label: string, option: string) => page.getByRole('combobox', { name: label }).selectOptions(option)
const saved = () => fakeApi.inputsOf(account.savePreferredVersions)

async function openSettings(preferred_versions: membership.PreferredVersions | null = null) {
  fakeApi.reply(library.getVersionKinds, { versions: KINDS, genres: [HOUSE] })
  signInAs(makeProfile({ preferred_versions }))
  await openApp('/account/display')
  await expect.element(page.getByRole('heading', { name: 'Preferred versions' })).toBeVisible()
}

test('adds, orders and removes versions with the keyboard, and saves each change', async () => {
  await openSettings()
  await expect.element(page.getByText('No versions chosen. The first version of each song is used.')).toBeVisible()
  for (const name of ['Clean', 'Intro Clean']) await choose('Add a version…', name)
  await expect.poll(namesIn()).toEqual(['Clean', 'Intro Clean'])

  await press(page, 'Move Intro Clean up')
  await expect.poll(namesIn()).toEqual(['Intro Clean', 'Clean'])
  // At the top, “Move up” is disabled: the focus stays in the row.
  await expect.element(page.getByRole('button', { name: 'Move Intro Clean down' })).toHaveFocus()
  await expect.element(page.getByText('Intro Clean moved to position 1 of 2.')).toBeInTheDocument()
  await press(page, 'Remove Clean')
  await expect.poll(namesIn()).toEqual(['Intro Clean'])
  await expect.poll(saved).toEqual(
    [['clean'], ['clean', 'intro_clean'], ['intro_clean', 'clean'], ['intro_clean']].map((versions) => ({
      ...{ versions, add_all: false, by_genre: [] },
    })),
  )
})

test('has a list of its own for a genre, and can add every version of a list', async () => {
  await openSettings({ versions: ['clean'], add_all: false, by_genre: [] })
  await choose('Add a list for a genre…', 'House')
  await expect.poll(namesIn('Preferred versions for House')).toEqual(['Clean'])
  await list('Preferred versions for House').getByRole('button', { name: 'Remove Clean' }).click()
  await page.getByRole('switch', { name: 'Add every version in my list' }).click()
  await expect
    .poll(() => saved().at(-1))
    .toEqual({ versions: ['clean'], add_all: true, by_genre: [{ genre_id: 4, versions: [] }] })
  await press(page, 'Remove the list for House')
  await expect.poll(() => saved().at(-1)).toEqual({ versions: ['clean'], add_all: true, by_genre: [] })
})

test('goes back to the saved order when a change can’t be saved', async () => {
  await openSettings({ versions: ['clean', 'dirty'], add_all: false, by_genre: [] })
  fakeApi.rejectWith(account.savePreferredVersions, { code: 'internal_error', message: 'Something went wrong.' })
  await press(page, 'Move Dirty up')
  await expect.element(page.getByText('Couldn’t save your preferred versions')).toBeVisible()
  await expect.poll(namesIn()).toEqual(['Clean', 'Dirty'])
})

test('a song plays the preferred version from then on', async () => {
  await openSettings()
  const song = makeSong({
    version: KINDS.map(({ version_code, name }) => makeVersion({ version_code, version_label: name })),
  })
  expect(preferredVersion(song)?.version_label).toBe('Original')
  await choose('Add a version…', 'Dirty')
  await expect.poll(() => preferredVersion(song)?.version_label).toBe('Dirty')
})
