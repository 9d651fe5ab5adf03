import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { imports, songsDesk, uploads } from '@dubplate/contract'
import type { Page } from '@playwright/test'
import {
  answerPickers,
  ask,
  dialog,
  enterAs,
  expect,
  firstOf,
  removePickers,
  storeInPage,
  test,
  tokenOf,
} from './support.ts'

/** Five seconds of a beating tone: its own music for each height. */
function toneOf(tone_hz: number): Buffer {
  const [rate, seconds] = [22_050, 5]
  const data = Buffer.alloc(rate * seconds * 2)
  for (let n = 0; n < rate * seconds; n++) {
    const beat = 0.5 + 0.5 * Math.sin((4 * Math.PI * n) / rate)
    data.writeInt16LE(Math.round(12_000 * beat * Math.sin((2 * Math.PI * tone_hz * n) / rate)), n * 2)
  }
  const head = Buffer.alloc(44)
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

function musicIn(folder: string, tones: Record<string, number>): string {
  for (const [name, tone] of Object.entries(tones)) {
    const file = path.join(folder, name)
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, toneOf(tone))
  }
  return folder
}

const onServer = (name: string, tones: Record<string, number>) =>
  musicIn(path.join(process.env.MUSIC_FOLDER ?? '', name), tones)

/** A folder of the server is looked through and brought in. */
async function importFrom(page: Page, folder: string): Promise<void> {
  await page.goto('/staff/import')
  await page.getByRole('region', { name: 'From a server folder' }).getByRole('textbox', { name: 'Folder' }).fill(folder)
  await page.getByRole('button', { name: 'Scan folder' }).click()
  await page.getByRole('button', { name: /^Import \d+ files?$/ }).click()
  await expect(page.getByText('Imported', { exact: true })).toBeVisible()
}

const songCalled = async (title: string): Promise<number> => {
  const { songs } = await ask(songsDesk.getSongs, { find: title }, await tokenOf('staff@demo.test'))
  return firstOf(songs.filter((song) => song.title === title)).entity_id
}

test('a folder of this computer is looked through, comes in, and is not sent twice', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await removePickers(page)
  const crate = musicIn(path.join(mkdtempSync(path.join(tmpdir(), 'crate-')), 'Crate'), {
    'Kwame - Harbour Lights (Clean).wav': 311,
    'sub/Kwame - Harbour Lights (Dirty).wav': 322,
  })
  writeFileSync(path.join(crate, 'cover.txt'), 'no music')
  writeFileSync(path.join(crate, 'Folder.PNG'), await page.screenshot())
  writeFileSync(path.join(crate, 'sub', 'cover.jpg'), 'no picture')
  const send = async () => {
    await page.goto('/staff/import')
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose folder' }).click()
    await (await chooser).setFiles(crate)
    await expect(page.getByText('2 covers; 1 other file skipped.')).toBeVisible()
    await page.getByRole('button', { name: 'Upload and scan' }).click()
  }
  await send()
  await expect(page.getByText('2 versions to import (1 new song).')).toBeVisible()
  const leftBehind = page.getByRole('list', { name: 'Not uploaded' })
  await expect(leftBehind.getByRole('listitem')).toHaveText(/^sub\/cover\.jpg: This picture can’t be read\./)
  // What was looked through is there after a reload, and comes in then.
  await page.reload()
  await page.getByRole('button', { name: 'Import 2 files' }).click()
  await expect(page.getByText('2 versions imported (1 new song).')).toBeVisible()
  const files = page.getByRole('list', { name: 'Files' })
  await files.getByRole('link', { name: 'Kwame – Harbour Lights (Clean), new song' }).click()
  await expect(page.getByRole('heading', { name: 'Harbour Lights', level: 1 })).toBeVisible()
  const { song } = await ask(
    songsDesk.getSong,
    { entity_id: await songCalled('Harbour Lights') },
    await tokenOf('staff@demo.test'),
  )
  // Its own picture, and no drawn one.
  expect(song.image).toMatch(/^\/images\/[0-9a-f]{64}\//)
  await expect(page.locator(`img[src*="${song.image.split('/')[2]}"]`).first()).toBeVisible()

  await send()
  await expect(page.getByText('Nothing to import, 2 files to skip.')).toBeVisible()
  await expect(page.getByRole('list', { name: 'Files' }).getByText(/^Already in the catalogue: /)).toHaveCount(2)
})

