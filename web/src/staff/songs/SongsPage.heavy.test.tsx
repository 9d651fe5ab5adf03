import { catalogue, corrections, type ReplyOf, reanalyses, staff, staffSongs } from '@dubplate/contract'
import { expect, onTestFinished, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl, dialogNamed, press } from '../../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile, makeSong, makeVersion } from '../../../test/samples.ts'
import { makeDashboard, makeStaffSong } from '../../../test/staffSamples.ts'
import type { Song } from './songActions.ts'

const table = page.getByRole('grid', { name: 'Songs' })
const row = (title: string) => table.getByRole('row', { name: title, exact: true })
const status = (text: string | RegExp) => page.getByRole('status').filter({ hasText: text })
const bar = page.getByRole('group', { name: 'Actions for selected rows' })

const findCell = (title: string, column: string) =>
  row(title).element().querySelector<HTMLElement>(`td[data-column="${column}"]`)!
const searchParams = () => Object.fromEntries(new URLSearchParams(location.search))
/** Focuses a cell, once its column is shown. */
async function focusCell(title: string, column: string) {
  await expect.element(row(title)).toBeVisible()
  await expect.poll(() => findCell(title, column)).not.toBeNull()
  findCell(title, column).focus()
}
/** The row and column of the focused cell. */
const focusedCell = () => {
  const cell = document.activeElement?.closest('td')
  return cell && `${cell.closest('tr')?.getAttribute('aria-label')}, ${cell.dataset.column}`
}

/** A pool with these songs. Edits are applied to them; the filters are not. */
async function openSongs(songs: Song[], url = '/staff/songs', totalCount = songs.length) {
  const stored = new Map(songs.map((song) => [song.entity_id, song]))
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(staffSongs.getSongs, ({ page = 1, per_page = 50 }) => ({
    songs: [...stored.values()].slice((Number(page) - 1) * Number(per_page), Number(page) * Number(per_page)),
    pagination: { page: Number(page), perPageLimit: Number(per_page), totalCount },
  }))
  fakeApi.reply(staffSongs.countSongs, {
    states: { all: 120, published: 110, unpublished: 7, draft: 3 },
    lacks: { key: 4, bpm: 0, art: 9, genre: 1, year: 12 },
    sections: { songs: 100, kuts: 20 },
  })
  fakeApi.reply(corrections.editSong, ({ entity_id, revision, change }) => {
    const { title = '', album = '' } = { ...stored.get(Number(entity_id)), ...change }
    const song = { ...stored.get(Number(entity_id))!, title, album, revision: Number(revision) + 1 }
    stored.set(song.entity_id, song)
    return { song, song_edit_id: 77 }
  })
  await openApp(url)
  return stored
}

const outcome = (overrides: Partial<corrections.Outcome> = {}): corrections.Outcome => ({
  ...{ song_edit_id: 77, changed: 0, same: 0, left: [], songs: [] },
  ...overrides,
})

const low = () => makeStaffSong({ entity_id: 7, title: 'Low Ceiling', artist: 'Room 14', revision: 3 })
const high = () => makeStaffSong({ entity_id: 8, title: 'High Tide', artist: 'Ana', revision: 5 })

test('lists songs with their values and what is missing, and the counts of the filters', async () => {
  await openSongs([
    low(),
    makeStaffSong({
      title: 'Half Done',
      status: 'draft',
      song_key: null,
      lacks: ['key', 'art'],
      min_bpm: 98,
      max_bpm: 124,
    }),
  ])
  await expect.element(row('Low Ceiling')).toHaveTextContent(/Room 14.*Published.*House.*124.*8A/)
  await expect.element(row('Half Done')).toHaveTextContent(/Draft.*98-124–.*Key, Cover/)
  await expect.element(table).toHaveAttribute('aria-rowcount', '3')
  await expect.element(page.getByRole('button', { name: 'Unpublished 7' })).toBeVisible()
  await press(page, 'Missing')
  await expect.element(page.getByRole('menuitemradio', { name: 'No cover' })).toHaveTextContent('No cover9')
})

