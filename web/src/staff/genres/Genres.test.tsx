import { genreTree } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import type { Genre } from './genres.ts'

const makeGenre = (genre_id: number, name: string, overrides: Partial<Genre> = {}): Genre => ({
  ...{ genre_id, name, description: '', parent_id: null, kind: 'genre', home_chip: false, image: '/images/a/320.webp' },
  ...{ has_picture: false, songs: 0, kuts: 0, unpublished: 0, followers: 0, former_names: [], version: 1 },
  ...overrides,
})

const HOUSE = makeGenre(1, 'House', { songs: 12, version: 4 })
const DEEP = makeGenre(2, 'Deep House', { parent_id: 1, version: 5 })
const DISCO = makeGenre(3, 'Disco', { followers: 3, former_names: ['Diskko'], version: 6 })
const HAPPY = makeGenre(4, 'Happy', { kind: 'mood' })

const list = page.getByRole('list', { name: 'Genres', exact: true })
const row = (name: string) =>
  list.getByRole('listitem').filter({ has: page.getByRole('button', { name: `Move ${name}` }) })
const names = () =>
  list
    .getByRole('button', { name: /^Move / })
    .elements()
    .map((handle) => handle.getAttribute('aria-label')?.replace('Move ', ''))
const save = page.getByRole('button', { name: 'Save', exact: true })

async function openGenres(url = '/staff/genres', genres = [HOUSE, DEEP, DISCO, HAPPY]) {
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(genreTree.getGenreTree, { genres })
  await openApp(url)
}

async function chooseAction(genre: string, action: string) {
  await list.getByRole('button', { name: `Actions for ${genre}`, exact: true }).click()
  await page.getByRole('menuitem', { name: action }).click()
}

test('lists sub-genres below their genres, and moods in their own view', async () => {
  await openGenres()
  await expect.element(row('House').first()).toHaveTextContent('12 songs')
  await expect.element(row('Disco')).toHaveTextContent('0 songs · 3 followers · Also known as Diskko')
  expect(names()).toEqual(['House', 'Deep House', 'Disco'])
  await page.getByRole('button', { name: 'Moods 1' }).click()
  await expect.poll(currentUrl).toBe('/staff/genres?kind=mood')
  await expect.element(page.getByRole('list', { name: 'Moods' }).getByText('Happy', { exact: true })).toBeVisible()
})

test('makes a genre a sub-genre with the keyboard, and says why another one stays', async () => {
  await openGenres()
  fakeApi.reply(genreTree.moveGenre, { genres: [] })
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Disco' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowRight}{/Alt}')
  await expect.element(page.getByText('Disco: 2 of 2 in House')).toBeInTheDocument()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.moveGenre))
    .toEqual([{ genre_id: 3, parent_id: 1, place: 2, version: 6 }])
  list.getByRole('button', { name: 'Move House' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowLeft}{/Alt}')
  await expect.element(page.getByText('House is already a main genre.')).toBeInTheDocument()
})

test('puts a genre on the home page with the switch of its row', async () => {
  await openGenres()
  fakeApi.reply(genreTree.saveGenre, { genre: HOUSE })
  await list.getByRole('switch', { name: 'House on home page', exact: true }).click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.saveGenre))
    .toEqual([{ genre_id: 1, version: 4, name: 'House', home_chip: true }])
})

test('creates a sub-genre', async () => {
  await openGenres()
  fakeApi.reply(genreTree.saveGenre, { genre: makeGenre(9, 'Tech House', { parent_id: 1 }) })
  await page.getByRole('button', { name: 'New genre' }).click()
  await save.click()
  await expect.element(page.getByLabelText('Name')).toHaveAccessibleDescription('Enter a name.')
  await page.getByLabelText('Name').fill('Tech House')
  await page.getByLabelText('Parent genre').selectOptions('House')
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.saveGenre))
    .toMatchObject([{ name: 'Tech House', kind: 'genre', parent_id: 1 }])
  await expect.poll(currentUrl).toBe('/staff/genres')
  expect(fakeApi.inputsOf(genreTree.moveGenre)).toEqual([])
})