test('sending a folder that was stopped goes on, and its cover is sent once', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await removePickers(page)
  const crate = musicIn(path.join(mkdtempSync(path.join(tmpdir(), 'crate-')), 'Crate'), {
    'Kwame - Breakwater (Clean).wav': 333,
  })
  writeFileSync(path.join(crate, 'front.png'), await page.screenshot())
  const choose = async () => {
    const chooser = page.waitForEvent('filechooser')
    await page.getByRole('button', { name: 'Choose folder' }).click()
    await (await chooser).setFiles(crate)
  }
  let covers = 0
  page.on('request', (request) => {
    if (request.url().includes(imports.sendCover.path)) covers += 1
  })
  const music = `**${uploads.RESUMABLE_PATH}*`
  await page.route(music, (route) => route.abort())
  await page.goto('/staff/import')
  await choose()
  await page.getByRole('button', { name: 'Upload and scan' }).click()
  await expect(page.getByText('1 cover uploaded')).toBeVisible()
  await page.getByRole('button', { name: 'Stop upload' }).click()
  await page.unroute(music)
  await choose()
  await expect(page.getByText('1 version to import (1 new song).')).toBeVisible()
  expect(covers).toBe(1)
})

test('after a reload a folder is sent on by itself where the browser kept it', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  const music = `**${uploads.RESUMABLE_PATH}*`
  await page.route(music, (route) => route.abort())
  await page.goto('/staff/import')
  await storeInPage(page, {
    'Crate/Kwame - Groyne (Clean).wav': toneOf(344),
    'Crate/front.png': await page.screenshot(),
  })
  await answerPickers(page, { folder: 'Crate' })
  await page.reload()
  await page.getByRole('button', { name: 'Choose folder' }).press('Enter')
  await page.getByRole('button', { name: 'Upload and scan' }).click()
  await expect(page.getByText('1 cover uploaded')).toBeVisible()
  page.on('dialog', (question) => void question.accept())
  await page.reload({ waitUntil: 'commit' })
  await page.unroute(music)
  await expect(page.getByText('1 version to import (1 new song).')).toBeVisible()
})

test('two songs that are one are merged, the old address leads on, and the merge is undone', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  const folder = onServer('twins', {
    'Ana - Paper Moons (Clean).wav': 401,
    'Ana - Papermoons (Clean).wav': 412,
    'Ana - Papermoons (Dirty).wav': 423,
  })
  await importFrom(page, folder)
  const [kept, gone] = [await songCalled('Paper Moons'), await songCalled('Papermoons')]

  await page.goto('/staff/songs?find=Ana')
  for (const title of ['Paper Moons', 'Papermoons'])
    await page.getByRole('row').filter({ hasText: title }).getByRole('checkbox').click()
  await page.getByRole('button', { name: 'Merge…' }).click()
  const merging = dialog(page, 'Merge 2 songs')
  await merging.getByRole('radio', { name: /^Paper Moons/ }).click()
  const name = merging.getByRole('textbox', { name: 'Name for the second Clean' })
  await name.fill('Dirty')
  await expect(merging.getByRole('alert')).toHaveText('Two versions can’t have the same name (“Dirty”).')
  await name.fill('Clean, other master')
  await merging.getByRole('button', { name: 'Merge' }).click()
  await expect(page.getByText('Merged into Ana – Paper Moons')).toBeVisible()

  await page.goto(`/song/${gone}`)
  await expect(page).toHaveURL(`/song/${kept}`)
  await expect(page.getByRole('heading', { name: 'Paper Moons', level: 1 })).toBeVisible()
  await expect(page.getByText('Clean, other master').first()).toBeVisible()

  await page.goto(`/staff/songs/${kept}`)
  await page.getByRole('button', { name: 'Split…' }).click()
  await dialog(page, 'Split song').getByRole('button', { name: 'Undo merge of Papermoons' }).click()
  await expect(page).toHaveURL(`/staff/songs/${gone}`)
  await page.goto(`/song/${gone}`)
  await expect(page.getByRole('heading', { name: 'Papermoons', level: 1 })).toBeVisible()
})