test('sorts, filters, searches and pages through the URL', async () => {
  await openSongs([low()], '/staff/songs', 300)
  await table.getByRole('button', { name: 'BPM' }).click()
  await expect.poll(currentUrl).toBe('/staff/songs?sort=bpm')
  await press(page, 'Draft 3')
  await press(page, 'Missing')
  await page.getByRole('menuitemradio', { name: 'No key' }).click()
  await page.getByRole('searchbox', { name: 'Artist, title, album' }).fill('room')
  await expect.poll(searchParams).toMatchObject({ find: 'room' })
  await page.getByRole('combobox', { name: 'Songs per page' }).selectOptions('200')
  await page.getByRole('button', { name: 'Page 2', exact: true }).click()
  await expect
    .poll(searchParams)
    .toEqual({ sort: 'bpm', state: 'draft', lacks: 'key', find: 'room', size: '200', page: '2' })
  expect(fakeApi.inputsOf(staffSongs.getSongs).at(-1)).toMatchObject({
    ...{ sort: 'bpm', state: 'draft', lacks: 'key', find: 'room', per_page: 200, page: 2 },
  })
})

test('explains an empty table, and one without matches', async () => {
  await openSongs([])
  await expect.element(page.getByRole('heading', { name: 'No songs yet' })).toBeVisible()
  await reopenApp('/staff/songs?find=nothing')
  await expect.element(page.getByRole('heading', { name: 'No matching songs' })).toBeVisible()
  await press(page, 'Show all')
  await expect.element(page.getByRole('searchbox', { name: 'Artist, title, album' })).toHaveValue('')
  expect(currentUrl()).toBe('/staff/songs')
})

test('says why there are no songs, and tries again', async () => {
  fakeApi.rejectWith(staffSongs.getSongs, { code: 'internal_error', message: 'Something went wrong.' })
  signInAs(makeProfile({ staff_role: 'curator' }))
  await openApp('/staff/songs')
  await expect.element(page.getByRole('heading', { name: 'Couldn’t load songs' })).toBeVisible()
  fakeApi.reply(staffSongs.getSongs, {
    songs: [low()],
    pagination: { page: 1, perPageLimit: 50, totalCount: 1 },
  })
  await press(page, 'Try again')
  await expect.element(row('Low Ceiling')).toBeVisible()
})

test('moves between cells, one of which is a tab stop', async () => {
  await openSongs([low(), high()])
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{ArrowRight}{ArrowDown}')
  expect(focusedCell()).toBe('High Tide, artist')
  await userEvent.keyboard('{End}{ArrowUp}')
  expect(focusedCell()).toBe('Low Ceiling, open')
  await userEvent.keyboard('{Control>}{End}{/Control}{Home}{PageUp}')
  expect(focusedCell()).toBe('Low Ceiling, select')
  expect(table.element().querySelectorAll('td[tabindex="0"]')).toHaveLength(1)
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}{Tab}')
  expect(focusedCell()).toBe('Low Ceiling, select')
})

test('renders only some rows of a long table, and moves to any', async () => {
  const songs = Array.from({ length: 1000 }, (_, n) => makeStaffSong({ title: `Song ${n + 1}` }))
  await openSongs(songs, '/staff/songs?size=1000')
  await focusCell('Song 1', 'artist')
  expect(table.getByRole('row').elements().length).toBeLessThan(60)
  await userEvent.keyboard('{Control>}{ArrowDown}{/Control}')
  expect(focusedCell()).toBe('Song 1000, artist')
  await expect.element(row('Song 1000')).toBeInViewport()
  await userEvent.keyboard('{PageUp}')
  expect(focusedCell()).toBe('Song 990, artist')
  await expect.element(row('Song 985')).toBeVisible()
})

