import { catalogue, corrections, review, staffSongs, uploadedSongs } from '@dubplate/contract'
import { makeTone } from './make-music.ts'
import { callApi, dialog, expect, getFirst, getToken, signInAs, test, uploadFile } from './support.ts'

const getStaffToken = () => getToken('staff@demo.test')

/** Uploads and publishes a song, and returns its id in the catalogue. */
async function publishSong(title: string, year: string): Promise<number> {
  const token = await getToken('label@demo.test')
  // A random pitch: no two files are the same recording.
  const { upload_id } = await uploadFile(
    token,
    `Story Artist - ${title} (Clean).wav`,
    makeTone(200 + Math.random() * 800),
  )
  const { genres } = await callApi(catalogue.getGenresWithCount, {})
  const { entity_id } = await callApi(
    uploadedSongs.createSong,
    {
      songData: {
        title,
        artist: 'Story Artist',
        year,
        song_key: 'Am',
        bpm: '124',
        genres: [getFirst(genres).genre_id],
      },
      versions: [{ song: upload_id, new_label: 'Clean' }],
    },
    token,
  )
  const staff = await getStaffToken()
  const { song } = await callApi(review.getUpload, { entity_id }, staff)
  await callApi(review.decideUploads, { songs: [{ entity_id, version: song.version }], decision: 'publish' }, staff)
  return (await callApi(review.getUpload, { entity_id }, staff)).song.listed_entity_id ?? 0
}

const getSong = async (entity_id: number) =>
  (await callApi(staffSongs.getSong, { entity_id }, await getStaffToken())).song

/** Unpublishes what a test has published: other tests expect the songs of the demo. */
async function unpublishSongs(ids: readonly number[]): Promise<void> {
  const songs = await Promise.all(ids.map(async (id) => ({ entity_id: id, revision: (await getSong(id)).revision })))
  await callApi(corrections.unpublishSongs, { songs, reason: 'End of the test.' }, await getStaffToken())
}

const makeWord = () => `Zq${Math.floor(Math.random() * 1e7)}`

test('edits songs by keyboard, alone and together, and undoes that after a reload', async ({ page }) => {
  test.slow()
  const word = makeWord()
  const [one, two] = [await publishSong(`${word} One`, '2020'), await publishSong(`${word} Two`, '2024')]
  const cell = (n: number, column: string) =>
    page.getByRole('row', { name: word }).nth(n).locator(`td[data-column="${column}"]`)
  const openTable = async () => {
    await page.goto(`/staff/songs?find=${word}&sort=added`)
    await cell(0, 'artist').click()
  }
  await signInAs(page, 'staff@demo.test')
  await openTable()
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('F2')
  await page.keyboard.press('End')
  await page.keyboard.type(' Edited')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('status').filter({ hasText: `Title of “${word} One Edited” saved` })).toBeVisible()
  await cell(0, 'bpm').click()
  await page.keyboard.type('98-126')
  await page.keyboard.press('Enter')
  await expect.poll(async () => (await getSong(one)).max_bpm).toBe(126)
  expect((await getSong(one)).origins).toMatchObject({ title: 'staff', bpm: 'staff' })
  expect(
    (await callApi(catalogue.searchSongs, { searchTerm: `${word} edited`, song_section_id: 2 })).songs[0]?.entity_id,
  ).toBe(one)

  await openTable()
  await page.keyboard.press('Control+z')
  await expect(cell(0, 'bpm')).toHaveText('124')
  await page.keyboard.press('Control+z')
  await expect(cell(0, 'title')).toHaveText(`${word} One`)
  await page.keyboard.press('Control+Shift+z')
  await expect(cell(0, 'title')).toHaveText(`${word} One Edited`)

  await page.keyboard.press('Control+a')
  await page.getByRole('button', { name: 'Edit…' }).click()
  const edit = dialog(page, 'Edit 2 songs')
  await edit.getByRole('textbox', { name: 'Year for all selected songs' }).fill('2024')
  await expect(edit.getByRole('status')).toHaveText('1 song will be updated. 1 song already up to date.')
  await edit.getByRole('button', { name: 'Update 1 song' }).click()
  await expect(edit).toBeHidden()
  expect((await getSong(one)).year).toBe(2024)
  await page.getByRole('alert').getByRole('button', { name: 'Undo' }).click()
  await expect.poll(async () => (await getSong(one)).year).toBe(2020)
  await unpublishSongs([one, two])
})

test('unpublishes a song with a reason, and undoes that', async ({ page }) => {
  test.slow()
  const word = makeWord()
  const id = await publishSong(word, '2020')
  const countMatches = async () =>
    (await callApi(catalogue.searchSongs, { searchTerm: word, song_section_id: 2 })).exact_count
  await signInAs(page, 'staff@demo.test')
  await page.goto(`/staff/songs/${id}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Unpublish…' }).click()
  const confirmation = dialog(page, `Unpublish “${word}”?`)
  await confirmation.getByLabel('Reason').fill('A bootleg.')
  await confirmation.getByRole('button', { name: 'Unpublish', exact: true }).click()
  await expect(page.getByText(/^Unpublished$/).first()).toBeVisible()
  expect(await countMatches()).toBe(0)
  await page.getByRole('region', { name: 'History' }).getByRole('button', { name: 'Undo' }).first().click()
  await expect(page.getByText('1 song reverted')).toBeVisible()
  expect(await countMatches()).toBe(1)
  await unpublishSongs([id])
})
