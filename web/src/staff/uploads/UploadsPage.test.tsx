import { review, staff, type uploadedSongs } from '@dubplate/contract'
import { expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { errorReply, fakeApi } from '../../../test/fakeApi.ts'
import { currentUrl } from '../../../test/locators.ts'
import { openApp, reopenApp, signInAs } from '../../../test/openApp.tsx'
import { makeProfile } from '../../../test/samples.ts'
import { makeDashboard, makeSlot, makeUpload } from '../../../test/staffSamples.ts'
import { pausePreview, usePreview } from '../../uploads/preview.ts'

const table = page.getByRole('region', { name: 'Songs' })
const row = (name: string) => table.getByRole('row', { name, exact: true })
const panel = (name: string) => page.getByRole('complementary', { name, exact: true })

const makeReviewed = (song: review.ReviewedUpload, rest: Partial<review.ReviewedSong> = {}): review.ReviewedSong => ({
  song: {
    ...song,
    sources: { title: 'tag', artist: 'tag', year: 'uploader', song_key: 'analysis', bpm: 'analysis', genres: 'staff' },
  },
  ...{ versions: [], differences: [], twins: [], history: [] },
  ...rest,
})

type Rejection = { code: string; message: string }

/** Opens the page with songs that the fake server decides, except for those it rejects. */
async function openUploads(
  songs: review.ReviewedUpload[],
  url = '/staff/uploads',
  rejections: Record<number, Rejection> = {},
) {
  const inState = new Map(songs.map((song) => [song.entity_id, song]))
  const inView = (state: unknown) => [...inState.values()].filter((song) => song.status === state)
  signInAs(makeProfile({ staff_role: 'curator' }))
  fakeApi.reply(staff.getDashboard, makeDashboard())
  fakeApi.reply(review.getUploads, ({ status }) => ({
    songs: inView(status),
    counts: { in_review: 3, declined: 1 },
    pagination: { page: 1, perPageLimit: 24, totalCount: inView(status).length },
  }))
  fakeApi.reply(review.getUpload, ({ entity_id }) => makeReviewed(inState.get(Number(entity_id))!))
  fakeApi.reply(review.decideUploads, ({ songs }) => {
    const ids = songs.map(({ entity_id }) => Number(entity_id))
    const done = ids.filter((id) => !rejections[id])
    for (const id of done) inState.set(id, { ...inState.get(id)!, status: 'published' })
    return {
      done,
      left: ids.flatMap((entity_id) => (rejections[entity_id] ? [{ entity_id, ...rejections[entity_id] }] : [])),
    }
  })
  await openApp(url)
}

async function focusRow(name: string) {
  await expect.element(row(name)).toBeVisible()
  row(name).element().focus()
}

const first = (change: Partial<review.ReviewedUpload> = {}) => makeUpload({ entity_id: 11, title: 'First', ...change })
const second = (change: Partial<review.ReviewedUpload> = {}) =>
  makeUpload({ entity_id: 12, title: 'Second', ...change })
const third = () => makeUpload({ entity_id: 13, title: 'Third' })
const LOW_BITRATE = 'This looks like a low-bitrate file converted to a higher bitrate. Please upload the original.'
const conflict = { code: 'conflict', message: 'Changed.' }

test('lists songs with their worst problem, versions and uploader', async () => {
  await openUploads([
    first({
      search_version_term: 'Clean, Dirty',
      faults: [
        { code: 'silent', message: 'is silent', at_seconds: 4, blocks: false, version_label: 'Clean' },
        { code: 'truncated', message: 'breaks off', blocks: true, version_label: 'Dirty' },
      ],
    }),
    second({ is_edit: true, is_listed: true, listed_entity_id: 90 }),
  ])
  await expect.element(row('First')).toHaveTextContent(/1 more · Dirty: breaks off.*Clean, Dirty.*Rye Lane Audio/)
  await expect.element(row('Second')).toHaveTextContent('Edit to a published song')
  await expect.element(row('Second').getByRole('link', { name: 'Published' })).toHaveAttribute('href', '/song/90')
})

test('filters by state and search through the URL', async () => {
  await openUploads([first(), makeUpload({ title: 'Old', status: 'declined', reason: 'Too quiet.' })])
  await page.getByRole('button', { name: 'Declined 1' }).click()
  await expect.poll(currentUrl).toBe('/staff/uploads?state=declined')
  await expect.element(row('Old')).toHaveTextContent('Declined: Too quiet.')
  await page.getByRole('searchbox').fill('old')
  await expect
    .poll(() => fakeApi.inputsOf(review.getUploads).at(-1))
    .toMatchObject({ search: 'old', status: 'declined' })
  await page.getByRole('button', { name: 'Draft' }).click()
  await expect.element(table.getByRole('heading', { name: 'No matching songs' })).toBeVisible()
})

test('publishes with a key and passes the focus to the next song', async () => {
  await openUploads([first(), second()])
  await focusRow('First')
  await userEvent.keyboard('a')
  await expect.element(page.getByText('“First” published. We’ve emailed the uploader.')).toBeVisible()
  await expect.element(row('Second')).toHaveFocus()
  expect(fakeApi.inputsOf(review.decideUploads)).toEqual([
    { songs: [{ entity_id: 11, version: 3 }], decision: 'publish', reason: '' },
  ])
})

test('opens the next song once the open one is decided', async () => {
  await openUploads([first(), second()], '/staff/uploads?open=11')
  await panel('First').getByRole('button', { name: 'Publish' }).click()
  await expect.element(panel('Second')).toBeVisible()
  await expect.poll(currentUrl).toBe('/staff/uploads?open=12')
  await panel('Second').getByRole('button', { name: 'Publish' }).click()
  await expect.element(table.getByRole('heading', { name: 'No songs to review' })).toBeVisible()
  await expect.poll(currentUrl).toBe('/staff/uploads')
})

test('decides the version that the panel shows', async () => {
  await openUploads([first(), second()], '/staff/uploads?open=11')
  fakeApi.reply(review.getUpload, makeReviewed(first({ version: 4, artist: 'Room 15' })))
  await reopenApp('/staff/uploads?open=11')
  await expect.element(panel('First').getByText('Room 15')).toBeVisible()
  await panel('First').getByRole('button', { name: 'Publish' }).click()
  await expect.poll(() => fakeApi.inputsOf(review.decideUploads)[0]?.songs).toEqual([{ entity_id: 11, version: 4 }])
})

test('says at the song that someone else changed it', async () => {
  await openUploads([first(), second()], undefined, { 11: conflict })
  await focusRow('First')
  await userEvent.keyboard('a')
  await expect
    .element(row('First').getByRole('alert'))
    .toHaveTextContent('Someone else updated this song. Review the changes before you decide.')
})

test('requires a reason to decline, keeps it over a reload, and shows the error in the dialog', async () => {
  await openUploads([first()], undefined, { 11: conflict })
  await focusRow('First')
  await userEvent.keyboard('d')
  const dialog = page.getByRole('dialog', { name: 'Decline “First”?' })
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Enter a reason. The uploader will see it.')
  await dialog.getByRole('button', { name: /^This looks like a low-bitrate file/ }).click()
  await reopenApp('/staff/uploads')
  await focusRow('First')
  await userEvent.keyboard('d')
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue(LOW_BITRATE)
  await dialog.getByRole('button', { name: 'Decline', exact: true }).click()
  await expect.element(dialog.getByRole('alert')).toHaveTextContent('Someone else updated this song.')
  await expect.element(dialog.getByLabelText('Reason')).toHaveValue(LOW_BITRATE)
})

test('publishes the selected songs at once; those that fail stay selected with the reason', async () => {
  await openUploads([first(), second(), third()], undefined, { 12: { code: 'not_ready', message: 'Still analysing.' } })
  await table.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await page.getByRole('button', { name: 'Publish 3 songs' }).click()
  await expect.element(page.getByText(/^2 songs published\..*1 song couldn’t be updated/)).toBeVisible()
  await expect.element(row('Second').getByRole('alert')).toHaveTextContent('Still analysing.')
  await expect.element(row('Third')).not.toBeInTheDocument()
  await expect.element(page.getByText('1 selected')).toBeVisible()
})

test('declines the selected songs with one reason', async () => {
  await openUploads([first(), second()])
  await table.getByRole('checkbox', { name: 'Select all rows on this page' }).click()
  await page.getByRole('button', { name: 'Decline 2 songs…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Decline 2 songs?' })
  await dialog.getByLabelText('Reason').fill('Not ours')
  await dialog.getByRole('button', { name: 'Decline 2 songs' }).click()
  await expect.element(dialog).not.toBeInTheDocument()
  expect(fakeApi.inputsOf(review.decideUploads)).toMatchObject([
    { songs: [{ entity_id: 11 }, { entity_id: 12 }], decision: 'decline', reason: 'Not ours' },
  ])
})

test('shows what publishing would change, where values come from, duplicates and past decisions', async () => {
  await openUploads([first({ is_edit: true })])
  fakeApi.reply(
    review.getUpload,
    makeReviewed(first({ is_edit: true, year: 2026 }), {
      differences: [{ field: 'Title', before: 'Frist', after: 'First' }],
      twins: [
        {
          ...{ version_label: 'Clean', entity_id: 90, title: 'Uno', artist: 'Rico' },
          ...{ duplicate_label: 'Dirty', similarity: 0.978 },
        },
      ],
      history: [{ at: '2026-11-19T10:00:00Z', by: 'Front Desk', decision: 'declined', reason: 'No intro.' }],
    }),
  )
  await focusRow('First')
  await userEvent.keyboard('{Enter}')
  await expect.element(panel('First').getByRole('deletion')).toHaveTextContent('Frist')
  await expect.element(panel('First').getByText('Clean: same recording (97%) as')).toBeVisible()
  await expect.element(panel('First').getByText(/^Declined by Front Desk, .*: No intro\.$/)).toBeVisible()
  await expect
    .element(panel('First').getByText('2026', { exact: false }).first())
    .toHaveTextContent(/^2026 .*uploader$/i)
})

test('plays versions with keys, also while the focus is in the panel, and stops on another page', async () => {
  await openUploads([first(), second()])
  const [clean, dirty] = [makeSlot(), makeSlot({ name: 'Dirty', start_sec: 4 })]
  fakeApi.reply(review.getUpload, makeReviewed(first(), { versions: [clean, dirty] }))
  await focusRow('First')
  await userEvent.keyboard('p')
  await expect.element(row('First').getByRole('button', { name: 'Pause First' })).toBeVisible()
  await userEvent.keyboard('{Enter}')
  await panel('First').getByRole('button', { name: 'Pause Clean' }).click()
  await expect.element(panel('First').getByRole('button', { name: 'Play Clean' })).toHaveFocus()
  await userEvent.keyboard('2')
  await expect.element(panel('First').getByRole('button', { name: 'Pause Dirty' })).toBeVisible()
  await expect
    .element(panel('First').getByRole('slider', { name: 'Position in Dirty' }))
    .toHaveAttribute('aria-valuetext', expect.stringMatching(/^0:0\d of 0:40$/))
  await userEvent.keyboard('j')
  await expect.element(panel('Second')).toBeVisible()
  expect(usePreview.getState().isPlaying).toBe(true)
  await page.getByRole('link', { name: 'Dashboard' }).click()
  await expect.poll(() => usePreview.getState().isPlaying).toBe(false)
  pausePreview()
})

const EDITED = 'Edited'

const complete = (change: Partial<review.ReviewedUpload> = {}) =>
  first({ year: 2025, min_bpm: 124, max_bpm: 124, song_key: 'Am', genres: [7], ...change })

async function openForm(versions: uploadedSongs.Slot[] = []) {
  await openUploads([complete()])
  fakeApi.reply(review.getUpload, makeReviewed(complete(), { versions }))
  await focusRow('First')
  await userEvent.keyboard('e')
  const form = page.getByRole('form', { name: 'Edit First' })
  await expect.element(form.getByLabelText('Title')).toHaveFocus()
  return form
}

test('saves an edited song, and keeps the draft over a reload until then', async () => {
  const form = await openForm([makeSlot({ song_version_id: 70 })])
  await form.getByLabelText('Title').fill(EDITED)
  await reopenApp('/staff/uploads')
  await focusRow('First')
  await userEvent.keyboard('e')
  await expect.element(form.getByLabelText('Title')).toHaveValue(EDITED)
  fakeApi.reply(review.editUpload, makeReviewed(first({ title: EDITED })))
  await userEvent.keyboard('{Control>}{Enter}{/Control}')
  await expect.element(page.getByText('“Edited” saved')).toBeVisible()
  await expect.element(form).not.toBeInTheDocument()
  await expect.element(row('First')).toHaveFocus()
  expect(fakeApi.inputsOf(review.editUpload)).toMatchObject([
    { entity_id: 11, version: 3, songData: { title: EDITED }, versions: [{ song_version_id: 70, version_id: 5 }] },
  ])
  expect(sessionStorage.getItem('dubplate.draft.upload.11')).toBeNull()
})

test('shows the server’s errors at their fields, and the newer song below what was typed', async () => {
  const form = await openForm()
  await form.getByLabelText('Title').fill(EDITED)
  fakeApi.reply(review.editUpload, () => {
    throw errorReply({
      code: 'invalid_request',
      message: 'Enter a year.',
      fields: { 'songData.year': 'Enter a year.' },
    })
  })
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.element(form.getByRole('alert')).toHaveTextContent('Enter a year.')
  fakeApi.rejectWith(review.editUpload, { code: 'conflict', message: 'Someone else changed this song.' })
  fakeApi.reply(review.getUpload, makeReviewed(complete({ artist: 'Room 15', version: 4 })))
  await form.getByRole('button', { name: 'Save' }).click()
  await form.getByRole('button', { name: 'Reload' }).click()
  await expect.element(form.getByLabelText('Artist')).toHaveValue('Room 15')
  await expect.element(form.getByLabelText('Title')).toHaveValue(EDITED)
  await form.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => fakeApi.inputsOf(review.editUpload).at(-1)).toMatchObject({ version: 4 })
})

test('returns to the first page when the last song of the last page is decided', async () => {
  await openUploads([])
  fakeApi.reply(review.getUploads, ({ page }) => ({
    songs: Number(page) === 1 ? [first()] : [],
    pagination: { page: Number(page), perPageLimit: 24, totalCount: 24 },
  }))
  await reopenApp('/staff/uploads?page=2')
  await expect.poll(currentUrl).toBe('/staff/uploads')
  await expect.element(row('First')).toBeVisible()
})

test('scrolls to the open song', async () => {
  const songs = Array.from({ length: 40 }, (_, index) => makeUpload({ entity_id: 100 + index, title: `Song ${index}` }))
  await openUploads(songs, '/staff/uploads?open=138')
  await expect.element(row('Song 38')).toBeInViewport()
  await panel('Song 38').getByRole('button', { name: 'Next row' }).click()
  await expect.element(row('Song 39')).toBeInViewport()
})