test('saves a cell with Tab and goes on to the next, with the newest revision', async () => {
  await openSongs([low(), high()])
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{F2}{End} Edited{Tab}')
  expect(focusedCell()).toContain('artist')
  await expect.element(status('Title of “Low Ceiling Edited” saved')).toBeVisible()
  await userEvent.keyboard('{ArrowLeft}Again{Enter}')
  expect(focusedCell()).toBe('High Tide, title')
  await expect.element(row('Again')).toBeVisible()
  expect(fakeApi.inputsOf(corrections.editSong)).toMatchObject([
    { entity_id: 7, revision: 3, change: { title: 'Low Ceiling Edited' } },
    { entity_id: 7, revision: 4, change: { title: 'Again' } },
  ])
  await userEvent.keyboard('{Enter}Nope{Escape}')
  expect(focusedCell()).toBe('High Tide, title')
  await userEvent.keyboard('{Enter}{Shift>}{Enter}{/Shift}')
  expect(focusedCell()).toBe('Again, title')
  expect(fakeApi.inputsOf(corrections.editSong)).toHaveLength(2)
})

test('saves on leaving a cell, and clears one with Delete', async () => {
  await openSongs([low()])
  await press(page, 'Columns')
  await page.getByRole('menuitemcheckbox', { name: 'Album' }).click()
  await userEvent.keyboard('{Escape}')
  await focusCell('Low Ceiling', 'album')
  await userEvent.keyboard('Basement')
  await page.getByRole('searchbox').click()
  await expect.poll(() => findCell('Low Ceiling', 'album').textContent).toBe('Basement')
  await focusCell('Low Ceiling', 'album')
  await userEvent.keyboard('{Delete}')
  await expect.poll(() => fakeApi.inputsOf(corrections.editSong).at(-1)?.change).toEqual({ album: '' })
})

test('keeps a refused value with its reason until it is saved or dropped', async () => {
  const message = 'Enter a BPM from 20 to 400, or a range such as 98-124.'
  await openSongs([low()])
  fakeApi.rejectWith(corrections.editSong, { code: 'invalid_request', message })
  await focusCell('Low Ceiling', 'bpm')
  await userEvent.keyboard('12{Enter}')
  await expect.element(row('Low Ceiling').getByRole('alert')).toHaveTextContent(message)
  const cell = findCell('Low Ceiling', 'bpm')
  expect(cell.textContent).toMatch(/^12/)
  expect(document.getElementById(cell.getAttribute('aria-describedby')!)).toHaveTextContent(message)
  await userEvent.keyboard('{Enter}')
  await expect.element(table.getByRole('textbox', { name: 'BPM for Low Ceiling' })).toHaveValue('12')
  await userEvent.keyboard('{Escape}')
  expect(findCell('Low Ceiling', 'bpm').textContent).toBe('124')
  await expect.element(row('Low Ceiling').getByRole('alert')).not.toBeInTheDocument()
})

test('shows the version of someone else after a conflict, and saves over it on the next try', async () => {
  const stored = await openSongs([low()])
  const serverVersion = { ...low(), title: 'Theirs', revision: 4 }
  fakeApi.reply(staffSongs.getSong, { song: serverVersion })
  fakeApi.reply(corrections.editSong, ({ revision }) => {
    if (Number(revision) < 4) throw errorReply({ code: 'conflict', message: 'Changed since.' })
    const song = { ...serverVersion, title: 'Mine', revision: 5 }
    stored.set(7, song)
    return { song, song_edit_id: 78 }
  })
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('Mine{Enter}')
  await expect
    .element(row('Theirs').getByRole('alert'))
    .toHaveTextContent('Someone else changed this song while you were editing.')
  expect(findCell('Theirs', 'title').textContent).toContain('Mine')
  await userEvent.keyboard('{Enter}{Enter}')
  await expect.element(row('Mine')).toBeVisible()
  expect(fakeApi.inputsOf(corrections.editSong).map(({ revision }) => Number(revision))).toEqual([3, 4])
})

test('edits genres in a dialog, and toggles the section', async () => {
  localStorage.setItem('dubplate.hidden-columns.Songs', '["+song_section_id"]')
  await openSongs([low()])
  fakeApi.reply(catalogue.getGenresWithCount, {
    genres: [
      { genre_id: 1, name: 'House', image: '', song_count: 3, subgenre: [] },
      { genre_id: 2, name: 'Techno', image: '', song_count: 2, subgenre: [] },
    ],
  })
  await focusCell('Low Ceiling', 'genres')
  await userEvent.keyboard('{Enter}')
  const dialog = dialogNamed('Genres and moods')
  await dialog.getByRole('checkbox', { name: 'Techno' }).click()
  await press(dialog, 'Save')
  await expect.element(dialog).not.toBeInTheDocument()
  await focusCell('Low Ceiling', 'song_section_id')
  await userEvent.keyboard('{Enter}')
  await expect
    .poll(() => fakeApi.inputsOf(corrections.editSong).map(({ change }) => change))
    .toEqual([{ genres: { how: 'set', genre_ids: [1, 2] } }, { song_section_id: 2 }])
})

