import { charts, collections, newsletter, spotlights } from '@dubplate/contract'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { fakeApi } from '../../test/fakeApi.ts'
import { fakePlaylist } from '../../test/fakePlaylist.ts'
import { openApp, signInAs } from '../../test/openApp.tsx'
import { makeProfile, makeSongs, singlePage } from '../../test/samples.ts'
import { listTarget } from './followedAfter.ts'

const main = page.getByRole('main')
const button = (name: string) => main.getByRole('button', { name, exact: true })

const songs = makeSongs(2)
const list = { songs, pagination: singlePage(2) }

function fakeLists() {
  fakeApi.reply(collections.getCollection, {
    collection: {
      ...{ title: 'Peak time', description: '', images: [], created_by: null, song_count: 2 },
      ...{ duration_seconds: null, new_count: null, updated_at: null },
    },
  })
  fakeApi.reply(spotlights.getSpotlightSongs, { title: 'Peak time', ...list })
  fakeApi.reply(charts.getTop20Songs, { ...list, title: 'November', songs: [] })
  fakeApi.reply(charts.getChart, { genres: [{ genre_id: 3, name: 'House' }], counted_at: null, songs: [] })
  fakeApi.reply(newsletter.followList, ({ follow, ...reference }) => ({
    followed_lists: follow ? [{ ...listTarget(reference.kind, { name: 'On the server' }), ...reference } as never] : [],
  }))
}

const LISTS = [
  [
    'a spotlight',
    '/spotlight/view/7',
    listTarget('spotlight', { id: 7, name: 'Peak time' }),
    /new songs in your library/,
  ],
  ['the top 20', '/top20/songs/4', listTarget('top20', { id: 4, name: 'Monthly top 20' }), /each new top 20/],
  ['a chart', '/charts', listTarget('chart', { name: 'Daily chart' }), /new entries/],
  [
    'the chart of a genre, period and section',
    '/charts?chart=weekly&genre=3&section=kuts',
    listTarget('chart', { id: 3, name: 'Weekly chart, House', chart_type: 'weekly', song_section_id: 2 }),
    /new entries/,
  ],
] as const

test.each(LISTS)('follows and unfollows %s', async (_, address, { name, new_count: _count, ...reference }, tooltip) => {
  fakeLists()
  fakeApi.reply(newsletter.getMailing, { state: 'subscribed' })
  signInAs(makeProfile())
  await openApp(address)
  await expect.element(button(`Follow ${name}`)).toHaveAttribute('title', expect.stringMatching(tooltip))
  await button(`Follow ${name}`).click()
  await button(`Following ${name}`).click()
  await expect.element(button(`Follow ${name}`)).toBeEnabled()
  await expect
    .poll(() => fakeApi.inputsOf(newsletter.followList))
    .toEqual([
      { ...reference, follow: true },
      { ...reference, follow: false },
    ])
  expect(fakeApi.inputsOf(newsletter.openFollowedList)).toEqual([])
})

test('follows the public playlist of someone else, also an empty one', async () => {
  fakeLists()
  const { id } = fakePlaylist('Friday finds', [], { mine: false, public: true })
  signInAs(makeProfile())
  await openApp(`/playlist/${id}`)
  await button('Follow Friday finds').click()
  await expect
    .poll(() => fakeApi.inputsOf(newsletter.followList))
    .toMatchObject([{ kind: 'playlist', id, follow: true }])
})

test('does not offer to follow one’s own playlist', async () => {
  const { id } = fakePlaylist('Mine', songs, { mine: true, public: true })
  signInAs(makeProfile())
  await openApp(`/playlist/${id}`)
  await expect.element(button('More options for Mine')).toBeVisible()
  expect(main.getByRole('button', { name: /^Follow/ }).elements()).toEqual([])
})

test('opening a followed list clears its number of new songs', async () => {
  fakeLists()
  const followed = { ...listTarget('spotlight', { id: 7, name: 'Peak time' }), new_count: 3 }
  fakeApi.reply(newsletter.getMailing, { followed_lists: [followed] })
  signInAs(makeProfile())
  await openApp('/library')
  await main.getByRole('link', { name: 'Peak time 3 new' }).click()
  await expect.element(button('Following Peak time')).toBeVisible()
  await vi.waitUntil(() => fakeApi.inputsOf(newsletter.openFollowedList).length > 0)
  history.back()
  await expect.element(main.getByRole('link', { name: 'Peak time', exact: true })).toBeVisible()
  expect(fakeApi.inputsOf(newsletter.openFollowedList)).toMatchObject([{ kind: 'spotlight', id: 7 }])
})

test('an older top 20 leaves the newest one new', async () => {
  fakeLists()
  const followed = { ...listTarget('top20', { id: 9, name: 'Monthly top 20' }), new_count: 1 }
  fakeApi.reply(newsletter.getMailing, { followed_lists: [followed] })
  signInAs(makeProfile())
  await openApp('/top20/songs/4')
  await vi.waitUntil(() => fakeApi.inputsOf(newsletter.openFollowedList).length > 0)
  await page.getByRole('link', { name: 'Library' }).first().click()
  await expect
    .element(main.getByRole('link', { name: 'Monthly top 20 1 new' }))
    .toHaveAttribute('href', '/top20/songs/9')
})

test('“View as member” does not mark a list as opened', async () => {
  fakeLists()
  fakeApi.reply(newsletter.getMailing, { followed_lists: [listTarget('spotlight', { id: 7, name: 'Peak time' })] })
  signInAs(makeProfile({ viewed_by: 'Staff' } as never))
  await openApp('/spotlight/view/7')
  await expect.element(button('Following Peak time')).toBeVisible()
  expect(fakeApi.inputsOf(newsletter.openFollowedList)).toEqual([])
})

test('the actions of a playlist that can be followed fit in one line on a phone', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  fakeLists()
  const { id } = fakePlaylist('Friday finds', songs, { mine: false, public: true })
  signInAs(makeProfile())
  await openApp(`/playlist/${id}`)
  await expect.element(button('Share')).toBeVisible()
  const top = (name: string) => button(name).element().getBoundingClientRect().top
  expect([top('Follow Friday finds'), top('Share')]).toEqual([top('Play all'), top('Play all')])
})
