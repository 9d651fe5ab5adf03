import { catalogue, corrections, review, songsDesk, uploadedSongs, uploads } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { callApi, dialog, expect, firstItem, openAs, test, tokenOf } from './support.ts'

/** Six seconds of a tone as a WAV that no other file is: 22.05 kHz, 16 bit, mono. */
function makeToneWav(): Buffer {
  const rate = 22_050
  const tone = 200 + Math.random() * 800
  const head = Buffer.alloc(44)
  const data = Buffer.alloc(rate * 6 * 2)
  for (let n = 0; n < rate * 6; n++)
    data.writeInt16LE(Math.round(16_000 * Math.sin((2 * Math.PI * tone * n) / rate)), n * 2)
  head.write('RIFF', 0, 'latin1')
  head.writeUInt32LE(36 + data.length, 4)
  head.write('WAVEfmt ', 8, 'latin1')
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(rate, 24)
  head.writeUInt32LE(rate * 2, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36, 'latin1')
  head.writeUInt32LE(data.length, 40)
  return Buffer.concat([head, data])
}

const staffToken = () => tokenOf('staff@demo.test')

/** A song of the story's own in the pool, uploaded and published; answers its number there. */
async function createSong(title: string, year: string): Promise<number> {
  const token = await tokenOf('label@demo.test')
  const form = new FormData()
  form.append('UploadForm[mp3Files]', new Blob([new Uint8Array(makeToneWav())]), `Desk Test - ${title} (Clean).wav`)
  const sent = await fetch(`${process.env.POOL_URL}/api/${uploads.uploadSongs.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(sent.ok).toBe(true)
  const container = async () => (await callApi(uploads.getContainer, {}, token)).files
  const own = async () => (await container()).find(({ file }) => file.includes(title))
  await expect.poll(async () => (await own())?.analysis.state, { timeout: 60_000 }).toBe('done')
  const { genres } = await callApi(catalogue.getGenresWithCount, {})
  const { entity_id } = await callApi(
    uploadedSongs.createSong,
    {
      songData: { title, artist: 'Desk Test', year, song_key: 'Am', bpm: '124', genres: [firstItem(genres).genre_id] },
      versions: [{ song: (await own())?.upload_id ?? 0, new_label: 'Clean' }],
    },
    token,
  )
  const staff = await staffToken()
  const { song } = await callApi(review.getUpload, { entity_id }, staff)
  await callApi(review.decideUploads, { songs: [{ entity_id, version: song.version }], decision: 'publish' }, staff)
  return (await callApi(review.getUpload, { entity_id }, staff)).song.listed_entity_id ?? 0
}

const read = async (entity_id: number) => (await callApi(songsDesk.getSong, { entity_id }, await staffToken())).song

/** What the story made leaves the pool, so that others find it as it was. */
async function unpublishSongs(ids: readonly number[]): Promise<void> {
  const songs = await Promise.all(ids.map(async (id) => ({ entity_id: id, revision: (await read(id)).revision })))
  await callApi(corrections.withdrawSongs, { songs, reason: 'The story is over.' }, await staffToken())
}

const cell = (page: Page, id: number, column: string) =>
  page.locator(`tr[data-song="${id}"] td[data-column="${column}"]`)
const uniqueWord = () => `Zq${Math.floor(Math.random() * 1e7)}`

test('a song is corrected by keyboard, what is refused stays as it was typed, and Ctrl+Z outlives the page', async ({
  page,
}) => {
  test.slow()
  const word = uniqueWord()
  const id = await createSong(word, '2020')
  await openAs(page, 'staff@demo.test')
  await page.goto(`/staff/songs?find=${word}`)
  await cell(page, id, 'title').click()
  await page.keyboard.press('F2')
  await page.keyboard.press('End')
  await page.keyboard.type(' Mended')
  await page.keyboard.press('Tab')
  await expect(cell(page, id, 'artist')).toBeFocused()
  await expect(page.getByRole('status').filter({ hasText: `Title of “${word} Mended” saved` })).toBeVisible()
  await page.keyboard.press('ArrowRight')
  await expect(cell(page, id, 'bpm')).toBeFocused()
  await page.keyboard.type('12')
  await page.keyboard.press('Enter')
  await expect(cell(page, id, 'bpm').getByRole('alert')).toHaveText(/a number from 20 to 400/)
  await expect(cell(page, id, 'bpm')).toContainText('12')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /^BPM of/ })).toHaveValue('12')
  await page.keyboard.type('98-126')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(id)).max_bpm).toBe(126)
  expect((await read(id)).origins).toMatchObject({ title: 'staff', bpm: 'staff' })
  expect(
    (await callApi(catalogue.searchSongs, { searchTerm: `${word} mended`, song_section_id: 2 })).songs[0]?.entity_id,
  ).toBe(id)

  await page.reload()
  await cell(page, id, 'bpm').focus()
  await page.keyboard.press('Control+z')
  await expect(cell(page, id, 'bpm')).toHaveText('124')
  await page.keyboard.press('Control+z')
  await expect(cell(page, id, 'title')).toHaveText(word)
  await page.keyboard.press('Control+Shift+z')
  await expect(cell(page, id, 'title')).toHaveText(`${word} Mended`)
  await unpublishSongs([id])
})

test('several songs are set at once, with a preview, and taken back from the toast', async ({ page }) => {
  test.slow()
  const word = uniqueWord()
  const ids = [
    await createSong(`${word} One`, '2020'),
    await createSong(`${word} Two`, '2021'),
    await createSong(`${word} Three`, '2024'),
  ]
  const years = async () => Promise.all(ids.map(async (id) => (await read(id)).year))
  await openAs(page, 'staff@demo.test')
  await page.goto(`/staff/songs?find=${word}&sort=oldest`)
  await cell(page, ids[0] ?? 0, 'artist').click()
  await page.keyboard.press('Space')
  await page.keyboard.press('Shift+ArrowDown')
  await page.keyboard.press('Shift+ArrowDown')
  const bar = page.getByRole('region', { name: 'Selected songs' })
  await expect(bar).toContainText('3 songs selected')
  await bar.getByRole('button', { name: 'Edit…' }).click()
  const edit = dialog(page, 'Edit 3 songs')
  await edit.getByRole('textbox', { name: 'Year for all selected songs' }).fill('2024')
  await expect(edit.getByRole('status')).toHaveText('Changes already up to date.')
  await edit.getByRole('button', { name: 'Change 2 songs' }).click()
  await expect(edit).toBeHidden()
  expect(await years()).toEqual([2024, 2024, 2024])
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect(cell(page, ids[0] ?? 0, 'year')).toHaveText('2020')
  expect(await years()).toEqual([2020, 2021, 2024])
  await unpublishSongs(ids)
})

test('a song leaves search with a reason and comes back; of two of staff the second is told, and keeps what was typed', {
  tag: '@smoke',
}, async ({ page }) => {
  test.slow()
  const word = uniqueWord()
  const id = await createSong(word, '2020')
  const findMatch = async () =>
    (await callApi(catalogue.searchSongs, { searchTerm: word, song_section_id: 2 })).exact_count
  await openAs(page, 'staff@demo.test')
  await page.goto(`/staff/songs/${id}`)
  await page.getByRole('button', { name: 'Unpublish…' }).first().click()
  const confirmDialog = dialog(page, `Unpublish “${word}”?`)
  await confirmDialog.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await expect(confirmDialog.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
  await confirmDialog.getByLabel('Reason').fill('A bootleg.')
  await confirmDialog.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await expect(page.getByText(/^Unpublished$/).first()).toBeVisible()
  expect(await findMatch()).toBe(0)
  await page.getByRole('list', { name: 'Change history' }).getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByText('1 song put back.')).toBeVisible()
  expect(await findMatch()).toBe(1)

  const { revision } = await read(id)
  await callApi(corrections.editSong, { entity_id: id, revision, change: { album: 'Theirs' } }, await staffToken())
  const album = page.getByRole('textbox', { name: 'Album' })
  await album.fill('Assigned to me')
  await album.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Somebody changed this song meanwhile' })).toBeVisible()
  await expect(album).toHaveValue('Assigned to me')
  expect((await read(id)).album).toBe('Theirs')
  await album.press('Enter')
  await expect.poll(async () => (await read(id)).album).toBe('Assigned to me')
  await unpublishSongs([id])
})
