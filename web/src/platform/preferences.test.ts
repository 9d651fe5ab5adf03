import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

/** The page's event target; a new one for each page. */
let listening = new EventTarget()
const storedValues = new Map<string, string>()
const appliedAttributes = new Map<string, string>()
Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true })
Object.assign(globalThis, {
  window: {},
  addEventListener: (name: string, listener: EventListener) => listening.addEventListener(name, listener),
  localStorage: {
    getItem: (key: string) => storedValues.get(key) ?? null,
    setItem: (key: string, value: string) => void storedValues.set(key, value),
    removeItem: (key: string) => void storedValues.delete(key),
  },
  document: {
    documentElement: { setAttribute: (name: string, value: string) => void appliedAttributes.set(name, value) },
    querySelector: () => null,
  },
})

const DISPLAY = { notation: 'open', scheme: 'light', preview_loudness: 'original' } satisfies membership.Display
const profile = (display: membership.Display | null) => ({ customer_id: 7, display }) as membership.Profile

/** The saves the server received, oldest first; it replies when the test lets it. */
let savedDisplays: membership.Display[] = []
let pendingResponses: ((reply: Response | Error) => void)[] = []

/** Longer than a busy machine takes: the test checks that it happens, not how soon. */
const WITHIN = { timeout: 20_000 }

/** Waits until this number of calls has arrived at the server. */
const waitForSaves = (times: number) => vi.waitFor(() => expect(savedDisplays).toHaveLength(times), WITHIN)

const respond = (reply: Response | Error) => pendingResponses.shift()?.(reply)

const saved = (display: unknown) => new Response(JSON.stringify({ data: { display } }))

/** Opens the page: the modules are loaded again, localStorage is kept. */
const open = async () => {
  vi.resetModules()
  listening = new EventTarget()
  const preferences = await import('./preferences.ts')
  const session = await import('./session.ts')
  return { ...preferences, ...session, get: preferences.usePreferences.getState }
}

beforeEach(() => {
  storedValues.clear()
  appliedAttributes.clear()
  savedDisplays = []
  pendingResponses = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    savedDisplays.push(JSON.parse(body))
    return new Promise((resolve, reject) =>
      pendingResponses.push((reply) => (reply instanceof Error ? reject(reply) : resolve(reply))),
    )
  })
})

test('stores a visitor’s choices in the browser only', async () => {
  const before = await open()
  before.chooseNotation('musical')
  before.chooseLoudness('original')
  expect(savedDisplays).toEqual([])
  expect((await open()).get()).toEqual({
    ...{ notation: 'musical', scheme: 'dark', loudness: 'original' },
    zipFormat: 'original',
  })
})

test('applies a member’s choices from another browser after the sign-in', async () => {
  const page = await open()
  page.chooseNotation('musical')
  page.startSession('token', profile(DISPLAY))
  expect(page.get()).toEqual({ notation: 'open', scheme: 'light', loudness: 'original', zipFormat: 'original' })
  expect(appliedAttributes.get('data-mantine-color-scheme')).toBe('light')
  expect((await open()).get().notation).toBe('open')
  expect(savedDisplays).toEqual([])
})

test('keeps this browser’s choices for a member who has never chosen', async () => {
  const page = await open()
  page.chooseNotation('musical')
  page.startSession('token', profile(null))
  expect(page.get().notation).toBe('musical')
})

test('saves a member’s choice with the account', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseScheme('light')
  await waitForSaves(1)
  expect(savedDisplays).toEqual([{ notation: 'camelot', scheme: 'light', preview_loudness: 'even' }])
  respond(saved(savedDisplays[0]))
  await vi.waitFor(() => expect(page.useSession.getState().profile?.display).toEqual(savedDisplays[0]), WITHIN)
})

test('keeps the last of several quick choices', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseNotation('musical')
  await waitForSaves(1)
  page.chooseNotation('open')
  page.chooseNotation('camelot')
  respond(saved(savedDisplays[0]))
  await waitForSaves(2)
  expect(savedDisplays.map(({ notation }) => notation)).toEqual(['musical', 'camelot'])
  respond(saved(savedDisplays[1]))
  await vi.waitFor(() => expect(page.useSession.getState().profile?.display?.notation).toBe('camelot'), WITHIN)
  expect(page.get().notation).toBe('camelot')
})

test('does not revert a choice that is being saved when a profile arrives', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseNotation('musical')
  await waitForSaves(1)
  page.changeProfile({ display: DISPLAY })
  expect(page.get().notation).toBe('musical')
})

test('saves a choice made offline once there is a connection', async () => {
  const { startSession, chooseNotation } = await open()
  startSession('token', profile(null))
  chooseNotation('musical')
  await waitForSaves(1)
  respond(new TypeError('no network'))
  await vi.waitFor(() => {
    listening.dispatchEvent(new Event('online'))
    expect(savedDisplays).toHaveLength(2)
  }, WITHIN)
  expect(savedDisplays[1]?.notation).toBe('musical')
})