test('undoes and redoes the last edit with the keyboard, but not while someone types', async () => {
  const edit = (more: Partial<staffSongs.SongEdit>): staffSongs.SongEdit => ({
    ...{ song_edit_id: 1, at: '2026-11-20T10:00:00Z', by: 'Front Desk', kind: 'edited', fields: ['title'], songs: 1 },
    ...{ example: { entity_id: 7, title: 'Low Ceiling', artist: 'Room 14' }, undoes: null, undone: 0 },
    ...more,
  })
  await openSongs([low()])
  fakeApi.reply(staffSongs.getEdits, { edits: [edit({ song_edit_id: 41 })] })
  fakeApi.reply(corrections.undoEdit, outcome({ changed: 1, songs: [{ ...low(), title: 'Before', revision: 9 }] }))
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{Enter}{Control>}z{/Control}{Escape}')
  expect(fakeApi.inputsOf(corrections.undoEdit)).toEqual([])
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(row('Before')).toBeVisible()
  fakeApi.reply(staffSongs.getEdits, {
    edits: [
      edit({ song_edit_id: 42, kind: 'undone', undoes: { song_edit_id: 41, kind: 'edited' } }),
      edit({ song_edit_id: 41, undone: 1 }),
    ],
  })
  await userEvent.keyboard('{Control>}y{/Control}')
  await expect.poll(() => fakeApi.inputsOf(corrections.undoEdit)).toEqual([{ song_edit_id: 41 }, { song_edit_id: 42 }])
  await userEvent.keyboard('{Control>}z{/Control}')
  await expect.element(page.getByText('Nothing to undo')).toBeVisible()
})

test('undoes the last saved value from the status line', async () => {
  await openSongs([low()])
  fakeApi.reply(corrections.undoEdit, outcome({ changed: 1, songs: [{ ...low(), revision: 9 }] }))
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('New{Enter}')
  await press(status('Title of “New” saved'), 'Undo')
  await expect.element(row('Low Ceiling')).toBeVisible()
  expect(fakeApi.inputsOf(corrections.undoEdit)).toEqual([{ song_edit_id: 77 }])
})

test('opens a song beside the table, and closes things with Escape in their order', async () => {
  await openSongs([low(), high()])
  await focusCell('Low Ceiling', 'artist')
  await userEvent.keyboard(' ')
  await press(row('Low Ceiling'), 'Low Ceiling')
  const panel = page.getByRole('complementary', { name: 'Low Ceiling' })
  await expect.element(panel.getByRole('heading', { name: 'Low Ceiling' })).toBeVisible()
  await expect.poll(currentUrl).toBe('/staff/songs?open=7')
  fakeApi.rejectWith(corrections.editSong, { code: 'invalid_request', message: 'Enter a title.' })
  await userEvent.keyboard('x{Shift>}{Enter}{/Shift}')
  await expect.element(row('Low Ceiling').getByRole('alert')).toHaveTextContent('Enter a title.')
  await userEvent.keyboard('{Escape}')
  await expect.element(row('Low Ceiling').getByRole('alert')).not.toBeInTheDocument()
  await expect.element(panel).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(panel).not.toBeInTheDocument()
  await expect.element(bar.getByText('1 selected')).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(bar).not.toBeInTheDocument()
  await userEvent.keyboard('{ArrowDown}{Control>}{Enter}{/Control}')
  await expect.element(page.getByRole('complementary', { name: 'High Tide' })).toBeVisible()
})

