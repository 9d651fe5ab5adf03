import { savedSearches } from '@dubplate/contract'
import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { makeSavedSearch } from '../../test/memberSamples.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const saved = page.getByRole('button', { name: 'Saved as Warm-up' })
const email = page.getByRole('button', { name: 'Email me about new music for Warm-up' })
const warmUp = page.getByRole('link', { name: 'Warm-up' })

afterEach(() => vi.restoreAllMocks())

async function openSavedSearches(searches: savedSearches.SavedSearch[]) {
  fakeApi.reply(savedSearches.getSearches, { searches })
  signInAs(makeProfile())
  await openApp('/searches')
}

async function openMenu(item: string) {
  await press(page, 'More options for Warm-up')
  await page.getByRole('menuitem', { name: item }).click()
}

test('saves a search under a name, and opens it again from the saved searches', async () => {
  let searches: savedSearches.SavedSearch[] = []
  fakeApi.reply(savedSearches.getSearches, () => ({ searches }))
  fakeApi.reply(savedSearches.saveSearch, ({ name, query }) => {
    const search = makeSavedSearch({ name, query: query as savedSearches.SavedSearch['query'] })
    searches = [search]
    return { search }
  })
  signInAs(makeProfile())
  await openApp('/search/result/?bpm=120-130')
  await press(page, 'Save search')
  const form = dialogNamed('Save search')
  await expect.element(form.getByLabelText('Name')).toHaveValue('BPM 120-130')
  await form.getByLabelText('Name').fill('')
  await press(form, 'Save')
  await expect.element(form.getByText('Enter a name.')).toBeVisible()
  await form.getByLabelText('Name').fill('Warm-up')
  await form.getByRole('switch', { name: 'Email me about new music' }).click()
  await press(form, 'Save')
  await expect.element(saved).toBeVisible()
  await expect.element(form).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(savedSearches.saveSearch)).toMatchObject([
    { name: 'Warm-up', by_email: true, query: { SongEntitySearch: { bpm: '120-130' } } },
  ])

  await reopenApp('/searches')
  await warmUp.click()
  await expect.element(saved).toBeVisible()
  expect(currentUrl()).toMatch(/^\/search\/result\/?\?bpm=120-130$/)
  await expect.poll(() => fakeApi.inputsOf(savedSearches.markSeen)).toContainEqual({ saved_search_id: 3 })
})

test('keeps the dialog open with the server’s error', async () => {
  await openSavedSearches([makeSavedSearch()])
  fakeApi.rejectWith(savedSearches.changeSearch, { code: 'name_taken', message: 'You already have a search “Late”.' })
  await openMenu('Edit')
  const form = dialogNamed('Edit saved search')
  await expect.element(form.getByText('night · drive · BPM 120-130 · Not downloaded yet')).toBeVisible()
  await form.getByLabelText('Name').fill('Late')
  await press(form, 'Save')
  await expect.element(form.getByText('You already have a search “Late”.')).toBeVisible()
  await expect.element(form.getByLabelText('Name')).toHaveValue('Late')
  expect(fakeApi.inputsOf(savedSearches.changeSearch)).toMatchObject([{ saved_search_id: 3, name: 'Late' }])
})

test('lists the searches with their filters, new songs and errors', async () => {
  await openSavedSearches([
    makeSavedSearch({ new_songs: 100 }),
    makeSavedSearch({ saved_search_id: 4, name: 'Late', error_message: 'Its genre was deleted.' }),
  ])
  await expect.element(page.getByText('2 of 50 searches')).toBeVisible()
  await expect.element(page.getByRole('main').getByText('99+ new')).toBeVisible()
  await expect.element(page.getByText('Its genre was deleted.')).toBeVisible()
  await expect
    .element(page.getByRole('list', { name: 'Filters in Warm-up' }))
    .toHaveTextContent('nightdriveBPM 120-130')
})

test('turns emails on at once, and off again when that fails', async () => {
  await openSavedSearches([makeSavedSearch()])
  await expect.element(email).toHaveAttribute('aria-pressed', 'false')
  const release = fakeApi.holdReply(savedSearches.changeSearch)
  fakeApi.rejectWith(savedSearches.changeSearch, { code: 'unknown_search', message: 'This search was deleted.' })
  await email.click()
  await expect.element(email).toHaveAttribute('aria-pressed', 'true')
  release()
  await expect.element(page.getByText('Couldn’t save your changes')).toBeVisible()
  await expect.element(email).toHaveAttribute('aria-pressed', 'false')
})

