import { uploadedSongs, uploads } from '@dubplate/contract'
import type { Page, Request } from '@playwright/test'
import { wavOf } from './made-music.ts'
import { answerPickers, ask, dialog, enterAs, expect, storeInPage, test, tokenOf } from './support.ts'

const HOUSE = { genre: 'house', tonic: 9, mode: 'minor', bpm: 124 } as const

/** Of many songs in this key one of which the ear cannot say that it is in C. */
const CLEARLY_IN_A_MINOR = 15

const slot = (page: Page, name: string) => page.getByTestId('slot').filter({ has: page.getByRole('group', { name }) })
const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Choose audio files').setInputFiles({ name, mimeType: 'audio/wav', buffer })

const isChunk = (request: Request) => request.method() === 'PATCH' && request.url().includes(uploads.RESUMABLE_PATH)
const offsetOf = (request: Request) => Number(request.headers()['upload-offset'])

/** What nginx allows unless it is told otherwise. */
const PROXY_LIMIT_BYTES = 1024 * 1024

/** A title of one's own: the story may run again in the same pool. */
const aTitle = () => `Harbour Lights ${Math.floor(Math.random() * 1e6)}`

test('a file goes on where the line broke, is analysed, published by staff, downloaded, and found in Download Rescue', {
  tag: '@smoke',
}, async ({ page, browser }) => {
  test.slow()
  const title = aTitle()
  const clean = wavOf({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Clean' }, title)
  const file = `Rye Lane Audio - ${title} (Clean).wav`
  await enterAs(page, 'label@demo.test')
  await page.goto('/uploads/index')
  await page.getByRole('link', { name: 'Add New' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add song' })).toBeVisible()

  // The first chunk arrives; with the second the line goes, and the page with it.
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    const request = route.request()
    if (isChunk(request) && offsetOf(request) > 0) await route.abort('connectionfailed')
    else await route.continue()
  })
  const broken = page.waitForEvent('requestfailed', isChunk)
  await chooseFile(page, file, clean)
  const arrived = offsetOf(await broken)
  expect(arrived).toBeGreaterThan(0)
  const row = page.getByTestId('sending')
  await expect(row).toContainText('Connection lost.')
  await page.unroute(`**${uploads.RESUMABLE_PATH}/**`)
  page.on('dialog', (question) => void question.accept())
  await page.reload()

  await expect(row).toContainText('again to continue.')
  const goesOn = page.waitForRequest(isChunk)
  await chooseFile(page, file, clean)
  expect(offsetOf(await goesOn), 'where it goes on').toBe(arrived)

  await expect(slot(page, 'Version 1: Clean')).toContainText('BPM', { timeout: 60_000 })
  await expect(page.getByLabel('Song title')).toHaveValue(title)
  await expect(page.getByLabel('Artist', { exact: true })).toHaveValue('Rye Lane Audio')
  await expect(page.getByLabel('BPM', { exact: true })).toHaveValue('124')
  await expect(page.getByLabel('Song key')).toHaveValue('Am')
  const start = page.getByRole('slider', { name: 'Preview start for Clean' })
  await start.focus()
  await page.keyboard.press('PageDown')
  await page.keyboard.press('PageUp')
  await page.keyboard.press('PageUp')
  await expect(start).toHaveAttribute('aria-valuetext', /^0:20 of /)

  const second = `Rye Lane Audio - ${title} (Instrumental).wav`
  await chooseFile(page, second, wavOf({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Instrumental' }, title))
  await expect(slot(page, 'Version 2: Instrumental')).toContainText('BPM', { timeout: 60_000 })

  const save = page.getByRole('button', { name: 'Save', exact: true })
  await page.getByLabel('Year').fill('')
  await save.click()
  await expect(page.getByText('Year cannot be blank!')).toBeVisible()
  await page.getByLabel('Year').fill('2026')
  await page.getByRole('group', { name: 'Genres' }).getByRole('checkbox', { name: 'House', exact: true }).check()
  await save.click()
  await expect(page).toHaveURL(/\/uploads\/index/)
  const saved = page.getByTestId('upload-row').filter({ hasText: title })
  await expect(saved).toContainText('In review')

  const desk = await browser.newPage()
  await enterAs(desk, 'staff@demo.test')
  await desk.goto(`/staff/uploads?find=${encodeURIComponent(title)}`)
  const waiting = desk.getByRole('list', { name: 'Songs' }).getByRole('listitem', { name: title, exact: true })
  await waiting.getByRole('button', { name: 'Publish', exact: true }).click()
  await expect(desk.getByText(`“${title}” published. We’ve emailed the uploader.`)).toBeVisible()
  await desk.close()

  await page.reload()
  await expect(saved).toContainText('Published')

  const dj = await browser.newPage()
  await enterAs(dj, 'dj@demo.test')
  const { data } = await ownSongs()
  const listed = data.find((song) => song.title === title)?.listed_entity_id
  await dj.goto(`/song/${listed}`)
  await expect(dj.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const download = dj.waitForEvent('download')
  await dj
    .getByTestId('song-row')
    .first()
    .getByRole('button', { name: `Download Clean, ${title}`, exact: true })
    .click()
  expect((await download).suggestedFilename()).toContain(title)
  await (await download).path()
  await dj.goto('/download-rescue')
  await expect(dj.getByTestId('rescue-row').filter({ hasText: title })).toContainText('Clean')
  await dj.close()
})

const ownSongs = async () => ask(uploadedSongs.getUploadedSongs, {}, await tokenOf('label@demo.test'))

test('does not send a file again that is there already', async ({ page }) => {
  await enterAs(page, 'free@demo.test')
  await page.goto('/uploads/new')
  const sent: string[] = []
  page.on('request', (request) => {
    if (isChunk(request)) sent.push(request.url())
  })
  const bytes = wavOf({ ...HOUSE, seed: Math.floor(Math.random() * 1e6), version: 'Quick Hit' })
  await chooseFile(page, 'Once (Dirty).wav', bytes)
  await expect(slot(page, 'Version 1')).toContainText('LUFS', { timeout: 60_000 })
  const before = sent.length
  await chooseFile(page, 'Twice.wav', bytes)
  await expect(page.getByTestId('sending').getByRole('alert')).toContainText('already')
  expect(sent.length).toBe(before)
})

test('a broken file says where it breaks off, and keeps its song out of the queue of staff', async ({ page }) => {
  const whole = wavOf({ ...HOUSE, seed: Math.floor(Math.random() * 1e6), version: 'Quick Hit' })
  await enterAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  await chooseFile(page, 'Broken (Dirty).wav', whole.subarray(0, Math.floor(whole.length / 2)))
  const faults = page.getByRole('list', { name: 'Problems' })
  await expect(faults).toContainText('Can’t be published:', { timeout: 60_000 })
  const title = aTitle()
  await page.getByLabel('Song title').fill(title)
  await page.getByLabel('Artist', { exact: true }).fill('Rye Lane Audio')
  await page.getByLabel('Year').fill('2026')
  await page.getByLabel('Song key').fill('Am')
  await page.getByLabel('BPM', { exact: true }).fill('124')
  await page.getByRole('group', { name: 'Genres' }).getByRole('checkbox', { name: 'House', exact: true }).check()
  await page.getByRole('button', { name: 'Save', exact: true }).click()
  const row = page.getByTestId('upload-row').filter({ hasText: title })
  await expect(row).toContainText('Draft')
  await expect(row).toContainText('Dirty:')

  await row.getByRole('button', { name: `Delete ${title}` }).click()
  await dialog(page, 'Are you sure? You want to remove the song uploaded?')
    .getByRole('button', { name: 'Delete' })
    .click()
  await expect(row).toHaveCount(0)
})

test('a file arrives through a proxy that allows smaller requests than the pool', async ({ page }) => {
  const title = aTitle()
  const bytes = wavOf({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Dirty' }, title)
  await page.addInitScript((limit) => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof Blob && body.size > limit) this.setRequestHeader('x-over-limit', 'yes')
      send.call(this, body)
    }
  }, PROXY_LIMIT_BYTES)
  const chunks = { refused: 0, passed: 0 }
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    if (!isChunk(route.request())) return route.continue()
    if (!route.request().headers()['x-over-limit']) {
      chunks.passed++
      return route.continue()
    }
    chunks.refused++
    // As nginx answers: a page, not the pool's own words.
    await route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' })
  })
  await enterAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  const row = page.getByTestId('sending')
  await chooseFile(page, `Rye Lane Audio - ${title} (Dirty).wav`, bytes)
  await expect(slot(page, 'Version 1: Dirty')).toContainText('BPM', { timeout: 60_000 })
  await expect(row).toHaveCount(0)
  // 8, 4 and 2 MB are refused once; then everything goes out in pieces of 1 MB.
  expect(chunks).toEqual({ refused: 3, passed: Math.ceil(bytes.length / PROXY_LIMIT_BYTES) })
})

test('after a reload an upload continues by itself where the browser kept the file', async ({ page }) => {
  const title = aTitle()
  const name = `Rye Lane Audio - ${title} (Clean).wav`
  const bytes = wavOf({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Clean' }, title)
  const token = await enterAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  await storeInPage(page, { [name]: bytes })
  await answerPickers(page, { files: [name] })
  await page.reload()

  // The first chunk arrives; with the second the connection is lost, and the page is loaded again.
  let isBroken = true
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    const request = route.request()
    if (isBroken && isChunk(request) && offsetOf(request) > 0) await route.abort('connectionfailed')
    else await route.continue()
  })
  const second = page.waitForRequest((request) => isChunk(request) && offsetOf(request) > 0)
  await page.getByRole('button', { name: 'Choose files' }).press('Enter')
  const arrived = offsetOf(await second)
  page.on('dialog', (question) => void question.accept())
  await page.reload({ waitUntil: 'commit' })
  const continued = page.waitForRequest(isChunk)
  isBroken = false
  expect(offsetOf(await continued), 'where it continues').toBe(arrived)

  // It goes into the slots of the form it was chosen for, whole.
  await expect(slot(page, 'Version 1: Clean')).toContainText('BPM', { timeout: 60_000 })
  await expect(page.getByTestId('sending')).toHaveCount(0)
  const { files } = await ask(uploads.getContainer, {}, token)
  expect(files.find(({ file }) => file === name)?.bytes).toBe(bytes.length)
  await chooseFile(page, 'Twice.wav', bytes)
  await expect(page.getByTestId('sending').getByRole('alert')).toContainText('already')

  // Nothing of it is kept once it has arrived.
  const stored = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('dubplate.uploads')
        opening.onsuccess = () => {
          const counting = opening.result.transaction('handles').objectStore('handles').count()
          counting.onsuccess = () => resolve(counting.result)
        }
      }),
  )
  expect(stored).toBe(0)
})
