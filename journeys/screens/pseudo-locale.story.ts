// Walks through the screens in a pseudo-language, whose texts are a third longer, accented and in brackets: nothing may be
// wider than the window, and every word must come from a catalogue (texts.ts) or from the pool's data.
import { execFile } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { catalogue, playlists, spotlights } from '@dubplate/contract'
import type { Page, Request } from '@playwright/test'
import { callApi, expect, getDemoSongs, getFirst, getToken, test } from '../support.ts'
import { DESKTOP, PHONE, visit } from './check.ts'

const root = path.join(import.meta.dirname, '../..')

let build: string
test.beforeAll(async () => {
  build = mkdtempSync(path.join(tmpdir(), 'dubplate-pseudo-'))
  const vite = path.join(root, 'node_modules/vite/bin/vite.js')
  await promisify(execFile)(
    process.execPath,
    [vite, 'build', '--outDir', build, '--emptyOutDir', '--logLevel', 'error'],
    {
      cwd: path.join(root, 'web'),
      env: { ...process.env, DUBPLATE_LANGUAGE: 'pseudo' },
    },
  )
})
test.afterAll(() => rmSync(build, { recursive: true, force: true }))

test.use({ serviceWorkers: 'block' })

const EMAIL = 'nobody@demo.test'

const VISITOR_ADDRESSES = [
  '/recentPlayed',
  '/recentPlayed?dialog=sign-in',
  '/recentPlayed?dialog=create-account',
  '/recentPlayed?dialog=recover',
  '/confirm/a-link',
  `/reset-password/${EMAIL}/no-such-link`,
  '/uploads/index',
  '/support/faqs',
]

/** The screens that members and staff reach by an address alone. */
const ADDRESSES = [
  '/',
  '/charts',
  '/newRelease',
  '/genres/index',
  '/spotlight/index',
  '/top20/tracks',
  '/search/result/nothing-like-this',
  '/crate',
  '/favourite-songs',
  '/recentPlayed',
  '/playlist',
  '/searches',
  '/dj-library',
  '/news',
  '/account/update',
  '/account/change-password',
  '/account/security',
  '/account/display',
  '/account/cloud',
  '/cloud/dropbox',
  '/account/download-profiles',
  '/account/download-profiles?profile=new',
  '/account/notices',
  '/account/data',
  '/account/manage-subscription',
  '/account/billing',
  '/notices',
  '/download-rescue',
  '/uploads/index',
  '/uploads/new',
  '/support/faqs',
  '/tickets/all',
  '/subscription/plans',
  '/subscription/failed',
  '/contact',
  '/career/listing',
  '/?dialog=keys',
  '/staff',
  '/staff/saved-replies',
  '/staff/storage',
  '/staff/applications',
  '/staff/outgoing-mail',
  '/staff/payments',
  '/staff/plans',
  '/staff/coupons',
  '/staff/subscriptions',
  '/staff/invoices',
  '/staff/reports',
  '/staff/uploads',
  '/staff/curation',
  '/staff/songs',
  '/staff/genres',
  '/staff/import',
  '/staff/announcements',
  '/staff/merchandise',
  '/staff/pages',
  '/staff/tickets',
  '/staff/help-articles',
  '/staff/members',
  '/staff/audit',
  '/staff/jobs',
  '/staff/settings',
  '/staff/careers',
  '/staff/appearance',
]

/** Addresses with an id, from the demo's data. */
async function findAddresses(): Promise<string[]> {
  const token = await getToken('staff@demo.test')
  const { genres } = await callApi(catalogue.getGenresWithCount, {})
  const { curatedlist } = await callApi(spotlights.getSpotlights, {})
  const { playlists: own } = await callApi(playlists.getPlaylists, {}, token)
  const song = getFirst(await getDemoSongs(1)).entity_id
  return [
    `/genres/view/${getFirst(genres).genre_id}`,
    `/spotlight/view/${getFirst(curatedlist).curated_list_id}`,
    `/playlist/${getFirst(own).playlist_id}`,
    `/song/${song}`,
    `/staff/songs/${song}`,
    '/staff/members/1',
  ]
}

