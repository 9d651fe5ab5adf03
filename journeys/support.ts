import {
  catalogue,
  downloads,
  type Endpoint,
  type InputOf,
  membership,
  type ReplyOf,
  uploads,
} from '@dubplate/contract'
import {
  type Browser,
  type BrowserContext,
  test as base,
  expect,
  type JSHandle,
  type Locator,
  type Page,
} from '@playwright/test'
import { DEMO_SONGS } from './pool.ts'

declare global {
  interface Window {
    /** The audio element that was played last; none is part of the document. */
    audio: HTMLAudioElement
    /** What the content security policy of the page has blocked. */
    cspViolations: string[]
  }
}

export { expect }

const getPoolUrl = () => {
  const url = process.env.POOL_URL
  if (!url) throw new Error('POOL_URL is not set: the global setup has not run.')
  return url
}

/** Exposes the audio element that is heard and policy violations as globals. Runs in the page before its own code. */
function observePage() {
  const NativeAudio = window.Audio
  const ObservedAudio = (address?: string) => {
    const element = new NativeAudio(address)
    window.audio ??= element
    element.addEventListener('play', () => {
      window.audio = element
    })
    return element
  }
  // An arrow function cannot be called with `new`, so a proxy does.
  window.Audio = new Proxy(NativeAudio, { construct: (_, [address]) => ObservedAudio(address) })
  window.cspViolations = []
  addEventListener('securitypolicyviolation', (event) =>
    window.cspViolations.push(`${event.violatedDirective}: ${event.blockedURI}`),
  )
}

let addressCount = 0

/**
 * Sends each client from another loopback address, as different people would have: the server limits attempts and emails
 * by address, and the demo only answers local ones.
 */
const makeClientHeaders = () => {
  const n = ++addressCount
  return { 'x-forwarded-for': `127.${process.pid % 256}.${n >> 8}.${n % 256}` }
}

/** The contexts that `openOtherBrowser` has opened in the current test. */
const openedContexts: BrowserContext[] = []

/** A test whose page exposes its audio element. An uncaught exception in the page fails the test. */
export const test = base.extend<{ closeContexts: undefined }>({
  // A page that stays open would keep sending requests during later tests.
  closeContexts: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
    async ({}, use) => {
      await use(undefined)
      for (const context of openedContexts.splice(0)) await context.close()
    },
    { auto: true },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern which fixtures it needs
  baseURL: async ({}, use) => use(getPoolUrl()),
  // biome-ignore lint/correctness/noEmptyPattern: the same
  extraHTTPHeaders: async ({}, use) => use(makeClientHeaders()),
  context: async ({ context }, use) => {
    await context.addInitScript(observePage)
    await use(context)
  },
  page: async ({ page }, use) => {
    const uncaught: string[] = []
    page.on('pageerror', (error) => uncaught.push(error.stack ?? error.message))
    await use(page)
    expect(uncaught, 'uncaught exceptions in the page').toEqual([])
  },
})

/** Calls an endpoint of the API. Throws with the server's message when it refuses. */
export async function callApi<E extends Endpoint>(call: E, input: InputOf<E>, token?: string): Promise<ReplyOf<E>> {
  const isGet = call.method === 'GET'
  const query = isGet
    ? Object.entries(input as Record<string, unknown>).map(([name, value]) => [name, String(value)])
    : []
  const url = `${getPoolUrl()}/api/${call.path}?${new URLSearchParams([['store_id', '1'], ['lang_code', 'en'], ...query])}`
  const headers = {
    ...makeClientHeaders(),
    'content-type': 'application/json',
    ...(token ? { authorization: `Bearer ${token}` } : {}),
  }
  const reply = await fetch(url, isGet ? { headers } : { method: 'POST', headers, body: JSON.stringify(input) })
  const { data, message } = (await reply.json()) as { data: ReplyOf<E>; message?: string }
  if (!reply.ok) throw new Error(`${call.path}: ${reply.status} ${message}`)
  return data
}

/** For scans, imports and analyses: they run at a low priority, behind everything else on a busy machine. */
export const LOW_PRIORITY = { timeout: 90_000 }

/** Uploads an audio file with the endpoint of older clients, and waits until it has been analysed. */
export async function uploadFile(token: string, name: string, bytes: Buffer): Promise<uploads.ContainerFile> {
  const form = new FormData()
  form.append('UploadForm[mp3Files]', new Blob([new Uint8Array(bytes)], { type: 'audio/wav' }), name)
  const headers = { ...makeClientHeaders(), authorization: `Bearer ${token}` }
  const reply = await fetch(`${getPoolUrl()}/api/${uploads.uploadSongs.path}`, { method: 'POST', headers, body: form })
  if (!reply.ok) throw new Error(`${uploads.uploadSongs.path}: ${reply.status} ${await reply.text()}`)
  const find = async () => (await callApi(uploads.getContainer, {}, token)).files.find(({ file }) => file === name)
  await expect.poll(async () => (await find())?.analysis.state, LOW_PRIORITY).toBe('done')
  return (await find())!
}

const PASSWORD = 'dubplate'

/** The title of lists that tests publish for a moment. */
export const STORY_LIST_TITLE = 'Story list'

