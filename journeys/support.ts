import {
  catalogue,
  downloads,
  type Endpoint,
  type InputOf,
  membership,
  type ReplyOf,
  uploads,
} from '@dubplate/contract'
import { type Browser, type BrowserContext, test as base, expect, type Locator, type Page } from '@playwright/test'

declare global {
  interface Window {
    /** The player's element, which is in no document. */
    sound: HTMLAudioElement
    /** What the media keys and the lock screen would call. */
    mediaKeys: Partial<Record<MediaSessionAction, MediaSessionActionHandler>>
    /** What the page's content security policy refused. */
    refused: string[]
  }
}

export { expect }

const poolUrl = () => {
  const url = process.env.POOL_URL
  if (!url) throw new Error('POOL_URL is not set: the pool of the stories has not been opened.')
  return url
}

/** Makes what has no place in the document observable. Runs in the page before its own code. */
function listenIn() {
  const NativeAudio = window.Audio
  const ObservedAudio = (address?: string) => {
    window.sound = new NativeAudio(address)
    return window.sound
  }
  // An arrow function cannot be called with `new`; this one hands out what it makes.
  window.Audio = new Proxy(NativeAudio, { construct: (_, [address]) => ObservedAudio(address) })
  window.mediaKeys = {}
  const set = navigator.mediaSession.setActionHandler.bind(navigator.mediaSession)
  navigator.mediaSession.setActionHandler = (action, does) => {
    if (does) window.mediaKeys[action] = does
    set(action, does)
  }
  window.refused = []
  addEventListener('securitypolicyviolation', (event) =>
    window.refused.push(`${event.violatedDirective}: ${event.blockedURI}`),
  )
}

let places = 0

/**
 * An address of this computer, which is all the demo answers: the pool counts tries and mails for each, as it would for
 * people apart.
 */
const aPlace = () => {
  const n = ++places
  return { 'x-forwarded-for': `127.${process.pid % 256}.${n >> 8}.${n % 256}` }
}

/** What `otherBrowser` opened for the story that runs. */
const others: BrowserContext[] = []