/** Serves the build in the pseudo-language instead of the pool's own, inside the pool's page. */
async function serveBuild(page: Page): Promise<void> {
  const withoutHash = (asset: string) => asset.replace(/-[\w-]{7,8}(\.\w+)$/, '$1')
  const assets = readdirSync(path.join(build, 'assets')).map((name) => `/assets/${name}`)
  const assetOf = new Map(assets.map((asset) => [withoutHash(asset), asset]))
  await page.route('**/assets/**', (route) => {
    const { pathname } = new URL(route.request().url())
    return assets.includes(pathname)
      ? route.fulfill({ path: path.join(build, pathname) })
      : route.fulfill({ status: 404 })
  })
  await page.route(
    (url) => !/\.\w+$|^\/(?:api|assets|media)\//.test(url.pathname),
    async (route) => {
      if (route.request().resourceType() !== 'document') return route.fallback()
      const response = await route.fetch()
      const html = await response.text()
      const body = html.replace(/\/assets\/[\w.-]+/g, (asset) => assetOf.get(withoutHash(asset)) ?? asset)
      await route.fulfill({ response, body })
    },
  )
}

/** The replies that the server wrote into the home page. */
const embeddedReplies = (page: string): unknown => JSON.parse(/id="replies">([^<]*)/.exec(page)?.[1] ?? 'null')

/** Collects every word of the API's replies, also of those in a page: data, which no language changes. */
function collectData(page: Page): () => Promise<Set<string>> {
  const replies: Promise<unknown>[] = []
  page.on('response', (response) => {
    if (response.url().includes('/api/')) replies.push(response.json().catch(() => undefined))
    else if (response.request().resourceType() === 'document')
      replies.push(response.text().then(embeddedReplies, () => undefined))
  })
  const words = new Set<string>()
  const add = (value: unknown): void => {
    if (typeof value === 'string') for (const word of wordsIn(value)) words.add(word)
    else if (value && typeof value === 'object')
      for (const [key, each] of Object.entries(value)) [key, each].forEach(add)
  }
  return async () => {
    for (const reply of await Promise.all(replies)) add(reply)
    return words
  }
}

/** Words of three letters and more; shorter ones are units and keys. Fields of an import's pattern, as {artist}, are none. */
const wordsIn = (text: string) =>
  (text.replace(/\{\w+\}/g, '').match(/\p{L}{3,}/gu) ?? []).map((word) => word.toLowerCase())

/** How far the page is wider than the window, and the innermost elements that stick out; undefined if it fits. */
const findOverflow = (page: Page) =>
  page.evaluate(() => {
    const overflow_px = document.documentElement.scrollWidth - innerWidth
    if (overflow_px <= 0) return undefined
    const sticksOut = (element: Element) => element.getBoundingClientRect().left + element.scrollWidth > innerWidth
    const innermost = [...document.querySelectorAll('body *')].filter(
      (element) => sticksOut(element) && ![...element.children].some(sticksOut),
    )
    return `${overflow_px} px: ${innermost.map(({ outerHTML }) => outerHTML.slice(0, 100)).join(', ')}`
  })

/** The texts on the screen with unaccented words, with names of buttons, fields and pictures. */
const findPlainTexts = (page: Page) =>
  page.evaluate(() => {
    const texts: string[] = []
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let node = walker.nextNode(); node; node = walker.nextNode())
      if (!node.parentElement?.closest('script, style, noscript, code, kbd')) texts.push(node.nodeValue ?? '')
    // Mantine measures growing text areas with a hidden one, which it names.
    for (const element of document.querySelectorAll('body *:not(textarea[aria-hidden])'))
      for (const name of ['aria-label', 'placeholder', 'title', 'alt']) texts.push(element.getAttribute(name) ?? '')
    return [...new Set(texts.map((text) => text.trim()))].filter((text) => /[a-z]{3}/i.test(text))
  })

