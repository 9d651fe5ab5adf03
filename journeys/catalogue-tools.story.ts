import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { staffSongs, uploads } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import { makeTone } from './make-music.ts'
import {
  callApi,
  dialog,
  expect,
  getFirst,
  getToken,
  LOW_PRIORITY,
  mockPickers,
  removeFilePickers,
  signInAs,
  storeFiles,
  test,
} from './support.ts'

function writeMusic(folder: string, tones: Record<string, number>): string {
  for (const [name, tone] of Object.entries(tones)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, makeTone(tone))
  }
  return folder
}

const writeServerMusic = (name: string, tones: Record<string, number>) =>
  writeMusic(path.join(process.env.MUSIC_FOLDER ?? '', name), tones)

/** Scans a folder of the server and imports it. */
async function importFolder(page: Page, folder: string): Promise<void> {
  await page.goto('/staff/import')
  await page.getByRole('region', { name: 'From a server folder' }).getByRole('textbox', { name: 'Folder' }).fill(folder)
  await page.getByRole('button', { name: 'Scan folder' }).click()
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click()
  await expect(page.getByText('Imported', { exact: true })).toBeVisible(LOW_PRIORITY)
}

const findSongId = async (title: string): Promise<number> => {
  const { songs } = await callApi(staffSongs.getSongs, { find: title }, await getToken('staff@demo.test'))
  return getFirst(songs.filter((song) => song.title === title)).entity_id
}

test('scans and imports a folder of the computer, and recognises its files the second time', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await removeFilePickers(page)
  const crate = writeMusic(path.join(mkdtempSync(path.join(tmpdir(), 'crate-')), 'Crate'), {
    'Kwame - Harbour Lights (Clean).wav': 311,
    'sub/Kwame - Harbour Lights (Dirty).wav': 322,
  })
  writeFileSync(path.join(crate, 'cover.txt'), 'not audio')
  writeFileSync(path.join(crate, 'Folder.PNG'), await page.screenshot())
  writeFileSync(path.join(crate, 'sub', 'cover.jpg'), 'not a picture')
  const send = async () => {
    await page.goto('/staff/import')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose folder' }).click()
    await (await chooser).setFiles(crate)
    await expect(page.getByText('2 covers, 1 other file skipped')).toBeVisible()
    await page.getByRole('button', { name: 'Upload and scan' }).click()
  }
  await send()
  await expect(page.getByText('2 versions to import (1 new song)')).toBeVisible(LOW_PRIORITY)
  const notUploaded = page.getByRole('list', { name: 'Not uploaded' })
  await expect(notUploaded.getByRole('listitem')).toHaveText(/^sub\/cover\.jpg: This picture can’t be read\./)
  // The scan is kept and can be imported after a reload.
  await page.reload()
  await page.getByRole('button', { name: 'Import 2 files' }).click()
  await expect(page.getByText('2 versions imported (1 new song)')).toBeVisible(LOW_PRIORITY)
  const files = page.getByRole('region', { name: 'Files', exact: true })
  await files.getByRole('link', { name: 'Kwame – Harbour Lights (Clean), new song' }).click()
  await expect(page.getByRole('heading', { name: 'Harbour Lights', level: 1 })).toBeVisible()
  const { song } = await callApi(
    staffSongs.getSong,
    { entity_id: await findSongId('Harbour Lights') },
    await getToken('staff@demo.test'),
  )
  // The cover is the uploaded picture, not a generated one.
  expect(song.image).toMatch(/^\/images\/[0-9a-f]{64}\//)
  await expect(page.locator(`img[src*="${song.image.split('/')[2]}"]`).first()).toBeVisible()

  await send()
  await expect(page.getByText('Nothing to import, 2 files to skip')).toBeVisible(LOW_PRIORITY)
  await expect(files.getByText(/^Already in the catalogue: /)).toHaveCount(2)
})

test('resumes a folder upload after a reload where the browser kept access to the folder', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  const music = `**${uploads.RESUMABLE_PATH}*`
  await page.route(music, (route) => route.abort())
  await page.goto('/staff/import')
  await storeFiles(page, {
    'Crate/Kwame - Groyne (Clean).wav': makeTone(344),
    'Crate/front.png': await page.screenshot(),
  })
  await mockPickers(page, { folder: 'Crate' })
  await page.reload()
  await page.getByRole('button', { name: 'Choose folder' }).press('Enter')
  await page.getByRole('button', { name: 'Upload and scan' }).click()
  await expect(page.getByText('1 cover uploaded')).toBeVisible()
  page.on('dialog', (question) => void question.accept())
  await page.reload({ waitUntil: 'commit' })
  await page.unroute(music)
  await expect(page.getByText('1 version to import (1 new song)')).toBeVisible(LOW_PRIORITY)
})

