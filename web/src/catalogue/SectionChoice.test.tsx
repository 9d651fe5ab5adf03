import { catalogue, charts } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { currentUrl } from '../../test/locators.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSongs, singlePage } from '../../test/samples.ts'

test('keeps the chosen section (songs or kuts) from list to list', async () => {
  fakeApi.reply(catalogue.getNewRelease, ({ song_section_id }) => {
    const songs = makeSongs(song_section_id === 2 ? 2 : 3)
    return { songs, pagination: singlePage(songs.length) }
  })
  const sectionsOf = (call: typeof catalogue.getNewRelease | typeof charts.getChart) =>
    fakeApi.inputsOf(call).map(({ song_section_id }) => song_section_id)
  const choice = (name: string) => page.getByRole('navigation', { name: 'List section' }).getByRole('link', { name })
  const main = page.getByRole('navigation', { name: 'Main' })
  await openApp('/newRelease')
  await expect.element(page.getByText('3 songs', { exact: true })).toBeVisible()
  expect(sectionsOf(catalogue.getNewRelease)).toEqual([undefined])
  await expect.element(choice('Songs')).toHaveAttribute('aria-current', 'page')

  // Each choice is a link, so it works by keyboard too.
  ;(choice('Kuts').element() as HTMLElement).focus()
  await userEvent.keyboard('{Enter}')
  await expect.poll(currentUrl).toBe('/newRelease?section=kuts')
  await expect.element(choice('Kuts')).toHaveAttribute('aria-current', 'page')
  await expect.element(page.getByText('2 kuts', { exact: true })).toBeVisible()

  await main.getByRole('link', { name: 'Charts' }).click()
  await expect.poll(currentUrl).toBe('/charts?section=kuts')
  await expect.poll(() => sectionsOf(charts.getChart)).toEqual([2])

  await page.getByRole('navigation', { name: 'Chart section' }).getByRole('link', { name: 'All' }).click()
  await expect.poll(currentUrl).toBe('/charts?section=all')
  await expect.poll(() => sectionsOf(charts.getChart)).toEqual([2, 0])
  await main.getByRole('link', { name: 'Genres' }).click()
  await expect.poll(currentUrl).toBe('/genres/index?section=all')

  // A screen without a list does not change the section.
  await main.getByRole('link', { name: 'Crate' }).click()
  await expect.poll(currentUrl).toBe('/crate')
  await main.getByRole('link', { name: 'New releases' }).click()
  await expect.poll(currentUrl).toBe('/newRelease?section=all')

  // The tab remembers the section: reset it for the next test.
  await choice('Songs').click()
  await expect.element(choice('Songs')).toHaveAttribute('aria-current', 'page')
})