test('copies the feed’s URL, and creates another one', async () => {
  const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue()
  await openSavedSearches([makeSavedSearch()])
  fakeApi.reply(savedSearches.changeSearch, { search: makeSavedSearch({ feed_url: 'https://pool.test/feed/new' }) })
  await press(page, 'Copy feed URL for Warm-up')
  await expect.element(page.getByText('Feed URL copied.')).toBeVisible()
  await openMenu('Reset feed URL')
  await page.getByRole('button', { name: 'Copy URL' }).click()
  await expect.poll(() => copied.mock.calls.flat()).toEqual(['https://pool.test/feed/3', 'https://pool.test/feed/new'])
})

test('shows a deleted search again when that is undone', async () => {
  await openSavedSearches([makeSavedSearch(), makeSavedSearch({ saved_search_id: 4, name: 'Late' })])
  await openMenu('Delete')
  await expect.element(warmUp).not.toBeInTheDocument()
  await expect.element(page.getByText('“Warm-up” deleted.')).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.element(warmUp).toBeVisible()
  expect(fakeApi.inputsOf(savedSearches.removeSearch)).toEqual([])
})

test('deletes a search for good when the page is left, and shows it again when that fails', async () => {
  await openSavedSearches([makeSavedSearch()])
  fakeApi.rejectWith(savedSearches.removeSearch, { code: 'internal_error', message: 'Something went wrong.' })
  await openMenu('Delete')
  await expect.element(page.getByText('No saved searches yet')).toBeVisible()
  dispatchEvent(new Event('pagehide'))
  await expect.element(page.getByText('Couldn’t delete the search')).toBeVisible()
  await expect.element(warmUp).toBeVisible()
  expect(fakeApi.inputsOf(savedSearches.removeSearch)).toEqual([{ saved_search_id: 3 }])
})

test('shows placeholders while loading, and loads again after an error', async () => {
  const release = fakeApi.holdReply(savedSearches.getSearches)
  await openSavedSearches([makeSavedSearch()])
  await expect.element(page.getByRole('list', { name: 'Loading saved searches…' })).toBeInTheDocument()
  fakeApi.rejectWith(savedSearches.getSearches, { code: 'internal_error', message: 'Something went wrong.' })
  release()
  await expect.element(page.getByText('Couldn’t load your saved searches')).toBeVisible()
  fakeApi.reply(savedSearches.getSearches, { searches: [makeSavedSearch()] })
  await press(page, 'Try again')
  await expect.element(warmUp).toBeVisible()
})

test('turns the weekly filling of the crate on, with a number of songs, and off', async () => {
  await openSavedSearches([makeSavedSearch()])
  await openMenu('Edit')
  const form = dialogNamed('Edit saved search')
  const filling = form.getByRole('switch', { name: 'Add new music to my crate every Friday' })
  await expect.element(filling).not.toBeChecked()
  await filling.click()
  await form.getByLabelText('Songs each week').selectOptions('Up to 50 songs')
  const filled = makeSavedSearch({ fill_limit: 50 })
  fakeApi.reply(savedSearches.getSearches, { searches: [filled] })
  fakeApi.reply(savedSearches.changeSearch, { search: filled })
  await press(form, 'Save')
  await expect.element(page.getByText('Adds up to 50 songs to your crate every Friday')).toBeVisible()
  await openMenu('Edit')
  await filling.click()
  await press(form, 'Save')
  await expect
    .poll(() => fakeApi.inputsOf(savedSearches.changeSearch))
    .toMatchObject([{ fill_limit: 50 }, { fill_limit: null }])
})

test('adds the newest matches to the crate at once, and says how many', async () => {
  await openSavedSearches([makeSavedSearch()])
  fakeApi.reply(savedSearches.fillCrate, { added: 12 })
  await openMenu('Add newest to crate')
  await expect.element(page.getByText('12 songs added to your crate.')).toBeVisible()
  expect(fakeApi.inputsOf(savedSearches.fillCrate)).toEqual([{ saved_search_id: 3 }])
  fakeApi.reply(savedSearches.fillCrate, { added: 0 })
  await openMenu('Add newest to crate')
  await expect.element(page.getByText('No new songs to add from “Warm-up”.')).toBeVisible()
})