/** The members of the demo. Each test file uses another one, so that no two change the same crate. */
export type Member = 'dj@demo.test' | 'free@demo.test' | 'label@demo.test' | 'staff@demo.test'

export const getToken = async (email: Member) => (await callApi(membership.signIn, { email, password: PASSWORD })).token

/** Signs a member in on every page that this browser context opens from now on. Returns the token. */
export async function signInAs(page: Page, email: Member): Promise<string> {
  const token = await getToken(email)
  await page.context().addInitScript((it) => localStorage.setItem('dubplate.token', it), token)
  return token
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name, exact: true })

/** Signs in through the dialog, with its list of demo accounts. */
export async function signInThroughDialog(page: Page, email: string): Promise<void> {
  await page.getByRole('button', { name: 'Sign in', exact: true }).first().click()
  const signIn = dialog(page, 'Sign In')
  await signIn.getByRole('button', { name: email }).click()
  await signIn.getByRole('button', { name: 'Sign in', exact: true }).click()
  await expect(signIn).toBeHidden()
}

/** The newest songs of the demo. Other stories merge and unpublish songs that they have added themselves. */
export async function getDemoSongs(count: number): Promise<catalogue.Song[]> {
  const songs: catalogue.Song[] = []
  for (let page = 1; songs.length < count; page++) {
    const reply = await callApi(catalogue.getNewRelease, { page })
    // A song added in between moves the last song of a page to the next one.
    const isNew = ({ entity_id: id }: catalogue.Song) =>
      id <= DEMO_SONGS && !songs.some(({ entity_id }) => entity_id === id)
    songs.push(...reply.songs.filter(isNew))
    if (reply.songs.length === 0) break
  }
  return songs.slice(0, count)
}

/** How many songs a page of the newest songs has. */
export const SONGS_PER_PAGE = 24

/**
 * Makes a page list the newest songs of the demo as the newest songs of the pool. Other stories add, merge and unpublish
 * songs at the same time, and a list may show theirs otherwise.
 */
export async function showDemoSongsAsNewest(page: Page): Promise<void> {
  const reply = await callApi(catalogue.getNewRelease, { page: 1 })
  const data = { ...reply, songs: await getDemoSongs(SONGS_PER_PAGE) }
  // For the context, so that the windows which the page opens show them too.
  await page.context().route(`**/api/${catalogue.getNewRelease.path}*`, (route) => route.fulfill({ json: { data } }))
}

/** The test files that download as dj@demo.test. They run at the same time, so each takes songs of its own. */
const DOWNLOADING_FILES = ['download', 'limits', 'rescue', 'visitor-to-dj'] as const

/** Songs of the demo that this test file alone downloads and of which the member has no version, shortest first. */
export async function getUndownloadedSongs(
  token: string,
  file: (typeof DOWNLOADING_FILES)[number],
): Promise<catalogue.Song[]> {
  const { downloads: used } = await callApi(downloads.customerDownloads, {}, token)
  const seconds = (song: catalogue.Song) =>
    song.version.reduce((sum, { duration_seconds }) => sum + duration_seconds, 0)
  return (await getDemoSongs(DEMO_SONGS))
    .filter(
      ({ entity_id, version }) =>
        entity_id % DOWNLOADING_FILES.length === DOWNLOADING_FILES.indexOf(file) &&
        version.every(({ song_version_id }) => !used[song_version_id]),
    )
    .sort((a, b) => seconds(a) - seconds(b))
}

export const getFirst = <T>(list: readonly T[]): T => {
  const [first] = list
  if (first === undefined) throw new Error('The demo has no suitable item for this test.')
  return first
}

export const songList = (page: Page, name: string | RegExp) => page.getByRole('table', { name })

export const songRows = (scope: Page | Locator) => scope.getByTestId('song-row')

const getPage = (scope: Page | Locator): Page => ('page' in scope ? scope.page() : scope)

export const songRow = (scope: Page | Locator, { title }: Pick<catalogue.Song, 'title'>) =>
  songRows(scope).filter({ has: getPage(scope).getByRole('link', { name: title, exact: true }) })

/** The content of the page of a song: its actions and the row of each version. */
export const songPage = (page: Page) => page.getByRole('main')

/** Reads the titles of a list from top to bottom. Rows below the window are rendered a moment later, so poll this. */
export const readTitles = (list: Locator) => list.getByTestId('song-title').allInnerTexts()

/** Scrolls to the bottom and back to the top, so that everything that loads on scroll is there. */
export async function scrollThroughPage(page: Page): Promise<void> {
  const footer = page.getByRole('contentinfo').getByRole('link', { name: 'Terms' })
  // The page grows while it loads, so this scrolls through it again until everything is there.
  await expect
    .poll(
      async () => {
        await page.evaluate(async () => {
          const isAtFoot = scrollY + innerHeight >= document.documentElement.scrollHeight - 1
          scrollTo(0, isAtFoot ? 0 : scrollY + innerHeight)
          // Intersection observers run with the next frame, which a busy page may delay.
          const nextFrame = () => new Promise((resolve) => requestAnimationFrame(resolve))
          await nextFrame()
          await nextFrame()
        })
        return footer.count()
      },
      { intervals: [100], timeout: 40_000 },
    )
    .toBe(1)
  await page.evaluate(() => scrollTo(0, 0))
}