test('plays the preview of a song, and leads to its page', async () => {
  fakeApi.reply(catalogue.getSong, { song: makeSong({ entity_id: 7, version: [makeVersion()] }) })
  await openSongs([low()], '/staff/songs?open=7')
  const panel = page.getByRole('complementary', { name: 'Low Ceiling' })
  await press(panel, 'Play Low Ceiling')
  await expect.element(page.getByRole('region', { name: 'Preview player' })).toBeVisible()
  await expect.element(panel.getByRole('listitem')).toHaveTextContent('Clean')
  await press(panel, 'Open song page')
  await expect.poll(currentUrl).toBe('/staff/songs/7')
})

test('selects rows with the keyboard and the mouse, also on other pages', async () => {
  const songs = Array.from({ length: 60 }, (_, n) => makeStaffSong({ title: `Song ${n + 1}` }))
  await openSongs(songs)
  await focusCell('Song 1', 'title')
  await userEvent.keyboard(' {Shift>}{ArrowDown}{ArrowDown}{/Shift}')
  await expect.element(bar.getByRole('status')).toHaveTextContent('3 selected')
  await row('Song 5')
    .getByRole('checkbox')
    .click({ modifiers: ['Shift'] })
  await expect.element(bar.getByRole('status')).toHaveTextContent('5 selected')
  await press(page, 'Page 2')
  await row('Song 51').getByRole('checkbox').click()
  await expect.element(bar.getByRole('status')).toHaveTextContent('6 selected')
  const box = table.getByRole('checkbox', { name: 'Select all rows on this page' })
  expect(box.element()).toHaveProperty('indeterminate', true)
  await box.click()
  await expect.element(bar.getByRole('status')).toHaveTextContent('15 selected')
  fakeApi.reply(staffSongs.selectSongs, {
    songs: songs.map(({ entity_id, revision }) => ({ entity_id, revision })),
    total: 60,
  })
  await press(bar, 'Select all 60 results')
  await expect.element(bar.getByRole('status')).toHaveTextContent('60 selected')
  await press(bar, 'Clear selection')
  await focusCell('Song 51', 'title')
  await userEvent.keyboard('{Control>}a{/Control}')
  await expect.element(bar.getByRole('status')).toHaveTextContent('10 selected')
})

test('edits the selected songs after a preview, and undoes that from the toast', async () => {
  await openSongs([low(), high()])
  fakeApi.reply(corrections.editSongs, ({ preview }) =>
    outcome(preview ? { changed: 1, same: 1, song_edit_id: null } : { changed: 1, same: 1 }),
  )
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{Control>}a{/Control}')
  await press(bar, 'Edit…')
  const dialog = dialogNamed('Edit 2 songs')
  await expect.element(dialog.getByRole('button', { name: 'Update' })).toBeDisabled()
  await dialog.getByRole('checkbox', { name: 'Album' }).click()
  await dialog.getByRole('textbox', { name: 'Year for all selected songs' }).fill('2024')
  await expect
    .element(dialog.getByRole('status'))
    .toHaveTextContent('1 song will be updated. 1 song already up to date.')
  await press(dialog, 'Update 1 song')
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(corrections.editSongs).at(-1)).toEqual({
    songs: [
      { entity_id: 7, revision: 3 },
      { entity_id: 8, revision: 5 },
    ],
    change: { album: '', year: '2024' },
  })
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(() => fakeApi.inputsOf(corrections.undoEdit)).toEqual([{ song_edit_id: 77 }])
})

test('lists the songs that a bulk edit skips, before and after it', async () => {
  const left = [{ entity_id: 8, title: 'High Tide', code: 'already_in_catalogue', message: 'Already song 7.' }]
  await openSongs([low(), high()])
  fakeApi.reply(corrections.editSongs, outcome({ changed: 1, left }))
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{Control>}a{/Control}')
  await press(bar, 'Edit…')
  const dialog = dialogNamed('Edit 2 songs')
  await dialog.getByRole('textbox', { name: 'Artist for all selected songs' }).fill('Ana')
  await expect.element(dialog.getByRole('listitem')).toHaveTextContent('High Tide Already song 7.')
  await press(dialog, 'Update 1 song')
  await expect.element(dialog.getByRole('status')).toHaveTextContent('1 song updated. 1 song not changed.')
  await dialog.getByText('Close').click()
  await expect.element(dialog).not.toBeInTheDocument()
})