test('renames a genre and moves it to another parent, after saying what follows', async () => {
  await openGenres('/staff/genres?open=2')
  fakeApi.reply(genreTree.saveGenre, { genre: { ...DEEP, name: 'Deep' } })
  fakeApi.reply(genreTree.moveGenre, { genres: [] })
  await page.getByLabelText('Name').fill('Deep')
  await page.getByLabelText('Parent genre').selectOptions('Disco')
  await expect
    .element(page.getByLabelText('Parent genre'))
    .toHaveAccessibleDescription(/^Its songs will also be listed in Disco\. They’ll be removed from House/)
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.moveGenre))
    .toEqual([{ genre_id: 2, parent_id: 3, place: 1, version: 5 }])
  expect(fakeApi.inputsOf(genreTree.saveGenre)).toMatchObject([{ genre_id: 2, version: 5, name: 'Deep' }])
})

test('does not create a genre twice if only its move failed', async () => {
  await openGenres()
  // The server has put it at the top level.
  const created = makeGenre(9, 'Tech House', { version: 7 })
  fakeApi.reply(genreTree.saveGenre, { genre: created })
  fakeApi.rejectWith(genreTree.moveGenre, { code: 'nesting_too_deep', message: 'It has sub-genres.' })
  await page.getByRole('button', { name: 'New genre' }).click()
  await page.getByLabelText('Name').fill('Tech House')
  await page.getByLabelText('Parent genre').selectOptions('House')
  fakeApi.reply(genreTree.getGenreTree, { genres: [HOUSE, DEEP, DISCO, created] })
  await save.click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('It has sub-genres.')
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.saveGenre).at(-1))
    .toMatchObject({ genre_id: 9, version: 7, name: 'Tech House' })
})

test('merges a genre that has songs instead of deleting it', async () => {
  await openGenres()
  fakeApi.reply(genreTree.mergeGenre, { genres: [] })
  await chooseAction('House', 'Delete')
  const dialog = dialogNamed('Merge “House”')
  await expect.element(dialog.getByText(/^12 songs use this genre\./)).toBeVisible()
  const into = dialog.getByLabelText('Merge into')
  // Neither the genre itself nor its sub-genres.
  await expect.element(into).toHaveTextContent('Choose…Disco')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect.element(into).toHaveAccessibleDescription('Choose a genre to merge into.')
  await into.selectOptions('Disco')
  await dialog.getByRole('button', { name: 'Merge' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.mergeGenre))
    .toEqual([{ genre_id: 1, into_genre_id: 3, version: 4 }])
  await expect.element(page.getByText('“House” merged into “Disco”')).toBeVisible()
})

test('deletes an empty genre after naming its followers', async () => {
  await openGenres()
  fakeApi.reply(genreTree.removeGenre, { genres: [] })
  await chooseAction('Disco', 'Delete')
  const dialog = dialogNamed('Delete “Disco”?')
  await expect.element(dialog.getByText(/3 followers will lose it/)).toBeVisible()
  await dialog.getByRole('button', { name: 'Delete' }).click()
  await expect.poll(() => fakeApi.inputsOf(genreTree.removeGenre)).toEqual([{ genre_id: 3, version: 6 }])
})

test('saves the description of a genre, and shows at the field when it is too long', async () => {
  await openGenres('/staff/genres?open=1', [{ ...HOUSE, description: 'Four to the floor.' }])
  fakeApi.reply(genreTree.saveGenre, { genre: HOUSE })
  const field = page.getByLabelText('Description')
  await expect.element(field).toHaveValue('Four to the floor.')
  await field.fill('x'.repeat(301))
  await save.click()
  await expect.element(field).toHaveAccessibleDescription(/Use at most 300 characters\..*301 of 300 characters/)
  await field.fill('Deep and soulful.')
  await save.click()
  await expect
    .poll(() => fakeApi.inputsOf(genreTree.saveGenre))
    .toMatchObject([{ genre_id: 1, name: 'House', description: 'Deep and soulful.' }])
})