/** Dates and sizes, which Intl writes, and names that are the same in every language. */
const UNTRANSLATED = new Set(
  'jan feb mar apr may jun jul aug sep oct nov dec january february march april june july august september october november december monday tuesday wednesday thursday friday saturday sunday mon tue wed thu fri sat sun utc bpm mb gb kb isrc faq pdf csv excel stripe paypal visa mastercard discover amex soundcloud mixcloud instagram google apple pay dubplate rekordbox dropbox drive serato traktor virtualdj mixxx engine dj'.split(
    ' ',
  ),
)

/** Counts requests of the page that have not ended. */
function countRequests(page: Page): () => number {
  const pending = new Set<Request>()
  // The live updates of a ticket or upload never end.
  page.on('request', (request) => request.resourceType() !== 'eventsource' && pending.add(request))
  page.on('requestfinished', (request) => pending.delete(request))
  page.on('requestfailed', (request) => pending.delete(request))
  return () => pending.size
}

/** An address without a screen, which is open between two screens: the next heading is that of a new screen. */
const BLANK_ADDRESS = '/no/such/page'

/** Opens the addresses one after another, and checks that each fits the window and has all texts from a catalogue. */
async function walk(page: Page, addresses: readonly string[]): Promise<void> {
  const dataWords = collectData(page)
  const pendingRequests = countRequests(page)
  await serveBuild(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await page.goto(BLANK_ADDRESS)
  const heading = page.locator('main :is(h1, h2)').first()
  await expect(heading).not.toBeEmpty()
  const blankHeading = (await heading.textContent()) ?? ''
  const texts = new Map<string, string>()
  const collectTexts = async (address: string) => {
    for (const window of [DESKTOP, PHONE]) {
      await page.setViewportSize(window)
      await expect.poll(() => findOverflow(page), `${address} at ${window.width} px`).toBeUndefined()
    }
    for (const text of await findPlainTexts(page)) if (!texts.has(text)) texts.set(text, address)
    await page.setViewportSize(DESKTOP)
  }
  await collectTexts(BLANK_ADDRESS)
  // Loading the app takes longer than checking a screen, so the app stays open.
  for (const address of addresses) {
    await visit(page, address)
    await expect(heading, address).not.toHaveText(blankHeading)
    await expect(heading, address).not.toBeEmpty()
    // Texts that come with a reply count too.
    await expect(page.locator('[aria-busy=true]'), address).toHaveCount(0)
    await expect.poll(pendingRequests, `pending requests at ${address}`).toBe(0)
    await collectTexts(address)
    await visit(page, BLANK_ADDRESS)
    await expect(heading).toHaveText(blankHeading)
  }
  const data = new Set([...(await dataWords()), ...wordsIn(EMAIL)])
  const isKnown = (word: string) => /[^a-z]/.test(word) || data.has(word) || UNTRANSLATED.has(word)
  const plainTexts = [...texts].filter(([text]) => !wordsIn(text).every(isKnown))
  expect(plainTexts.map(([text, address]) => `${address}: ${text}`)).toEqual([])
}

test('shows visitors no text outside the catalogues and nothing wider than the window', async ({ page }) => {
  test.slow()
  await page.addInitScript(() => sessionStorage.setItem('dubplate.applicant', '{"token":"a token"}'))
  await walk(page, [...VISITOR_ADDRESSES, '/recentPlayed?dialog=apply'])
})

test('shows members and staff no text outside the catalogues and nothing wider than the window', async ({ page }) => {
  test.setTimeout(600_000)
  await page.addInitScript((token) => localStorage.setItem('dubplate.token', token), await getToken('staff@demo.test'))
  await walk(page, [...ADDRESSES, ...(await findAddresses())])
})
