import { site, spotlights } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'

const makeList = (id: number, title: string): spotlights.CuratedList => ({
  curated_list_id: id,
  title,
  image: '/images/list/320.webp',
  created_by: '',
  song_count: 12,
})

const tiles = () =>
  [...document.querySelectorAll('main [data-across=four] > li b')].map(({ textContent }) => textContent)
const chip = (bar: string, name: string) =>
  page.getByRole('navigation', { name: bar, exact: true }).getByRole('link', { name, exact: true })

beforeEach(() => fakeApi.reply(site.getPool, { name: 'Dubplate' }))

test('shows 36 lists on a page', async () => {
  const lists = Array.from({ length: 40 }, (_, n) => makeList(n + 1, `List ${n}`))
  fakeApi.reply(spotlights.getCuratedLists, ({ page: number = 1 }) => ({
    curatedlist: lists.slice((Number(number) - 1) * 36, Number(number) * 36),
    pagination: { page: Number(number), perPageLimit: 36, totalCount: 40 },
  }))
  await openApp('/spotlight/index')
  await expect.poll(() => tiles().length).toBe(36)
  await expect.element(page.getByRole('main').getByText('40 spotlights')).toBeVisible()
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Page 2' }).click()
  await expect.poll(tiles).toEqual(['List 36', 'List 37', 'List 38', 'List 39'])
  expect(location.search).toBe('?page=2')
})

test('shows lists and titles for a curated genre and its sub-genres', async () => {
  const inside = { genre_id: 2, title: 'Garage', name: 'garage', list_count: 1 }
  const club = { genre_id: 1, title: 'Club', name: 'club', list_count: 2, isActive: false, subgenres: [inside] }
  const titles: Record<number, string[]> = { 1: ['Club hits', 'Garage hits'], 2: ['Garage hits'] }
  fakeApi.reply(spotlights.getCuratedGenres, { genres: [club] })
  fakeApi.reply(spotlights.getCuratedGenre, ({ genre_id }) => {
    const { title, name } = Number(genre_id) === 1 ? club : inside
    return { genre: { genre_id: Number(genre_id), title, name, current_genre: { parent_id: null } } }
  })
  fakeApi.reply(spotlights.getCuratedLists, ({ curated_genres_id: id }) => {
    const curatedlist = (titles[Number(id)] ?? ['Club hits', 'Garage hits', 'Quiet hours']).map((title, n) =>
      makeList(n + 1, title),
    )
    return { curatedlist, pagination: { page: 1, perPageLimit: 36, totalCount: curatedlist.length } }
  })
  await openApp('/spotlight/index')
  await expect.poll(tiles).toEqual(['Club hits', 'Garage hits', 'Quiet hours'])
  await expect.element(chip('Curated genres', 'All')).toHaveAttribute('aria-current', 'page')
  for (const [bar, { genre_id, title }] of [
    ['Curated genres', club],
    ['Sub-genres of Club', inside],
  ] as const) {
    await chip(bar, title).click()
    await expect.poll(tiles).toEqual(titles[genre_id])
    expect(location.pathname).toBe(`/spotlight/filter/${genre_id}`)
    await expect.poll(() => document.title).toBe(`${title} · Dubplate`)
    await expect.element(page.getByRole('heading', { level: 1, name: title, exact: true })).toBeVisible()
    await expect.element(chip(bar, title)).toHaveAttribute('aria-current', 'page')
  }
})