/** The link to the crate in the navigation; its name ends with the number of songs. */
export const crateLink = (page: Page) =>
  page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Crate/ })

export const searchBox = (page: Page) => page.getByRole('combobox', { name: 'Search songs, artists, genres' })

export const player = (page: Page) => page.getByRole('region', { name: 'Player' })

/** Returns whether the page's requests reach the server; the service worker doesn't answer these. */
const canReachServer = (page: Page) =>
  page.evaluate(() =>
    fetch('/icon.svg', { method: 'HEAD', cache: 'no-store' }).then(
      () => true,
      () => false,
    ),
  )

/** Emulates a lost connection until `goOnline`. A busy browser applies the emulation to requests only after a while. */
export async function goOffline(page: Page): Promise<void> {
  await page.context().setOffline(true)
  await expect.poll(() => canReachServer(page), 'reachable server').toBe(false)
}

/** Ends `goOffline`. */
export async function goOnline(page: Page): Promise<void> {
  await page.context().setOffline(false)
  await expect.poll(() => canReachServer(page), 'reachable server').toBe(true)
}

/** Plays the first version of a song from its row. */
export const playSong = (page: Page, { title }: Pick<catalogue.Song, 'title'>) =>
  songRow(page, { title })
    .getByRole('button', { name: /^Preview / })
    .first()
    .click()

/** Reads the current state of the player's audio element. */
export const getAudioState = (page: Page) =>
  page.evaluate(() => {
    const { paused, currentTime, duration, volume, muted, currentSrc } = window.audio
    return { paused, position_seconds: currentTime, duration_seconds: duration, volume, muted, address: currentSrc }
  })

export const getPosition = async (page: Page) => (await getAudioState(page)).position_seconds

/** The demo renders music on first request, while three browsers run. */
const MUSIC_TIMEOUT = { timeout: 120_000 }

/** Waits until audio plays and the position advances. */
export async function expectPlaying(page: Page): Promise<void> {
  await expect.poll(async () => (await getAudioState(page)).paused, MUSIC_TIMEOUT).toBe(false)
  const from = await getPosition(page)
  await expect.poll(() => getPosition(page), MUSIC_TIMEOUT).toBeGreaterThan(from + 0.4)
}

/** Measures the loudest moment of the next three seconds of the player, as RMS between 0 and 1. */
export const measureLoudness = async (page: Page): Promise<number> =>
  measureLoudnessOf(await page.evaluateHandle(() => window.audio))

/** Does the same for an audio element. */
export const measureLoudnessOf = (audio: JSHandle<HTMLAudioElement>): Promise<number> =>
  audio.evaluate(async (element) => {
    const context = new AudioContext()
    const sound = element as HTMLAudioElement & { captureStream(): MediaStream }
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

/** Counts the colours of the player's waveform: an empty one has a single colour. */
export const countWaveformColours = (page: Page): Promise<number> =>
  player(page)
    .getByRole('slider', { name: 'Seek' })
    .locator('canvas')
    .first()
    .evaluate((canvas: HTMLCanvasElement) => {
      const pixels = canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height).data
      return new Set(new Uint32Array(pixels?.buffer ?? new ArrayBuffer(0))).size
    })

/**
 * Removes Chromium's file pickers, so that the page uses file inputs, as in Firefox and Safari. The pickers emit no
 * `filechooser` event: a test that waits for one calls this before it opens a page.
 */
export const removeFilePickers = (page: Page) =>
  page.addInitScript(() => Object.assign(window, { showOpenFilePicker: undefined, showDirectoryPicker: undefined }))

/** From the next load on, Chromium's file pickers return files or a folder that `storeFiles` has stored. */
export const mockPickers = (page: Page, chosen: { files?: string[]; folder?: string }) =>
  page.addInitScript(({ files = [], folder = '' }) => {
    const root = () => navigator.storage.getDirectory()
    Object.assign(window, {
      showOpenFilePicker: async () => Promise.all(files.map(async (name) => (await root()).getFileHandle(name))),
      showDirectoryPicker: async () => (await root()).getDirectoryHandle(folder),
    })
  }, chosen)

/** Writes files into the origin private file system, by name or by folder and name. */
export async function storeFiles(page: Page, files: Record<string, Buffer>): Promise<void> {
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

/** Opens a context with its own storage. The caller closes it. */
export async function openContext(browser: Browser): Promise<BrowserContext> {
  const { viewport, locale, serviceWorkers } = base.info().project.use
  const context = await browser.newContext({
    baseURL: getPoolUrl(),
    extraHTTPHeaders: makeClientHeaders(),
    ...{ viewport, locale, serviceWorkers },
  })
  await context.addInitScript(observePage)
  return context
}

/** Opens a page in another context with its own storage. The test closes it at its end. */
export async function openOtherBrowser(browser: Browser): Promise<Page> {
  const context = await openContext(browser)
  openedContexts.push(context)
  return context.newPage()
}
