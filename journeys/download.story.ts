import { stat } from 'node:fs/promises'
import path from 'node:path'
import { crc32 } from 'node:zlib'
import { account, type catalogue, choosePreferredVersions, library } from '@dubplate/contract'
import { parseFile } from 'music-metadata'
import { readZip, saveDownload, type ZipEntry } from './saved-files.ts'
import {
  callApi,
  countWaveformColours,
  crateLink,
  expect,
  expectPlaying,
  getFirst,
  getToken,
  getUndownloadedSongs,
  measureLoudness,
  signInAs,
  signInThroughDialog,
  songPage,
  songRow,
  test,
} from './support.ts'

/** Checks that a zip is complete and that its playlist names every file, and returns the audio files. */
async function readBundle(file: string, versions: number): Promise<ZipEntry[]> {
  const zipEntries = await readZip(file)
  const [music, playlists] = [
    zipEntries.filter(({ name }) => name.endsWith('.mp3')),
    zipEntries.filter(({ name }) => name.endsWith('.m3u8')),
  ]
  expect(music).toHaveLength(versions)
  expect(playlists).toHaveLength(1)
  expect(zipEntries.map(({ bytes }) => crc32(bytes))).toEqual(zipEntries.map(({ crc }) => crc))
  const lines = getFirst(playlists).bytes.toString('utf8').split('\n')
  expect(lines[0]).toBe('#EXTM3U')
  expect(lines.filter((line) => line && !line.startsWith('#'))).toEqual(music.map(({ name }) => name))
  return music
}

test('signs in, plays a song of a genre, and downloads it', { tag: '@smoke' }, async ({ page }, info) => {
  test.slow()
  const token = await getToken('dj@demo.test')
  const song = getFirst(await getUndownloadedSongs(token, 'download'))
  const version = song.version[0]!
  const genre = getFirst(song.genres)
  const name = `${version.version_label}, ${song.title}`

  await page.goto('/')
  await signInThroughDialog(page, 'dj@demo.test')
  await expect(page.getByRole('button', { name: 'DJ Marlow, account menu' })).toBeVisible()
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Genres' }).click()
  await page
    .getByRole('main')
    .getByRole('link', { name: new RegExp(`^${genre.name}\\b`) })
    .first()
    .click()
  await expect(page.getByRole('heading', { level: 1, name: genre.name })).toBeVisible()

  const row = songRow(page, song)
  await row.getByRole('button', { name: `Preview ${name}` }).click()
  await expectPlaying(page)
  expect(await measureLoudness(page)).toBeGreaterThan(0.01)
  // The waveform is there once the demo has rendered the whole song.
  await expect.poll(() => countWaveformColours(page), { timeout: 120_000 }).toBeGreaterThan(3)

  const replying = page.waitForResponse(/\/api\/download\/song-version\.json/)
  const { file, download } = await saveDownload(page, info, () =>
    row.getByRole('button', { name: `Download ${name}`, exact: true }).click(),
  )
  const { data: reply } = await (await replying).json()
  expect(path.basename(file)).toBe(`${song.artist} - ${song.title} (${version.version_label}).mp3`)
  const { size } = await stat(file)
  expect(size).toBe(reply.bytes)
  // A link works only on the network of its first request.
  expect((await fetch(download.url(), { method: 'HEAD' })).headers.get('content-length')).toBe(String(size))
  await checkTags(file, song, version)

  const used = row.getByRole('button', { name: `Download ${name}, 1 of 2 used`, exact: true })
  await expect(used).toBeVisible()
  await page.reload()
  await expect(used).toBeVisible()
})

/** Reads the tags with a third-party library. */
async function checkTags(file: string, song: catalogue.Song, version: catalogue.Version): Promise<void> {
  const { common, format, native } = await parseFile(file, { duration: true })
  const frames = Object.fromEntries(
    Object.values(native)
      .flat()
      .map(({ id, value }) => [id, value]),
  )
  // No file calls this version “Original”, so its tags do not either.
  const isNamed = version.version_label !== 'Original'
  expect(common.title).toBe(isNamed ? `${song.title} (${version.version_label})` : song.title)
  expect(common.artist).toBe(song.artist)
  expect(frames.TBPM).toBe(String(song.min_bpm))
  expect(frames.TKEY).toBe(song.song_key)
  expect(format.codec).toBe('MPEG 1 Layer 3')
  expect(Math.abs((format.duration ?? 0) - version.duration_seconds)).toBeLessThan(0.5)
  const picture = getFirst(common.picture ?? [])
  expect(picture.format).toBe('image/jpeg')
  expect([...picture.data.slice(0, 2)]).toEqual([0xff, 0xd8])
}

