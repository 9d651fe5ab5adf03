import { newsletter } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile } from '../../test/samples.ts'
import { listTarget } from '../catalogue/followedAfter.ts'

const main = page.getByRole('main')
const link = (name: string) => main.getByRole('link', { name, exact: true })

test('links to the followed lists with the number of new songs, artists, labels and genres', async () => {
  fakeApi.reply(newsletter.getMailing, {
    followed: [{ genre_id: 3, name: 'House' }],
    followed_names: [
      { kind: 'artist', name: 'Mara Voss' },
      { kind: 'label', name: 'Kvadrat' },
    ],
    followed_lists: [
      listTarget('playlist', { id: 5, name: 'Friday finds' }),
      { ...listTarget('spotlight', { id: 7, name: 'Peak time' }), new_count: 3 },
      { ...listTarget('top20', { id: 9, name: 'Monthly top 20' }), new_count: 1 },
      listTarget('chart', { name: 'Daily chart' }),
      listTarget('chart', { id: 3, name: 'Weekly chart, House (kuts)', chart_type: 'weekly', song_section_id: 2 }),
    ],
  })
  signInAs(makeProfile())
  await openApp('/library')
  await expect.element(main.getByRole('heading', { name: 'Following' })).toBeVisible()
  const links = {
    'Friday finds': '/playlist/5',
    'Peak time 3 new': '/spotlight/view/7',
    'Monthly top 20 1 new': '/top20/songs/9',
    'Daily chart': '/charts',
    'Weekly chart, House (kuts)': '/charts?chart=weekly&genre=3&section=kuts',
    'Mara Voss': '/artist/Mara%20Voss',
    Kvadrat: '/label/Kvadrat',
    House: '/genres/view/3',
  }
  for (const [name, address] of Object.entries(links)) await expect.element(link(name)).toHaveAttribute('href', address)
})

test('explains how to follow something while nothing is followed', async () => {
  signInAs(makeProfile())
  await openApp('/library')
  await expect.element(main.getByRole('heading', { name: 'You don’t follow anything yet' })).toBeVisible()
  await expect.element(link('See charts')).toHaveAttribute('href', '/charts')
})

test('offers to load again what could not be loaded', async () => {
  fakeApi.rejectWith(newsletter.getMailing, { code: 'internal_error', message: 'The server has a problem.' })
  signInAs(makeProfile())
  await openApp('/library')
  await expect.element(main.getByText('Couldn’t load what you follow')).toBeVisible()
  fakeApi.reply(newsletter.getMailing, { followed: [{ genre_id: 3, name: 'House' }] })
  await main.getByRole('button', { name: 'Try again' }).click()
  await expect.element(link('House')).toBeVisible()
})
