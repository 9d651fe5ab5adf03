import { uploadedSongs, uploads } from '@dubplate/contract'
import type { Page, Request } from '@playwright/test'
import { makeWav } from './make-music.ts'
import {
  callApi,
  dialog,
  expect,
  getToken,
  LOW_PRIORITY,
  mockPickers,
  signInAs,
  songPage,
  storeFiles,
  test,
} from './support.ts'

const HOUSE = { genre: 'house', tonic: 9, mode: 'minor', bpm: 124 } as const

/** The seed of a song that is clearly in A minor and not in C major, which has the same notes. */
const CLEARLY_IN_A_MINOR = 15

const slot = (page: Page, name: string) => page.getByTestId('slot').filter({ has: page.getByRole('group', { name }) })
const chooseFile = (page: Page, name: string, buffer: Buffer) =>
  page.getByLabel('Choose audio files').setInputFiles({ name, mimeType: 'audio/wav', buffer })

const isChunk = (request: Request) => request.method() === 'PATCH' && request.url().includes(uploads.RESUMABLE_PATH)
const getOffset = (request: Request) => Number(request.headers()['upload-offset'])

/** The default limit of nginx. */
const PROXY_LIMIT_BYTES = 1024 * 1024

/** Returns a new title each time: the test may run again on the same server. */
const makeTitle = () => `Harbour Lights ${Math.floor(Math.random() * 1e6)}`

