import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

/** What the page listens with; anew for each page. */
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

/** What the server was told, oldest first; it answers when the test lets it. */
let savedDisplays: membership.Display[] = []
let pendingResponses: ((reply: Response | Error) => void)[] = []

/** Longer than a busy machine takes: that it comes is the test, not how soon. */
const WITHIN = { timeout: 20_000 }

/** So many calls have arrived at the server. */
const waitForSaves = (times: number) => vi.waitFor(() => expect(savedDisplays).toHaveLength(times), WITHIN)

const respond = (reply: Response | Error) => pendingResponses.shift()?.(reply)

const saved = (display: unknown) => new Response(JSON.stringify({ data: { display } }))

/** Opens the page: the modules are loaded anew, what localStorage holds stays. */
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

test('a visitor’s choices stay in the browser, and nobody is told', async () => {
  const before = await open()
  before.chooseNotation('musical')
  before.chooseLoudness('original')
  expect(savedDisplays).toEqual([])
  expect((await open()).get()).toEqual({ notation: 'musical', scheme: 'dark', loudness: 'original' })
})

test('a member’s choices from another browser win on sign-in, and are painted', async () => {
  const page = await open()
  page.chooseNotation('musical')
  page.startSession('token', profile(DISPLAY))
  expect(page.get()).toEqual({ notation: 'open', scheme: 'light', loudness: 'original' })
  expect(appliedAttributes.get('data-mantine-color-scheme')).toBe('light')
  expect((await open()).get().notation).toBe('open')
  expect(savedDisplays).toEqual([])
})

test('a member who has never chosen keeps what this browser has', async () => {
  const page = await open()
  page.chooseNotation('musical')
  page.startSession('token', profile(null))
  expect(page.get().notation).toBe('musical')
})

test('a member’s choice is saved with the account', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseScheme('light')
  await waitForSaves(1)
  expect(savedDisplays).toEqual([{ notation: 'camelot', scheme: 'light', preview_loudness: 'even' }])
  respond(saved(savedDisplays[0]))
  await vi.waitFor(() => expect(page.useSession.getState().profile?.display).toEqual(savedDisplays[0]), WITHIN)
})

test('of choices made quickly the last one is what stays', async () => {
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

test('a profile that arrives while a choice is on its way does not take it back', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseNotation('musical')
  await waitForSaves(1)
  page.changeProfile({ display: DISPLAY })
  expect(page.get().notation).toBe('musical')
})

test('a choice made without a network is told once there is one', async () => {
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