/** A test with a page that can be listened to. An exception that the page did not catch fails any story. */
export const test = base.extend<{ closeOthers: undefined }>({
  // A page that is left open goes on asking and drawing beside all stories that follow.
  closeOthers: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
    async ({}, use) => {
      await use(undefined)
      for (const context of others.splice(0)) await context.close()
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  baseURL: async ({}, use) => use(poolUrl()),
  // biome-ignore lint/correctness/noEmptyPattern: the same
  extraHTTPHeaders: async ({}, use) => use(aPlace()),
  context: async ({ context }, use) => {
    await context.addInitScript(listenIn)
    await use(context)
  },
  page: async ({ page }, use) => {
    const uncaught: string[] = []
    page.on('pageerror', (error) => uncaught.push(error.stack ?? error.message))
    await use(page)
    expect(uncaught, 'exceptions the page did not catch').toEqual([])
  },
})

/** Makes one call of the contract, as a program would. Throws with the server's sentence when it refuses. */
export async function ask<E extends Endpoint>(call: E, input: InputOf<E>, token?: string): Promise<ReplyOf<E>> {
  const isGet = call.method === 'GET'
  const asked = isGet
    ? Object.entries(input as Record<string, unknown>).map(([name, value]) => [name, String(value)])
    : []
  const url = `${poolUrl()}/api/${call.path}?${new URLSearchParams([['store_id', '1'], ['lang_code', 'en'], ...asked])}`
  const headers = {
    ...aPlace(),
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const reply = await fetch(url, isGet ? { headers } : { method: 'POST', headers, body: JSON.stringify(input) })
  const { data, message } = (await reply.json()) as { data: ReplyOf<E>; message?: string }
  if (!reply.ok) throw new Error(`${call.path}: ${reply.status} ${message}`)
  return data
}

/** Sends one audio file as older clients do, and waits until it has been analysed. */
export async function sendFile(token: string, name: string, bytes: Buffer): Promise<uploads.ContainerFile> {
  const form = new FormData()
  form.append('UploadForm[mp3Files]', new Blob([new Uint8Array(bytes)], { type: 'audio/wav' }), name)
  const headers = { ...aPlace(), authorization: `Bearer ${token}` }
  const reply = await fetch(`${poolUrl()}/api/${uploads.uploadSongs.path}`, { method: 'POST', headers, body: form })
  if (!reply.ok) throw new Error(`${uploads.uploadSongs.path}: ${reply.status} ${await reply.text()}`)
  const find = async () => (await ask(uploads.getContainer, {}, token)).files.find(({ file }) => file === name)
  await expect.poll(async () => (await find())?.analysis.state, { timeout: 60_000 }).toBe('done')
  return (await find())!
}

export const PASSWORD = 'dubplate'

/** What lists that a story of programming publishes for a moment are called: other stories pass them over. */
export const COMPOSED = 'Composed in a story'

/** The demo's members; each story has its own, so that no two change the same crate. */
export type Member = 'dj@demo.test' | 'free@demo.test' | 'label@demo.test' | 'staff@demo.test'

export const tokenOf = async (email: Member) => (await ask(membership.signIn, { email, password: PASSWORD })).token

/** Has a member signed in on every page of this browser from the next address on, without the dialog. */
export async function enterAs(page: Page, email: Member): Promise<string> {
  const token = await tokenOf(email)
  await page.context().addInitScript((it) => localStorage.setItem('dubplate.token', it), token)
  return token
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Signs in as a person does: the button, the dialog, the demo's member. */
export async function signInThroughDialog(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  const signIn = dialog(page, 'Sign In')
  await signIn.getByRole('button', { name: email }).click()
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(signIn).toBeHidden()
}

/** The newest songs of the pool, as many as asked for. */
export async function newestSongs(count: number): Promise<catalogue.Song[]> {
  const songs: catalogue.Song[] = []
  for (let page = 1; songs.length < count; page++) {
    const reply = await ask(catalogue.getNewRelease, { page })
    songs.push(...reply.songs)
    if (reply.songs.length === 0) break
  }
  return songs.slice(0, count)
}

/**
 * Songs no version of which this member has downloaded, shortest first. `share` keeps stories apart that download as
 * the same member: each takes the songs whose id leaves its own rest.
 */
export async function undownloadedSongs(token: string, share: { of: number; rest: number }): Promise<catalogue.Song[]> {
  const { downloads: used } = await ask(downloads.customerDownloads, {}, token)
  const seconds = (song: catalogue.Song) =>
    song.version.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0)
  return (await newestSongs(60))
    .filter(
      ({ entity_id, version }) =>
        entity_id % share.of === share.rest && version.every((one) => !used[one.song_version_id]),
    )
    .sort((a, b) => seconds(a) - seconds(b))
}

export const firstOf = <T>(list: readonly T[]): T => {
  const [first] = list
  if (first === undefined) throw new Error('The demo pool has nothing that suits this story.')
  return first
}

export const listNamed = (page: Page, name: string | RegExp) => page.getByRole('table', { name })

export const rowsOf = (within: Page | Locator) => within.getByTestId('song-row')

const pageOf = (within: Page | Locator): Page => ('page' in within ? within.page() : within)

export const rowOf = (within: Page | Locator, { title }: Pick<catalogue.Song, 'title'>) =>
  rowsOf(within).filter({ has: pageOf(within).getByRole('link', { name: title, exact: true }) })

/** The titles of a list's rows, top to bottom. Rows below the first screen are drawn a moment later: poll it. */
export const titlesOf = (list: Locator) => list.getByTestId('song-title').allInnerTexts()

/** Goes down the page by windows, and back, so that all is there that waits until one comes near it. */
export async function comeDown(page: Page): Promise<void> {
  const last = [page.getByRole('region', { name: 'Top 20' }), page.getByRole('complementary', { name: 'Charts' })]
  for (const part of last) {
    // The page grows while it loads: what was passed too early is come by again.
    await expect
      .poll(
        async () => {
          await page.evaluate(async () => {
            const isAtFoot = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
            scrollTo(0, isAtFoot ? 0 : scrollY + innerHeight)
            // Whoever waits to be near is told when a frame is drawn: a busy page draws none in a tenth of a second.
            const aFrame = () => new Promise((drawn) => requestAnimationFrame(drawn))
            await aFrame()
            await aFrame()
          })
          return part.count()
        },
        { intervals: [100], timeout: 40_000 },
      )
      .toBe(1)
  }
  await page.evaluate(() => scrollTo(0, 0))
}

export const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search songs, artists, genres' })

export const player = (page: Page) => page.getByRole('region', { name: 'Player' })

/** Plays the first version of a song from its row. */
export const play = (page: Page, { title }: Pick<catalogue.Song, 'title'>) =>
  rowOf(page, { title })
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()

/** What the player's element does at this moment. */
export const soundOf = (page: Page) =>
  page.evaluate(() => {
    const { paused, currentTime, duration, volume, muted, currentSrc } = window.sound
    return { paused, position_seconds: currentTime, duration_seconds: duration, volume, muted, address: currentSrc }
  })

export const positionOf = async (page: Page) => (await soundOf(page)).position_seconds

/** The demo makes its music when it is first heard, beside three browsers. */
const MUSIC_IS_MADE = { timeout: 60_000 }

/** Waits until sound runs, and has run on for a moment. */
export async function hearItRun(page: Page): Promise<void> {
  await expect.poll(async () => (await soundOf(page)).paused, MUSIC_IS_MADE).toBe(false)
  const from = await positionOf(page)
  await expect.poll(() => positionOf(page), MUSIC_IS_MADE).toBeGreaterThan(from + 0.4)
}

/** Waits until no sound runs any more. */
export const hearItRest = (page: Page) => expect.poll(async () => (await soundOf(page)).paused).toBe(true)

/** The loudest moment of what the element plays within three seconds, as RMS of full scale (1 is the loudest there is). */
export const loudestMoment = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const context = new AudioContext()
    const sound = window.sound as HTMLAudioElement & { captureStream(): MediaStream }
    const analyser = context.createAnalyser()
    context.createMediaStreamSource(sound.captureStream()).connect(analyser)
    const samples = new Float32Array(analyser.fftSize)
    const until = performance.now() + 3_000
    let loudest = 0
    while (loudest < 0.02 && performance.now() < until) {
      await new Promise(requestAnimationFrame)
      analyser.getFloatTimeDomainData(samples)
      const power = samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length
      loudest = Math.max(loudest, Math.sqrt(power))
    }
    await context.close()
    return loudest
  })