test('resumes an upload after a lost connection, then analyses, publishes and downloads the song', async ({
  page,
  browser,
}) => {
  test.slow()
  const title = makeTitle()
  const clean = makeWav({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Clean' }, title)
  const file = `Rye Lane Audio - ${title} (Clean).wav`
  await signInAs(page, 'label@demo.test')
  await page.goto('/uploads/index')
  await page.getByRole('link', { name: 'Add New' }).click()
  await expect(page.getByRole('heading', { level: 1, name: 'Add song' })).toBeVisible()

  // The connection is lost during the second chunk, and the page is reloaded.
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    const request = route.request()
    if (isChunk(request) && getOffset(request) > 0) await route.abort('connectionfailed')
    else await route.continue()
  })
  const failedRequest = page.waitForEvent('requestfailed', isChunk)
  await chooseFile(page, file, clean)
  const resumedOffset = getOffset(await failedRequest)
  expect(resumedOffset).toBeGreaterThan(0)
  const row = page.getByTestId('sending')
  await expect(row).toContainText('Connection lost.')
  await page.unroute(`**${uploads.RESUMABLE_PATH}/**`)
  page.on('dialog', (question) => void question.accept())
  await page.reload()

  await expect(row).toContainText('again to continue.')
  const resumed = page.waitForRequest(isChunk)
  await chooseFile(page, file, clean)
  expect(getOffset(await resumed), 'offset of the resumed upload').toBe(resumedOffset)

  await expect(slot(page, 'Version 1: Clean')).toContainText('BPM', LOW_PRIORITY)
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
  await chooseFile(page, second, makeWav({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Instrumental' }, title))
  await expect(slot(page, 'Version 2: Instrumental')).toContainText('BPM', LOW_PRIORITY)

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

  const staffPage = await browser.newPage()
  await signInAs(staffPage, 'staff@demo.test')
  await staffPage.goto(`/staff/uploads?find=${encodeURIComponent(title)}`)
  await staffPage.getByRole('row', { name: title, exact: true }).press('a')
  await expect(staffPage.getByText(`“${title}” published. We’ve emailed the uploader.`)).toBeVisible()
  await staffPage.close()

  await page.reload()
  await expect(saved).toContainText('Published')

  const dj = await browser.newPage()
  await signInAs(dj, 'dj@demo.test')
  const { data } = await getUploadedSongs()
  const listed = data.find((song) => song.title === title)?.listed_entity_id
  await dj.goto(`/song/${listed}`)
  await expect(dj.getByRole('heading', { level: 1, name: title })).toBeVisible()
  const download = dj.waitForEvent('download')
  await songPage(dj)
    .getByRole('button', { name: `Download Clean, ${title}`, exact: true })
    .click()
  expect((await download).suggestedFilename()).toContain(title)
  await (await download).path()
  await dj.goto('/download-rescue')
  await expect(dj.getByTestId('rescue-row').filter({ hasText: title })).toContainText('Clean')
  await dj.close()
})

const getUploadedSongs = async () => callApi(uploadedSongs.getUploadedSongs, {}, await getToken('label@demo.test'))

test('does not upload the same file twice', async ({ page }) => {
  await signInAs(page, 'free@demo.test')
  await page.goto('/uploads/new')
  const sent: string[] = []
  page.on('request', (request) => {
    if (isChunk(request)) sent.push(request.url())
  })
  const bytes = makeWav({ ...HOUSE, seed: Math.floor(Math.random() * 1e6), version: 'Quick Hit' })
  await chooseFile(page, 'Once (Dirty).wav', bytes)
  await expect(slot(page, 'Version 1')).toContainText('LUFS', LOW_PRIORITY)
  const before = sent.length
  await chooseFile(page, 'Twice.wav', bytes)
  await expect(page.getByTestId('sending').getByRole('alert')).toContainText('already')
  expect(sent.length).toBe(before)
})

test('shows where a damaged file breaks off, and keeps its song out of review', async ({ page }) => {
  const completeWav = makeWav({ ...HOUSE, seed: Math.floor(Math.random() * 1e6), version: 'Quick Hit' })
  await signInAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  await chooseFile(page, 'Broken (Dirty).wav', completeWav.subarray(0, Math.floor(completeWav.length / 2)))
  const problems = page.getByRole('list', { name: 'Problems' })
  await expect(problems).toContainText('Can’t be published:', LOW_PRIORITY)
  const title = makeTitle()
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

test('focuses the type of an added version once its code has loaded, unless the focus has moved on', async ({
  page,
}) => {
  await signInAs(page, 'label@demo.test')
  const held: (() => Promise<void>)[] = []
  await page.route('**/assets/SlotCard-*.js', (route) => void held.push(() => route.continue()))
  /** Adds a version on the page of a new song, does `next`, and lets the code of the card through. */
  const addVersion = async (next: () => Promise<void>) => {
    await page.goto('/uploads/new')
    await page.getByRole('button', { name: 'Add version', exact: true }).click()
    await expect.poll(() => held.length).toBe(1)
    await next()
    await held.pop()?.()
    await expect(type).toBeVisible()
  }
  const type = slot(page, 'Version 1').getByLabel('Version', { exact: true })
  const title = page.getByLabel('Song title')
  await addVersion(() => expect(page.getByRole('button', { name: 'Add version', exact: true })).toBeFocused())
  await expect(type).toBeFocused()

  await slot(page, 'Version 1').getByRole('button', { name: 'Remove version 1' }).click()
  await addVersion(() => title.fill('Harbour Lights'))
  await expect(title).toBeFocused()
})

test('uploads through a proxy that allows smaller requests than the server', async ({ page }) => {
  const title = makeTitle()
  const bytes = makeWav({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Dirty' }, title)
  await page.addInitScript((limit) => {
    const { send } = XMLHttpRequest.prototype
    XMLHttpRequest.prototype.send = function (body) {
      if (body instanceof Blob && body.size > limit) this.setRequestHeader('x-over-limit', 'yes')
      send.call(this, body)
    }
  }, PROXY_LIMIT_BYTES)
  const chunks = { blockedRequests: 0, passed: 0 }
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    if (!isChunk(route.request())) return route.continue()
    if (!route.request().headers()['x-over-limit']) {
      chunks.passed++
      return route.continue()
    }
    chunks.blockedRequests++
    // nginx replies with an HTML page instead of the API's JSON.
    await route.fulfill({ status: 413, contentType: 'text/html', body: '<h1>413 Request Entity Too Large</h1>' })
  })
  await signInAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  const row = page.getByTestId('sending')
  await chooseFile(page, `Rye Lane Audio - ${title} (Dirty).wav`, bytes)
  await expect(slot(page, 'Version 1: Dirty')).toContainText('BPM', LOW_PRIORITY)
  await expect(row).toHaveCount(0)
  // Chunks of 8, 4 and 2 MB are each refused once; then all chunks have 1 MB.
  expect(chunks).toEqual({ blockedRequests: 3, passed: Math.ceil(bytes.length / PROXY_LIMIT_BYTES) })
})

test('resumes an upload after a reload where the browser kept access to the file', async ({ page }) => {
  const title = makeTitle()
  const name = `Rye Lane Audio - ${title} (Clean).wav`
  const bytes = makeWav({ ...HOUSE, seed: CLEARLY_IN_A_MINOR, version: 'Clean' }, title)
  const token = await signInAs(page, 'label@demo.test')
  await page.goto('/uploads/new')
  await storeFiles(page, { [name]: bytes })
  await mockPickers(page, { files: [name] })
  await page.reload()

  // The connection is lost during the second chunk, and the page is reloaded.
  let isBroken = true
  await page.route(`**${uploads.RESUMABLE_PATH}/**`, async (route) => {
    const request = route.request()
    if (isBroken && isChunk(request) && getOffset(request) > 0) await route.abort('connectionfailed')
    else await route.continue()
  })
  const second = page.waitForRequest((request) => isChunk(request) && getOffset(request) > 0)
  await page.getByRole('button', { name: 'Choose files' }).press('Enter')
  const resumedOffset = getOffset(await second)
  page.on('dialog', (question) => void question.accept())
  await page.reload({ waitUntil: 'commit' })
  const resumedRequest = page.waitForRequest(isChunk)
  isBroken = false
  expect(getOffset(await resumedRequest), 'offset of the resumed upload').toBe(resumedOffset)

  // The file is complete, and assigned to a version of the form it was chosen in.
  await expect(slot(page, 'Version 1: Clean')).toContainText('BPM', LOW_PRIORITY)
  await expect(page.getByTestId('sending')).toHaveCount(0)
  const { files } = await callApi(uploads.getContainer, {}, token)
  expect(files.find(({ file }) => file === name)?.bytes).toBe(bytes.length)
  await chooseFile(page, 'Twice.wav', bytes)
  await expect(page.getByTestId('sending').getByRole('alert')).toContainText('already')

  // The file handle is deleted once the upload is complete.
  const stored = await page.evaluate(
    () =>
      new Promise((resolve) => {
        const opening = indexedDB.open('dubplate.uploads')
        opening.onsuccess = () => {
          const countRequest = opening.result.transaction('handles').objectStore('handles').count()
          countRequest.onsuccess = () => resolve(countRequest.result)
        }
      }),
  )
  expect(stored).toBe(0)
})