test('downloads all versions of a song as one zip, and counts each', async ({ page }, info) => {
  const token = await signInAs(page, 'dj@demo.test')
  const song = getFirst(await getUndownloadedSongs(token, 'download'))
  await page.goto(`/song/${song.entity_id}`)
  const row = songPage(page)
  await row.getByRole('button', { name: `More options for ${song.title}` }).click()
  const { file } = await saveDownload(page, info, () =>
    page.getByRole('menuitem', { name: 'Download all versions' }).click(),
  )
  expect(path.basename(file)).toBe(`${song.artist} - ${song.title}.zip`)
  const music = await readBundle(file, song.version.length)
  expect(music.map(({ name }) => name)).toEqual(
    song.version.map(({ version_label }) => `${song.artist} - ${song.title} (${version_label}).mp3`),
  )
  await row.getByRole('button', { name: `More options for ${song.title}` }).click()
  await page.getByRole('menuitem', { name: `${song.version.length} versions` }).click()
  const versions = page.getByRole('dialog', { name: `Versions of ${song.title}` })
  await expect(versions.getByRole('button', { name: /, 1 of 2 used$/ })).toHaveCount(song.version.length)
})

test('fills the crate with preferred versions, adds another one, and downloads them as one zip', async ({
  page,
}, info) => {
  // The demo renders its music on first request: here four versions.
  test.slow()
  const token = await signInAs(page, 'dj@demo.test')
  await callApi(library.clearCrates, {}, token)
  const undownloadedSongs = await getUndownloadedSongs(token, 'download')
  const songs = undownloadedSongs.filter(({ version }) => version.length > 1).slice(0, 3)
  await page.goto('/account/display')
  const saveAfter = async (change: () => Promise<unknown>) => {
    const saved = page.waitForResponse(/save-preferred-versions/)
    await change()
    await saved
  }
  for (const name of ['Acapella', 'Intro Clean'])
    await saveAfter(() => page.getByRole('combobox', { name: 'Add a version…' }).selectOption(name))
  await saveAfter(() => page.getByRole('button', { name: 'Move Intro Clean up' }).click())

  const crate = crateLink(page)
  for (const [n, song] of songs.entries()) {
    await page.goto(`/song/${song.entity_id}`)
    const main = page.getByRole('main')
    const added = page.waitForResponse(/crate\/add-remove/)
    await main.getByRole('button', { name: `Add ${song.title} to crate`, exact: true }).click()
    await added
    await expect(main.getByRole('button', { name: `Remove ${song.title} from crate`, exact: true })).toBeVisible()
    await expect(crate).toHaveAccessibleName(n === 0 ? 'Crate 1 song' : `Crate ${n + 1} songs`)
  }

  await crate.click()
  await expect(page.getByTestId('song-row')).toHaveCount(3)
  const preference = { versions: ['intro_clean', 'acapella'], add_all: false, by_genre: [] }
  for (const song of songs) {
    const [version] = choosePreferredVersions(song, preference)
    const row = page.getByTestId('song-row').filter({ has: page.getByRole('link', { name: song.title, exact: true }) })
    await expect(row.getByRole('button', { pressed: true })).toHaveText([version!.version_label])
  }
  const footer = page.getByRole('region', { name: 'Download', exact: true })
  await expect(footer.getByText('3 songs · 3 files')).toBeVisible()
  await page.getByTestId('song-row').first().getByRole('group').getByRole('button', { pressed: false }).first().click()
  await expect(footer.getByText('3 songs · 4 files')).toBeVisible()
  await expect(footer.getByText(/^Uses 4 downloads\. You have \d+ of 300 left this month\.$/)).toBeVisible()

  const { file } = await saveDownload(page, info, () =>
    footer.getByRole('button', { name: 'Download 4 files' }).click(),
  )
  const music = await readBundle(file, 4)
  expect(new Set(music.map(({ name }) => name)).size).toBe(4)
  await callApi(account.savePreferredVersions, { ...preference, versions: [] }, token)
})
