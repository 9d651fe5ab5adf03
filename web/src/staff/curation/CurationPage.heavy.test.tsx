import { type catalogue, curatedGenres, curation, type ReplyOf, staff, trending } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile, makeSong } from '../../../test/samples.ts'
import { makeDashboard } from '../../../test/staffSamples.ts'

const makeList = (overrides: Partial<curation.StaffList> = {}): curation.StaffList => ({
  kind: 'spotlight',
  list_id: 4,
  title: 'Warm-up',
  description: '',
  state: 'published',
  published_at: '2026-11-01T09:00:30.000Z',
  ended_at: null,
  unpublished_at: null,
  was_published: true,
  image: '/images/list-4-00000000/320.webp',
  cover_seed: 9,
  artwork_id: null,
  song_count: 2,
  unpublished_songs: 0,
  changed_at: '2026-11-01T09:00:30.000Z',
  version: 3,
  created_by: 'Ada',
  curated_genre_id: null,
  suggested: false,
  suggested_from: null,
  ...overrides,
})

const makeDetails = (overrides: Partial<curation.ListDetails> = {}): curation.ListDetails => ({
  ...makeList(),
  entity_ids: [],
  ...overrides,
})

const makeGenre = (curated_genre_id: number, title: string, parent_id: number | null = null) => ({
  curated_genre_id,
  title,
  parent_id,
  list_count: 2,
  published_count: 1,
  version: 1,
})

