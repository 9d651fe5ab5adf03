import { catalogue } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, searchBox } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong } from '../../test/samples.ts'

const suggestions = page.getByRole('listbox', { name: 'Suggestions' })
const option = (name: string | RegExp) => suggestions.getByRole('option', { name })
const recent = suggestions.getByRole('group', { name: 'Recent searches' }).getByRole('option')
const help = page.getByText('Filter as you type:')

/** The option that the search box references as active, as a screen reader finds it. */
function activeOption(): string {
  const id = searchBox.element().getAttribute('aria-activedescendant')
  return document.querySelector(`[id="${id}"][role=option][aria-selected=true]`)?.textContent ?? ''
}

const textsOf = (options: typeof recent) => options.elements().map(({ textContent }) => textContent)

async function searchFor(term: string) {
  await searchBox.fill(term)
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe(`/search/result/${encodeURIComponent(term)}`)
  // The box takes the term from the URL once the screen has loaded.
  await expect.element(page.getByRole('heading', { level: 1, name: `Results for “${term}”` })).toBeVisible()
}

test('completes a filter with the arrows and Enter, without searching', async () => {
  await openApp('/')
  await userEvent.type(searchBox, 'bp')
  await expect.element(option('bpm:120-126')).toBeVisible()
  await expect.element(searchBox).toHaveAttribute('aria-expanded', 'true')
  expect(activeOption()).toBe('')
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(activeOption).toContain('bpm:120-126')
  await userEvent.keyboard('{Enter}')
  await expect.element(searchBox).toHaveValue('bpm:')
  await expect.element(option('bpm:>140')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(activeOption).toContain('bpm:120-126')
  await userEvent.keyboard('{Enter}')
  await expect.element(searchBox).toHaveValue('bpm:120-126 ')
  await expect.element(searchBox).toHaveFocus()
  expect(currentUrl()).toBe('/')
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe(`/search/result/${encodeURIComponent('bpm:120-126')}`)
})

test('moves from the box up to the last option and on to the box again', async () => {
  await openApp('/')
  await userEvent.type(searchBox, 'bpm:')
  await expect.element(option('bpm:>140')).toBeVisible()
  await userEvent.keyboard('{ArrowUp}')
  await expect.poll(activeOption).toBe(textsOf(suggestions.getByRole('option')).at(-1))
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(activeOption).toBe('')
})

test('opens a suggested song with the arrows and Enter', async () => {
  const song = makeSong({ title: 'Harbour Lights' })
  const { entity_id, title, artist, image } = song
  fakeApi.reply(catalogue.suggestSearch, { songs: [{ entity_id, title, artist, image }] })
  fakeApi.reply(catalogue.getSong, { song })
  await openApp('/')
  await userEvent.type(searchBox, 'harb')
  await expect.poll(() => fakeApi.inputsOf(catalogue.suggestSearch).at(-1)).toMatchObject({ text: 'harb' })
  await expect.element(option(/^Harbour Lights/)).toBeVisible()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(activeOption).toContain(title)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading', { level: 1, name: title })).toBeVisible()
  expect(currentUrl()).toBe(`/song/${entity_id}`)
})

test('closes with Escape; a second Escape leaves the box and keeps the text', async () => {
  await openApp('/')
  await userEvent.type(searchBox, 'ke')
  await expect.element(option('key:8A,9A')).toBeVisible()
  await userEvent.keyboard('{ArrowDown}')
  await expect.poll(activeOption).toContain('key:')
  await userEvent.keyboard('{Escape}')
  await expect.element(suggestions).not.toBeInTheDocument()
  await expect.element(searchBox).toHaveAttribute('aria-expanded', 'false')
  await expect.element(searchBox).toHaveFocus()
  await userEvent.keyboard('{Escape}')
  await expect.element(searchBox).not.toHaveFocus()
  await expect.element(searchBox).toHaveValue('ke')
  expect(currentUrl()).toBe('/')
})

test('explains the search language in the empty box before the first search', async () => {
  await openApp('/newRelease')
  await searchBox.click()
  await expect.element(help).toBeVisible()
  await expect.element(suggestions).not.toBeInTheDocument()
})

test('offers recent searches in the empty box, newest first, and removes one with Delete', async () => {
  await openApp('/newRelease')
  for (const term of ['remix', 'bpm:120-126']) await searchFor(term)
  await openApp('/newRelease')
  await searchBox.click()
  await expect
    .poll(() => textsOf(recent))
    .toEqual([expect.stringMatching(/^bpm:120-126/), expect.stringMatching(/^remix/), 'Clear recent searches'])
  await userEvent.keyboard('{ArrowDown}{Delete}')
  await expect.poll(() => textsOf(recent)).toEqual([expect.stringMatching(/^remix/), 'Clear recent searches'])
  await expect.poll(activeOption).toContain('remix')
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe('/search/result/remix')
})

test('clears recent searches for good', async () => {
  await openApp('/newRelease')
  await searchFor('remix')
  await searchBox.fill('')
  await option('Clear recent searches').click()
  await expect.element(suggestions).not.toBeInTheDocument()
  await openApp('/newRelease')
  await searchBox.click()
  await expect.element(help).toBeVisible()
  await expect.element(suggestions).not.toBeInTheDocument()
})

test('puts names that begin with the text before songs that only contain it', async () => {
  const [velvet, house] = [makeSong({ title: 'The Velvet Hours' }), makeSong({ title: 'House' })]
  const genres = [{ genre_id: 31, name: 'House', song_count: 33 }]
  fakeApi.reply(catalogue.suggestSearch, { songs: [velvet], genres, labels: ['Warehouse'] })
  await openApp('/')
  await userEvent.type(searchBox, 'hous')
  const options = suggestions.getByRole('option')
  await expect
    .poll(() => textsOf(options))
    .toEqual(['HouseGenre · 33 songs', 'WarehouseLabel', `The Velvet Hours${velvet.artist}`])
  fakeApi.reply(catalogue.suggestSearch, { songs: [house], labels: ['Warehouse'] })
  await userEvent.type(searchBox, 'e')
  await expect.poll(() => textsOf(options)).toEqual([`House${house.artist}`, 'WarehouseLabel'])
  fakeApi.reply(catalogue.suggestSearch, { songs: [], genres })
  fakeApi.reply(catalogue.genreSongs, { genre: { genre_id: 31, name: 'House' } })
  await searchBox.fill('hou')
  await option('House Genre · 33 songs').click()
  await expect.poll(currentUrl).toBe('/genres/view/31')
})