test('merges two songs, redirects the old address, and undoes the merge', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  const folder = writeServerMusic('twins', {
    'Ana - Paper Moons (Clean).wav': 401,
    'Ana - Papermoons (Clean).wav': 412,
    'Ana - Papermoons (Dirty).wav': 423,
  })
  await importFolder(page, folder)
  const [kept, merged] = [await findSongId('Paper Moons'), await findSongId('Papermoons')]

  await page.goto('/staff/songs?find=Ana')
  for (const title of ['Paper Moons', 'Papermoons'])
    await page.getByRole('row').filter({ hasText: title }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Merge…' }).click()
  const mergeDialog = dialog(page, 'Merge 2 songs')
  await mergeDialog.getByRole('radio', { name: /^Paper Moons/ }).click()
  await mergeDialog.getByRole('textbox', { name: 'Name for the second Clean' }).fill('Clean, other master')
  await mergeDialog.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('Merged into Ana – Paper Moons')).toBeVisible()

  await page.goto(`/song/${merged}`)
  await expect(page).toHaveURL(`/song/${kept}`)
  await expect(page.getByRole('heading', { name: 'Paper Moons', level: 1 })).toBeVisible()
  await expect(page.getByText('Clean, other master').first()).toBeVisible()

  await page.goto(`/staff/songs/${kept}`)
  await page.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Split…' }).click()
  await dialog(page, 'Split song').getByRole('button', { name: 'Undo merge of Papermoons' }).click()
  await expect(page).toHaveURL(`/staff/songs/${merged}`)
  await page.goto(`/song/${merged}`)
  await expect(page.getByRole('heading', { name: 'Papermoons', level: 1 })).toBeVisible()
})

/** Holds the calls of an endpoint back until `answer` lets the next one through. */
async function delayReplies(page: Page, path: string) {
  const delayedReplies: (() => Promise<void>)[] = []
  await page.route(`**/api/${path}*`, (route) => void delayedReplies.push(() => route.continue()))
  const waitForCall = () => expect.poll(() => delayedReplies.length, `calls of ${path}`).toBeGreaterThan(0)
  const answer = async () => {
    await waitForCall()
    await delayedReplies.shift()!()
  }
  return { waitForCall, answer }
}

test('moves, nests and merges genres by keyboard, and redirects the old address', async ({ page }) => {
  await signInAs(page, 'staff@demo.test')
  await page.goto('/staff/genres')
  const tree = page.getByRole('list', { name: 'Genres', exact: true })
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'New genre' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Name').press('Enter')
    await expect(page.getByLabel('Name')).toBeHidden()
    await expect(tree.getByText(name, { exact: true })).toBeVisible()
  }
  await add('Story Broken Beat')
  await add('Story Bruk')
  const handle = page.getByRole('button', { name: 'Move Story Bruk', exact: true })
  await handle.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByText('Story Bruk: 1 of 1 in Story Broken Beat')).toBeAttached()
  const bruk = tree.getByRole('listitem').filter({ has: handle })
  await expect(bruk).toHaveAttribute('data-nested', 'true')
  await expect(handle).toBeFocused()
  const slow = await delayReplies(page, 'staff/move-genre.json')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(page.getByText(/^Story Bruk: \d+ of \d+ main genres$/)).toBeAttached()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(tree.getByRole('listitem').nth(-2)).toContainText('Story Bruk')
  await slow.answer()
  await slow.waitForCall()
  // The reply to the first move does not contain the second one.
  await expect(tree.getByRole('listitem').nth(-2)).toContainText('Story Bruk')
  await slow.answer()
  await expect(handle).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Move Story Broken Beat', exact: true })).toBeFocused()

  const choose = async (genre: string, action: string) => {
    await tree.getByRole('button', { name: `Actions for ${genre}`, exact: true }).click()
    await page.getByRole('menuitem', { name: action }).click()
  }
  await choose('Story Bruk', 'Show page')
  await expect(page.getByRole('heading', { name: 'Story Bruk', level: 1 })).toBeVisible()
  const address = page.url()
  await page.goBack()
  await choose('Story Bruk', 'Merge…')
  const mergeDialog = dialog(page, 'Merge “Story Bruk”')
  await mergeDialog.getByLabel('Merge into').selectOption({ label: 'Story Broken Beat' })
  await mergeDialog.getByRole('button', { name: 'Merge' }).click()
  await expect(tree.getByText('Also known as Story Bruk')).toBeVisible()

  await page.goto(address)
  await expect(page.getByRole('heading', { name: 'Story Broken Beat', level: 1 })).toBeVisible()
  await page.goto('/staff/genres')
  await choose('Story Broken Beat', 'Delete')
  await dialog(page, 'Delete “Story Broken Beat”?').getByRole('button', { name: 'Delete' }).click()
  await expect(tree.getByText('Story Broken Beat')).toBeHidden()
})