async function open(url: string) {
  signInAs(makeProfile({ staff_role: 'curator', dj_name: 'Ada' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  await openApp(url)
}

function replyWithLists(lists: curation.StaffList[]) {
  const counts = { draft: 1, scheduled: 2, published: 3, ended: 4, unpublished: 5 }
  const pagination = { page: 1, perPageLimit: 24, totalCount: lists.length }
  fakeApi.reply(curation.getLists, { lists, counts, pagination })
}

function replyWithSongs(songs: catalogue.Song[]) {
  const pagination = { page: 1, perPageLimit: 24, totalCount: songs.length }
  fakeApi.reply(curation.getSongs, { songs, unpublished: [] })
  fakeApi.reply(curation.drawCover, { image: '/images/list-4-00000000/320.webp' })
  return pagination
}

test('lists spotlights in every state, with what members do not see', async () => {
  replyWithLists([makeList({ unpublished_songs: 3 }), makeList({ list_id: 5, title: 'Closing', state: 'draft' })])
  await open('/staff/curation')
  const table = page.getByRole('region', { name: 'spotlights' })
  await expect.element(table.getByRole('row', { name: 'Warm-up' })).toHaveTextContent(/by Ada.*Published2/)
  await expect.element(table.getByRole('row', { name: 'Closing' })).toHaveTextContent(/Draft/)
  await table.getByRole('button', { name: /^State/ }).click()
  await page.getByRole('menuitemradio', { name: 'Scheduled 2' }).click()
  await expect.poll(currentUrl).toBe('/staff/curation?state=scheduled')
  await page.getByRole('button', { name: 'Top 20', exact: true }).click()
  await expect.poll(currentUrl).toBe('/staff/curation?view=top20')
})

test('unpublishes a list that members have seen, and deletes one that they have not', async () => {
  replyWithLists([makeList(), makeList({ list_id: 5, title: 'Closing', state: 'draft', was_published: false })])
  fakeApi.reply(curation.unpublishList, { list: makeDetails({ state: 'unpublished' }) })
  fakeApi.reply(curation.removeList, {})
  await open('/staff/curation')
  await page.getByRole('button', { name: 'Actions for Warm-up' }).click()
  expect(page.getByRole('menuitem', { name: 'Delete' }).elements()).toEqual([])
  await page.getByRole('menuitem', { name: 'Unpublish' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Unpublish' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(curation.unpublishList))
    .toEqual([{ kind: 'spotlight', list_id: 4, version: 3 }])
  await page.getByRole('button', { name: 'Actions for Closing' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(curation.removeList))
    .toEqual([{ kind: 'spotlight', list_id: 5, version: 3 }])
})

test('saves a list over a colleague’s version only on request, and keeps the edits', async () => {
  replyWithSongs([])
  fakeApi.reply(curatedGenres.getGenres, { genres: [] })
  fakeApi.reply(curation.getList, { list: makeDetails({ state: 'draft', published_at: null }) })
  await open('/staff/curation?open=4')
  const title = page.getByRole('textbox', { name: 'Title', exact: true })
  await title.fill('Mine')
  fakeApi.rejectWith(curation.saveList, { code: 'conflict', message: 'Someone else changed this list.' })
  fakeApi.reply(curation.getList, { list: makeDetails({ title: 'Theirs', version: 8 }) })
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(title).toHaveAccessibleDescription('Their version: Theirs')
  await expect.element(title).toHaveValue('Mine')
  fakeApi.reply(curation.saveList, { list: makeDetails({ title: 'Mine', version: 9 }) })
  await page.getByRole('button', { name: 'Keep mine' }).click()
  await expect.poll(() => fakeApi.inputsOf(curation.saveList).at(-1)).toMatchObject({ title: 'Mine', version: 8 })
})

test('does not publish a list without songs', async () => {
  replyWithSongs([])
  fakeApi.reply(curatedGenres.getGenres, { genres: [] })
  await open('/staff/curation?open=new')
  await page.getByRole('textbox', { name: 'Title', exact: true }).fill('Empty')
  await page.getByRole('combobox', { name: 'Visibility' }).click()
  await page.getByRole('option', { name: 'Publish now' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Add at least one song')
  expect(fakeApi.inputsOf(curation.saveList)).toEqual([])
})

test('moves a genre among its siblings, and edits it beside the list', async () => {
  fakeApi.reply(curatedGenres.getGenres, {
    genres: [makeGenre(1, 'Night'), makeGenre(11, 'Opening', 1), makeGenre(12, 'Closing', 1), makeGenre(2, 'Scene')],
  })
  fakeApi.reply(curatedGenres.orderGenres, {})
  await open('/staff/curation?view=genres')
  const list = page.getByRole('list', { name: 'Curated genres' })
  await expect.element(list).toBeVisible()
  list.getByRole('button', { name: 'Move Closing' }).element().focus()
  await userEvent.keyboard('{Alt>}{ArrowUp}{/Alt}')
  await expect
    .poll(() => fakeApi.inputsOf(curatedGenres.orderGenres))
    .toEqual([{ parent_id: 1, curated_genre_ids: [12, 11] }])
  await list.getByRole('button', { name: /^Opening/ }).click()
  const name = page.getByRole('textbox', { name: 'Name' })
  fakeApi.rejectWith(curatedGenres.saveGenre, {
    code: 'name_taken',
    message: 'There is a genre with this name.',
    fields: { title: 'There is a genre with this name.' },
  })
  await name.fill('Closing')
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.element(name).toHaveAccessibleDescription('There is a genre with this name.')
})

test('takes a spotlight out of the suggestions, and puts it back', async () => {
  const list = makeList({ suggested: true, suggested_from: '2026-11-02T09:00:00.000Z' })
  const suggested: ReplyOf<typeof curation.getSuggested> = { now: [list], next: [] }
  fakeApi.reply(curation.getSuggested, suggested)
  fakeApi.reply(curation.suggestList, { list: makeDetails() })
  replyWithLists([list, makeList({ list_id: 6, title: 'Late' })])
  await open('/staff/curation?view=suggested')
  const candidates = page.getByRole('list', { name: 'Spotlights to suggest' })
  await expect.element(candidates.getByRole('listitem')).toHaveTextContent('Late')
  // The row leaves the list before the message appears.
  fakeApi.reply(curation.getSuggested, { now: [], next: [] })
  await page.getByRole('button', { name: 'Remove Warm-up from suggestions' }).click()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect
    .poll(() => fakeApi.inputsOf(curation.suggestList))
    .toEqual([
      { list_id: 4, version: 3, suggested: false, suggested_from: null },
      { list_id: 4, version: 4, suggested: true, suggested_from: '2026-11-02T09:00:00.000Z' },
    ])
})

test('changes the rank of a pinned song, and checks it first', async () => {
  const pinned = makeSong()
  const pin = { entity_id: pinned.entity_id, title: 'Pinned', artist: 'A', rank: 1, until: null, unpublished: false }
  fakeApi.reply(trending.getTrending, { shown: [], computed: [], pins: [pin] })
  await open('/staff/curation?view=trending')
  await page.getByRole('button', { name: 'Edit pin for Pinned' }).click()
  const rank = page.getByRole('spinbutton', { name: 'Rank' })
  await expect.element(rank).toHaveFocus()
  await rank.fill('99')
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect.element(rank).toHaveAttribute('aria-invalid', 'true')
  expect(fakeApi.inputsOf(trending.pinSong)).toEqual([])
  await rank.fill('2')
  fakeApi.reply(trending.pinSong, {})
  await page.getByRole('button', { name: 'Pin', exact: true }).click()
  await expect
    .poll(() => fakeApi.inputsOf(trending.pinSong))
    .toEqual([{ entity_id: pinned.entity_id, rank: '2', until: null, previous_rank: 1 }])
})

test('saves the description of a list, and previews it before', async () => {
  const list = makeDetails({ state: 'draft', description: 'Slow and deep.', entity_ids: [5] })
  fakeApi.reply(curation.getList, { list })
  fakeApi.reply(curation.saveList, { list })
  await open('/staff/curation?open=4')
  const field = page.getByRole('textbox', { name: 'Description' })
  await expect.element(field).toHaveValue('Slow and deep.')
  await field.fill('x'.repeat(301))
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect.element(field).toHaveAccessibleDescription(/Use at most 300 characters\..*301 of 300 characters/)
  await field.fill('Big drums and clean intros.')
  await page.getByRole('link', { name: 'Preview' }).click()
  await expect.element(page.getByRole('heading', { level: 1, name: 'Warm-up' })).toBeVisible()
  await expect.element(page.getByText('Big drums and clean intros.')).toBeVisible()
  await page.getByRole('link', { name: 'Back to editor' }).click()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  await expect
    .poll(() => fakeApi.inputsOf(curation.saveList))
    .toMatchObject([{ list_id: 4, description: 'Big drums and clean intros.' }])
})