/** Holds the answers to a call back, until each is let through. */
async function answersLate(page: Page, path: string) {
  const held: (() => Promise<void>)[] = []
  await page.route(`**/api/${path}*`, (route) => void held.push(() => route.continue()))
  const asked = () => expect.poll(() => held.length, `calls of ${path}`).toBeGreaterThan(0)
  const answer = async () => {
    await asked()
    await held.shift()!()
  }
  return { asked, answer }
}

test('genres are moved by keyboard, renamed and merged, and an old address leads on', async ({ page }) => {
  await enterAs(page, 'staff@demo.test')
  await page.goto('/staff/genres')
  const tree = page.getByRole('list', { name: 'Genres', exact: true })
  const add = async (name: string) => {
    await page.getByRole('button', { name: 'New genre' }).click()
    await page.getByLabel('Name').fill(name)
    await page.getByLabel('Name').press('Enter')
    await expect(tree.getByRole('link', { name, exact: true })).toBeVisible()
  }
  await add('Story Broken Beat')
  await add('Story Bruk')
  const handle = page.getByRole('button', { name: 'Move Story Bruk', exact: true })
  await handle.focus()
  await page.keyboard.press('Alt+ArrowRight')
  await expect(page.getByText('Story Bruk: 1 of 1 in Story Broken Beat')).toBeAttached()
  await expect(page.locator('[data-genre]', { has: handle })).toHaveAttribute('data-below', 'true')
  await expect(handle).toBeFocused()
  const slow = await answersLate(page, 'staff/move-genre.json')
  await page.keyboard.press('Alt+ArrowLeft')
  await expect(page.getByText(/^Story Bruk: \d+ of \d+ main genres$/)).toBeAttached()
  await page.keyboard.press('Alt+ArrowUp')
  await expect(tree.getByRole('listitem').nth(-2)).toContainText('Story Bruk')
  await slow.answer()
  await slow.asked()
  // The answer to the first move is from before the second one.
  await expect(tree.getByRole('listitem').nth(-2)).toContainText('Story Bruk')
  await slow.answer()
  await expect(handle).toBeFocused()
  await page.keyboard.press('ArrowDown')
  await expect(page.getByRole('button', { name: 'Move Story Broken Beat', exact: true })).toBeFocused()

  const address = await tree.getByRole('link', { name: 'Story Bruk', exact: true }).getAttribute('href')
  await page.getByRole('button', { name: 'Merge Story Bruk into another genre' }).click()
  const merging = dialog(page, 'Merge “Story Bruk”')
  await merging.getByLabel('Merge into').selectOption({ label: 'Story Broken Beat' })
  await merging.getByRole('button', { name: 'Merge' }).click()
  await expect(tree.getByText('Also known as Story Bruk')).toBeVisible()

  await page.goto(address ?? '')
  await expect(page.getByRole('heading', { name: 'Story Broken Beat', level: 1 })).toBeVisible()
  await page.goto('/staff/genres')
  await page.getByRole('button', { name: 'Delete Story Broken Beat' }).click()
  await dialog(page, 'Delete “Story Broken Beat”?').getByRole('button', { name: 'Delete' }).click()
  await expect(tree.getByText('Story Broken Beat')).toBeHidden()
})