test('unpublishes the selected songs with a reason, which survives a failed attempt', async () => {
  await openSongs([low(), high()])
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{Control>}a{/Control}')
  await press(bar, 'Unpublish…')
  const dialog = dialogNamed('Unpublish 2 songs?')
  await press(dialog, 'Unpublish')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a reason. Your colleagues will see it.')
  const left = [{ entity_id: 8, title: 'High Tide', code: 'conflict', message: 'Changed since.' }]
  fakeApi.reply(corrections.unpublishSongs, outcome({ left }))
  await dialog.getByRole('textbox', { name: 'Reason' }).fill('A bootleg.')
  await press(dialog, 'Unpublish')
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Changed since.')
  await expect.element(dialog.getByRole('textbox', { name: 'Reason' })).toHaveValue('A bootleg.')
  fakeApi.reply(corrections.unpublishSongs, outcome({ changed: 1, left }))
  await press(dialog, 'Unpublish')
  await expect
    .element(page.getByText('1 song unpublished. Couldn’t change 1 song. For example, “High Tide”: Changed since.'))
    .toBeVisible()
  expect(fakeApi.inputsOf(corrections.unpublishSongs).at(-1)).toMatchObject({ reason: 'A bootleg.' })
})

test('publishes without a reason, and analyses the selected songs again', async () => {
  await openSongs([low(), high()])
  fakeApi.reply(corrections.restoreSongs, outcome({ changed: 2 }))
  await focusCell('Low Ceiling', 'title')
  await userEvent.keyboard('{Control>}a{/Control}')
  await press(bar, 'Publish…')
  await press(dialogNamed('Publish 2 songs?'), 'Publish')
  await expect.element(page.getByText('2 songs published.')).toBeVisible()
  fakeApi.reply(reanalyses.analyseSongs, { files: 4, left: [] })
  fakeApi.reply(reanalyses.getAnalyses, { waiting: 3, running: 1, done: 4, failed: [] })
  await press(bar, 'Re-analyse')
  await expect.element(page.getByText('4 files queued for re-analysis')).toBeVisible()
  await expect.element(page.getByRole('progressbar', { name: 'Re-analysis progress' })).toBeVisible()
  await press(bar, 'Merge…')
  await expect.element(dialogNamed('Merge 2 songs')).toBeVisible()
})

test('lists recent edits, each of which can be undone', async () => {
  const edits: ReplyOf<typeof staffSongs.getEdits>['edits'] = [
    {
      ...{ song_edit_id: 41, at: '2026-11-20T10:00:00Z', by: 'Front Desk', kind: 'edited', fields: ['title', 'year'] },
      ...{ songs: 3, undone: 1, undoes: null, example: { entity_id: 7, title: 'Low Ceiling', artist: 'Room 14' } },
    },
  ]
  await openSongs([low()])
  fakeApi.reply(staffSongs.getEdits, { edits, pagination: { page: 1, perPageLimit: 20, totalCount: 21 } })
  fakeApi.reply(corrections.undoEdit, outcome({ changed: 2 }))
  await press(page, 'Recent edits')
  const panel = page.getByRole('complementary', { name: 'Recent edits' })
  await expect
    .element(panel.getByRole('listitem'))
    .toHaveTextContent(/Edited title, year.*Room 14 – Low Ceiling.*and 2 other songs.*by Front Desk/)
  await press(panel, 'Undo remaining 2 songs')
  await expect.element(page.getByText('2 songs reverted')).toBeVisible()
  await panel.getByRole('checkbox', { name: 'Only mine' }).click()
  await press(panel, 'Older')
  await expect.poll(() => fakeApi.inputsOf(staffSongs.getEdits).at(-1)).toMatchObject({ mine: true, page: 2 })
})

test('shows two lines per song on a phone, and opens them over the table', async () => {
  await page.viewport(390, 844)
  onTestFinished(() => page.viewport(1440, 900))
  await openSongs([low()])
  await page.getByRole('listitem', { name: 'Low Ceiling' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Low Ceiling' }).getByText('Open song page')).toBeVisible()
})
