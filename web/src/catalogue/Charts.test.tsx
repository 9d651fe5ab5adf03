import { charts, site } from '@dubplate/contract'
import { beforeEach, expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp } from '../../test/openApp.tsx'
import { makeSong, singlePage } from '../../test/samples.ts'
import { rows } from '../player/testing.ts'
import { titlesOf } from './selectionTestHelpers.ts'

const HOUSE = { genre_id: 7, name: 'House' }

const rankedSong = (title: string, rank: number, rank_before: number | null = null): charts.ChartedSong => ({
  ...makeSong({ title, genres: [HOUSE] }),
  rank,
  rank_before,
  downloads: 50 - rank,
})

const list = (name: string) => page.getByRole('table', { name, exact: true })
const period = (name: string) => page.getByRole('navigation', { name: 'Period' }).getByRole('link', { name })
const titles = () => titlesOf(rows.elements())
/** The accessible text of each row's rank. */
const ranks = () => rows.elements().map((row) => row.querySelector('[role=cell]')?.textContent)
const lastInput = () => fakeApi.inputsOf(charts.getChart).at(-1)

const reply = (songs: charts.ChartedSong[]) => ({ songs, genres: [HOUSE], pagination: singlePage(songs.length) })

beforeEach(() => fakeApi.reply(site.getPool, { name: 'Dubplate' }))

test('gives each period its own URL and tab title, and Back returns to the previous one', async () => {
  const daily = [rankedSong('Daily one', 1), rankedSong('Daily two', 2)]
  const monthly = [rankedSong('Monthly one', 1)]
  fakeApi.reply(charts.getChart, ({ chart_type }) => reply(chart_type === 'monthly' ? monthly : daily))
  await openApp('/charts')
  await expect.poll(titles).toEqual(['Daily one', 'Daily two'])
  await expect.poll(() => document.title).toBe('Daily chart · Dubplate')
  await expect.element(list('Daily chart')).toBeVisible()
  await expect.element(period('Daily')).toHaveAttribute('aria-current', 'page')
  expect(lastInput()).toMatchObject({ chart_type: 'daily' })

  await period('Monthly').click()
  await expect.poll(titles).toEqual(['Monthly one'])
  expect(location.pathname + location.search).toBe('/charts?chart=monthly')
  await expect.poll(() => document.title).toBe('Monthly chart · Dubplate')
  await expect.element(list('Monthly chart')).toBeVisible()
  await expect.element(period('Monthly')).toHaveAttribute('aria-current', 'page')
  expect(lastInput()).toMatchObject({ chart_type: 'monthly' })

  history.back()
  await expect.poll(titles).toEqual(['Daily one', 'Daily two'])
  expect(location.pathname + location.search).toBe('/charts')
  await expect.poll(() => document.title).toBe('Daily chart · Dubplate')
  await expect.element(period('Daily')).toHaveAttribute('aria-current', 'page')
})

test('shows the movement of each rank in words, and keeps the ranks when sorted differently', async () => {
  const songs = [
    rankedSong('Delta', 1),
    rankedSong('Alpha', 2, 5),
    rankedSong('Charlie', 3, 2),
    rankedSong('Bravo', 4, 4),
  ]
  const sortedByTitle = songs.toSorted((a, b) => a.title.localeCompare(b.title))
  fakeApi.reply(charts.getChart, ({ order }) => reply(order === 'title' ? sortedByTitle : songs))
  await openApp('/charts?chart=weekly')
  await expect.poll(ranks).toEqual(['1NEW new entry', '2▲3 up 3 places', '3▼1 down 1 place', '4– no change'])

  const heading = list('Weekly chart').getByRole('columnheader', { name: 'Title' })
  await heading.getByRole('button').click()
  await expect.poll(titles).toEqual(['Alpha', 'Bravo', 'Charlie', 'Delta'])
  expect(location.search).toBe('?chart=weekly&order=title&dir=ASC')
  expect(lastInput()).toMatchObject({ chart_type: 'weekly', order: 'title', orderDir: 'ASC' })
  await expect.element(heading).toHaveAttribute('aria-sort', 'ascending')
  expect(ranks()).toEqual(['2▲3 up 3 places', '4– no change', '3▼1 down 1 place', '1NEW new entry'])
})

test('filters the chart by a genre chip, and names the genre in the URL and tab title', async () => {
  const songs = [rankedSong('One', 1), rankedSong('Two', 2), rankedSong('Three', 3)]
  const ofGenre = [{ ...songs[1]!, rank: 1 }]
  fakeApi.reply(charts.getChart, ({ genre_id }) => reply(Number(genre_id) === HOUSE.genre_id ? ofGenre : songs))
  await openApp('/charts?chart=monthly')
  await expect.poll(titles).toEqual(['One', 'Two', 'Three'])
  const chip = page
    .getByRole('group', { name: 'Filter by genre', exact: true })
    .getByRole('button', { name: 'House', exact: true })
  await chip.click()
  await expect.poll(titles).toEqual(['Two'])
  expect(ranks()).toEqual(['1NEW new entry'])
  expect(location.search).toBe('?chart=monthly&genre=7')
  await expect.poll(() => document.title).toBe('Monthly chart, House · Dubplate')
  await expect.element(chip).toHaveAttribute('aria-pressed', 'true')
})
