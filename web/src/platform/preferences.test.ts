import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

/** What the page listens with; anew for each page. */
let listening = new EventTarget()
const kept = new Map<string, string>()
const painted = new Map<string, string>()
Object.defineProperty(globalThis, 'navigator', { value: { onLine: false }, configurable: true })
Object.assign(globalThis, {
  window: {},
  addEventListener: (name: string, listener: EventListener) => listening.addEventListener(name, listener),
  localStorage: {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  },
  document: {
    documentElement: { setAttribute: (name: string, value: string) => void painted.set(name, value) },
    querySelector: () => null,
  },
})

const DISPLAY = { notation: 'open', scheme: 'light', preview_loudness: 'original' } satisfies membership.Display
const profile = (display: membership.Display | null) => ({ customer_id: 7, display }) as membership.Profile

/** What the server was told, oldest first; it answers when the test lets it. */
let told: membership.Display[] = []
let answers: ((reply: Response | Error) => void)[] = []

/** Longer than a busy machine takes: that it comes is the test, not how soon. */
const WITHIN = { timeout: 20_000 }

/** So many calls have arrived at the server. */
const untilTold = (times: number) => vi.waitFor(() => expect(told).toHaveLength(times), WITHIN)

const answer = (reply: Response | Error) => answers.shift()?.(reply)

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
  kept.clear()
  painted.clear()
  told = []
  answers = []
  vi.stubGlobal('fetch', (_: string, { body }: { body: string }) => {
    told.push(JSON.parse(body))
    return new Promise((resolve, reject) =>
      answers.push((reply) => (reply instanceof Error ? reject(reply) : resolve(reply))),
    )
  })
})

test('a visitor’s choices stay in the browser, and nobody is told', async () => {
  const before = await open()
  before.chooseNotation('musical')
  before.chooseLoudness('original')
  expect(told).toEqual([])
  expect((await open()).get()).toEqual({ notation: 'musical', scheme: 'dark', loudness: 'original' })
})

test('a member’s choices from another browser win on sign-in, and are painted', async () => {
  const page = await open()
  page.chooseNotation('musical')
  page.startSession('token', profile(DISPLAY))
  expect(page.get()).toEqual({ notation: 'open', scheme: 'light', loudness: 'original' })
  expect(painted.get('data-mantine-color-scheme')).toBe('light')
  expect((await open()).get().notation).toBe('open')
  expect(told).toEqual([])
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
  await untilTold(1)
  expect(told).toEqual([{ notation: 'camelot', scheme: 'light', preview_loudness: 'even' }])
  answer(saved(told[0]))
  await vi.waitFor(() => expect(page.useSession.getState().profile?.display).toEqual(told[0]), WITHIN)
})

test('of choices made quickly the last one is what stays', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseNotation('musical')
  await untilTold(1)
  page.chooseNotation('open')
  page.chooseNotation('camelot')
  answer(saved(told[0]))
  await untilTold(2)
  expect(told.map(({ notation }) => notation)).toEqual(['musical', 'camelot'])
  answer(saved(told[1]))
  await vi.waitFor(() => expect(page.useSession.getState().profile?.display?.notation).toBe('camelot'), WITHIN)
  expect(page.get().notation).toBe('camelot')
})

test('a profile that arrives while a choice is on its way does not take it back', async () => {
  const page = await open()
  page.startSession('token', profile(null))
  page.chooseNotation('musical')
  await untilTold(1)
  page.changeProfile({ display: DISPLAY })
  expect(page.get().notation).toBe('musical')
})

test('a choice made without a network is told once there is one', async () => {
  const { startSession, chooseNotation } = await open()
  startSession('token', profile(null))
  chooseNotation('musical')
  await untilTold(1)
  answer(new TypeError('no network'))
  await vi.waitFor(() => {
    listening.dispatchEvent(new Event('online'))
    expect(told).toHaveLength(2)
  }, WITHIN)
  expect(told[1]?.notation).toBe('musical')
})