/** How many colours the player's waveform is drawn in; a flat line has none. */
export const coloursOfWaveform = (page: Page): Promise<number> =>
  player(page)
    .getByRole('slider', { name: 'Seek' })
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size
    })

/**
 * Leaves the page with file inputs alone, as in Firefox and Safari. Chromium's pickers raise no `filechooser` event: a story that
 * waits for one needs this before its first page.
 */
export const removePickers = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { showOpenFilePicker: undefined, showDirectoryPicker: undefined }))

/** Has Chromium's pickers answer with files, or a folder, of the page's own storage (`storeInPage`), from the next load on. */
export const answerPickers = (page: Page, chosen: { files?: string[]; folder?: string }) =>
  page.addInitScript(({ files = [], folder = '' }) => {
    const root = () => navigator.storage.getDirectory()
    Object.assign(window, {
      showOpenFilePicker: async () => Promise.all(files.map(async (name) => (await root()).getFileHandle(name))),
      showDirectoryPicker: async () => (await root()).getDirectoryHandle(folder),
    })
  }, chosen)

/** Writes files into the page's own storage, by their names or by paths of a folder and a name. */
export async function storeInPage(page: Page, files: Record<string, Buffer>): Promise<void> {
  const address = '/file-to-store'
  for (const [path, body] of Object.entries(files)) {
    await page.route(`**${address}`, (route) => route.fulfill({ body }))
    await page.evaluate(
      async ([address, path]) => {
        const [name = '', folder] = path.split('/').reverse()
        const root = await navigator.storage.getDirectory()
        const parent = folder ? await root.getDirectoryHandle(folder, { create: true }) : root
        const handle = await parent.getFileHandle(name, { create: true })
        const { body } = await fetch(address)
        await body?.pipeTo(await handle.createWritable())
      },
      [address, path] as const,
    )
    await page.unroute(`**${address}`)
  }
}

/** A browser with storage of its own, which is closed by its caller. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const { viewport, locale, serviceWorkers } = base.info().project.use
  const context = await browser.newContext({
    baseURL: poolUrl(),
    extraHTTPHeaders: aPlace(),
    ...{ viewport, locale, serviceWorkers },
  })
  await context.addInitScript(listenIn)
  return context
}

/** Another browser, with nothing of this one's storage. */
export async function otherBrowser(browser: Browser): Promise<Page> {
  const context = await openContext(browser)
  others.push(context)
  return context.newPage()
}
