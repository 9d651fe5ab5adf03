import { mkdir, stat, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { downloads, library } from '@dubplate/contract'
import { XMLParser } from 'fast-xml-parser'
import { CARDS, createSubscriber, openSignedIn } from './members.ts'
import { readZip, saveDownload, type ZipEntry } from './saved-files.ts'
import { callApi, dialog, expect, getDemoSongs, test } from './support.ts'

const kitDialog = 'Download for DJ software'

/** Writes the files of a kit to a music folder, as a program that unpacks zips does. */
async function unpack(entries: ZipEntry[], folder: string) {
  for (const { name, bytes } of entries) {
    const file = path.join(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    await writeFile(file, bytes)
  }
}

const parser = new XMLParser({ ignoreAttributes: false, attributeNamePrefix: '', isArray: (name) => name === 'TRACK' })

test('downloads the crate for rekordbox: every file of the library file is where it says', async ({ page }, info) => {
  // The demo renders its music on first request.
  test.slow()
  const { token } = await createSubscriber('Kit DJ', CARDS.pays)
  const songs = await getDemoSongs(3)
  await callApi(library.crateChange, { song_ids: songs.map(({ entity_id }) => entity_id) }, token)
  await openSignedIn(page, token, '/crate')
  await page.getByRole('button', { name: kitDialog }).click()

  // The first kit asks for what has no useful default.
  const kit = dialog(page, kitDialog)
  const folder = info.outputPath('Music & more')
  await kit.getByLabel('System').selectOption('Linux')
  await kit.getByLabel('Music folder').fill(folder)
  await kit.getByRole('button', { name: 'Continue' }).click()
  await expect(kit.getByText(/^3 files, /)).toBeVisible()
  const { file } = await saveDownload(page, info, () =>
    kit.getByRole('button', { name: 'Download for rekordbox' }).click(),
  )
  const entries = await readZip(file)
  await unpack(entries, folder)

  const { DJ_PLAYLISTS } = parser.parse(String(entries.find(({ name }) => name === 'dubplate.xml')?.bytes))
  const tracks: { Name: string; Location: string; Size: string }[] = DJ_PLAYLISTS.COLLECTION.TRACK
  expect(tracks).toHaveLength(3)
  for (const { Location, Size } of tracks) {
    const located = decodeURIComponent(Location.replace('file://localhost', ''))
    expect((await stat(located)).size).toBe(Number(Size))
  }
  const { downloads: used } = await callApi(downloads.customerDownloads, {}, token)
  expect(Object.values(used)).toEqual([1, 1, 1])

  // The library file alone, for the files that the member now has.
  await page.goto('/download-rescue')
  await page.getByRole('button', { name: 'Library file for DJ software' }).click()
  await expect(kit.getByRole('radio', { name: 'Library file only' })).toBeChecked()
  const alone = await saveDownload(page, info, () =>
    kit.getByRole('button', { name: 'Download for rekordbox' }).click(),
  )
  const names = (await readZip(alone.file)).map(({ name }) => name)
  expect(names).toEqual(['dubplate.xml', 'Downloads.m3u8', 'Downloads (whole paths).m3u8'])
  expect((await callApi(downloads.customerDownloads, {}, token)).downloads).toEqual(used)
})
