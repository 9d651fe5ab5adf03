import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()
let network = new EventTarget()

const accepted = () => Promise.resolve(Response.json({ data: {} }))
const confirmFailed = (status: number) => () => Promise.resolve(Response.json({ code: 'refused' }, { status }))
const networkError = () => Promise.reject(new TypeError('no network'))

/** The tokens the server was told of, in order. */
const sentTokens = () => server.mock.calls.map(([, { headers }]) => (headers as Record<string, string>).authorization)

/** The page as it is after it was loaded again: only what is stored is left. */
async function reloadModules() {
  vi.resetModules()
  network = new EventTarget()
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  return import('./pendingSignOuts.ts')
}

beforeEach(() => {
  stored.clear()
  server.mockReset()
  vi.stubGlobal('window', {})
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})

test('the server hears at once of whoever signs out, and no token is left here', async () => {
  server.mockImplementation(accepted)
  const { retryPendingSignOuts, signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  expect(sentTokens()).toEqual(['Bearer one'])
  expect(stored.size).toBe(0)
  await retryPendingSignOuts()
  expect(server).toHaveBeenCalledTimes(1)
})

test('a sign-out without a network is told when there is one again', async () => {
  server.mockImplementationOnce(networkError).mockImplementation(accepted)
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(stored.size).toBe(0), { timeout: 20_000 })
  expect(sentTokens()).toEqual(['Bearer one', 'Bearer one'])
})

test('two of them are told after the page was loaded again, also where the server was down first', async () => {
  server.mockImplementationOnce(networkError).mockImplementationOnce(confirmFailed(503)).mockImplementation(accepted)
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  await signOutOnServer('two')
  const { retryPendingSignOuts } = await reloadModules()
  await retryPendingSignOuts()
  expect(sentTokens().slice(2)).toEqual(['Bearer one', 'Bearer two'])
  expect(stored.size).toBe(0)
})

test('a session that was over anyway is not asked after again', async () => {
  server.mockImplementation(confirmFailed(401))
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  expect(stored.size).toBe(0)
})
