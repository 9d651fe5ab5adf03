import type { Page } from '@playwright/test'
import { expect, getDemoSongs, getFirst, searchBox, songList, songRow, test } from './support.ts'

const resultList = (page: Page) => songList(page, 'Search results')

async function searchFor(page: Page, text: string): Promise<void> {
  await searchBox(page).fill(text)
  await searchBox(page).press('Enter')
}

test('finds a song by its title, and despite a typo', { tag: '@smoke' }, async ({ page }) => {
  const song = getFirst((await getDemoSongs(60)).filter(({ title }) => /^[a-z]{7,}\b/i.test(title)))
  const word = /^[a-z]+/i.exec(song.title)![0]
  const typo = word.slice(0, 2) + word[3] + word[2] + word.slice(4)
  await page.goto('/')
  await searchFor(page, word)
  await expect(page).toHaveURL(new RegExp(`/search/result/${word}$`))
  await expect(songRow(resultList(page), song)).toBeVisible()
  await expect(page.getByText(/^No exact matches\. Showing /)).toBeHidden()

  await searchFor(page, typo)
  await expect(page.getByRole('heading', { level: 1, name: `Results for “${typo}”` })).toBeVisible()
  await expect(page.getByText(/^No exact matches\. Showing /)).toBeVisible()
  await expect(resultList(page).getByRole('row', { name: 'Close matches' })).toBeVisible()
  await expect(songRow(resultList(page), song)).toBeVisible()
})
