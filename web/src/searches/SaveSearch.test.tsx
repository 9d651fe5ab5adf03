import { savedSearches } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'

const saved = page.getByRole('button', { name: 'Saved as Warm-up' })

test('saves a search under a name, and opens it again from the saved searches', async () => {
  let searches: savedSearches.SavedSearch[] = []
  fakeApi.reply(savedSearches.getSearches, () => ({ searches }))
  fakeApi.reply(savedSearches.saveSearch, ({ name, query }) => {
    const search = { saved_search_id: 3, name, query, new_songs: 0, seen_at: '2026-11-22T10:00:00Z', by_email: false }
    searches = [{ ...search, feed_url: 'https://pool.test/feed/3', error_message: '' } as savedSearches.SavedSearch]
    return { search: searches[0]! }
  })
  signInAs(makeProfile())
  await openApp('/search/result/?bpm=120-130')
  await press(page, 'Save search')
  const form = dialogNamed('Save search')
  await form.getByLabelText('Name').fill('Warm-up')
  await press(form, 'Save')
  await expect.element(saved).toBeVisible()
  expect(fakeApi.inputsOf(savedSearches.saveSearch)).toMatchObject([
    { name: 'Warm-up', query: { SongEntitySearch: { bpm: '120-130' } } },
  ])

  await reopenApp('/searches')
  await page.getByRole('link', { name: 'Warm-up' }).click()
  await expect.element(saved).toBeVisible()
  expect(currentUrl()).toMatch(/^\/search\/result\/?\?bpm=120-130$/)
})
