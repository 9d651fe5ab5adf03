import { catalogue, corrections, review, songsDesk, uploadedSongs, uploads } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { ask, dialog, enterAs, expect, firstOf, test, tokenOf } from './support.ts'

/** Six seconds of a tone as a WAV that no other file is: 22.05 kHz, 16 bit, mono. */
function aTone(): Buffer {
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

const desk = () => tokenOf('staff@demo.test')

/** A song of the story's own in the pool, uploaded and published; answers its number there. */
async function aSong(title: string, year: string): Promise<number> {
  const token = await tokenOf('label@demo.test')
  const form = new FormData()
  form.append('UploadForm[mp3Files]', new Blob([new Uint8Array(aTone())]), `Desk Test - ${title} (Clean).wav`)
  const sent = await fetch(`${process.env.POOL_URL}/api/${uploads.uploadSongs.path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}` },
    body: form,
  })
  expect(sent.ok).toBe(true)
  const container = async () => (await ask(uploads.getContainer, {}, token)).files
  const own = async () => (await container()).find(({ file }) => file.includes(title))
  await expect.poll(async () => (await own())?.analysis.state, { timeout: 60_000 }).toBe('done')
  const { genres } = await ask(catalogue.getGenresWithCount, {})
  const { entity_id } = await ask(
    uploadedSongs.createSong,
    {
      songData: { title, artist: 'Desk Test', year, song_key: 'Am', bpm: '124', genres: [firstOf(genres).genre_id] },
      versions: [{ song: (await own())?.upload_id ?? 0, new_label: 'Clean' }],
    },
    token,
  )
  const staff = await desk()
  const { song } = await ask(review.getUpload, { entity_id }, staff)
  await ask(review.decideUploads, { songs: [{ entity_id, version: song.version }], decision: 'publish' }, staff)
  return (await ask(review.getUpload, { entity_id }, staff)).song.listed_entity_id ?? 0
}

const read = async (entity_id: number) => (await ask(songsDesk.getSong, { entity_id }, await desk())).song

/** What the story made leaves the pool, so that others find it as it was. */
async function takeOut(ids: readonly number[]): Promise<void> {
  const songs = await Promise.all(ids.map(async (id) => ({ entity_id: id, revision: (await read(id)).revision })))
  await ask(corrections.withdrawSongs, { songs, reason: 'The story is over.' }, await desk())
}

const cell = (page: Page, id: number, column: string) =>
  page.locator(`tr[data-song="${id}"] td[data-column="${column}"]`)
const aWord = () => `Zq${Math.floor(Math.random() * 1e7)}`

test('a song is corrected by keyboard, what is refused stays as it was typed, and Ctrl+Z outlives the page', async ({
  page,
}) => {
  test.slow()
  const word = aWord()
  const id = await aSong(word, '2020')
  await enterAs(page, 'staff@demo.test')
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
  await expect(cell(page, id, 'bpm').getByRole('alert')).toHaveText('Enter a BPM from 20 to 400, or a range such as 98-124.')
  await expect(cell(page, id, 'bpm')).toContainText('12')
  await page.keyboard.press('Enter')
  await expect(page.getByRole('textbox', { name: /^BPM for/ })).toHaveValue('12')
  await page.keyboard.type('98-126')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await read(id)).max_bpm).toBe(126)
  expect((await read(id)).origins).toMatchObject({ title: 'staff', bpm: 'staff' })
  expect(
    (await ask(catalogue.searchSongs, { searchTerm: `${word} mended`, song_section_id: 2 })).songs[0]?.entity_id,
  ).toBe(id)

  await page.reload()
  await cell(page, id, 'bpm').focus()
  await page.keyboard.press('Control+z')
  await expect(cell(page, id, 'bpm')).toHaveText('124')
  await page.keyboard.press('Control+z')
  await expect(cell(page, id, 'title')).toHaveText(word)
  await page.keyboard.press('Control+Shift+z')
  await expect(cell(page, id, 'title')).toHaveText(`${word} Mended`)
  await takeOut([id])
})

test('several songs are set at once, with a preview, and taken back from the toast', async ({ page }) => {
  test.slow()
  const word = aWord()
  const ids = [
    await aSong(`${word} One`, '2020'),
    await aSong(`${word} Two`, '2021'),
    await aSong(`${word} Three`, '2024'),
  ]
  const years = async () => Promise.all(ids.map(async (id) => (await read(id)).year))
  await enterAs(page, 'staff@demo.test')
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
  await expect(edit.getByRole('status')).toHaveText('2 songs will be updated. 1 song already up to date.')
  await edit.getByRole('button', { name: 'Update 2 songs' }).click()
  await expect(edit).toBeHidden()
  expect(await years()).toEqual([2024, 2024, 2024])
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect(cell(page, ids[0] ?? 0, 'year')).toHaveText('2020')
  expect(await years()).toEqual([2020, 2021, 2024])
  await takeOut(ids)
})

test('a song leaves search with a reason and comes back; of two of staff the second is told, and keeps what was typed', {
  tag: '@smoke',
}, async ({ page }) => {
  test.slow()
  const word = aWord()
  const id = await aSong(word, '2020')
  const found = async () => (await ask(catalogue.searchSongs, { searchTerm: word, song_section_id: 2 })).exact_count
  await enterAs(page, 'staff@demo.test')
  await page.goto(`/staff/songs/${id}`)
  await page.getByRole('button', { name: 'Unpublish…' }).first().click()
  const why = dialog(page, `Unpublish “${word}”?`)
  await why.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await expect(why.getByText('Enter a reason. Your colleagues will see it.')).toBeVisible()
  await why.getByLabel('Reason').fill('A bootleg.')
  await why.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await expect(page.getByText(/^Unpublished$/).first()).toBeVisible()
  expect(await found()).toBe(0)
  await page.getByRole('list', { name: 'Change history' }).getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByText('1 song reverted')).toBeVisible()
  expect(await found()).toBe(1)

  const { revision } = await read(id)
  await ask(corrections.editSong, { entity_id: id, revision, change: { album: 'Theirs' } }, await desk())
  const album = page.getByRole('textbox', { name: 'Album' })
  await album.fill('Mine')
  await album.press('Enter')
  await expect(page.getByRole('alert').filter({ hasText: 'Someone else changed this song while you were editing.' })).toBeVisible()
  await expect(album).toHaveValue('Mine')
  expect((await read(id)).album).toBe('Theirs')
  await album.press('Enter')
  await expect.poll(async () => (await read(id)).album).toBe('Mine')
  await takeOut([id])
})
