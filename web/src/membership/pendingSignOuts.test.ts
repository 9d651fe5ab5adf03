import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()
let network = new EventTarget()

const accepted = () => Promise.resolve(Response.json({ data: {} }))
const errorReply = (status: number) => () => Promise.resolve(Response.json({ code: 'refused' }, { status }))
const networkError = () => Promise.reject(new TypeError('no network'))

/** The tokens sent to the server, in order. */
const sentTokens = () => server.mock.calls.map(([, { headers }]) => (headers as Record<string, string>).authorization)

/** Simulates a reload of the page: only stored data remains. */
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

test('signs out on the server at once and stores no token', async () => {
  server.mockImplementation(accepted)
  const { retryPendingSignOuts, signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  expect(sentTokens()).toEqual(['Bearer one'])
  expect(stored.size).toBe(0)
  await retryPendingSignOuts()
  expect(server).toHaveBeenCalledTimes(1)
})

test('sends a sign-out made offline when there is a connection again', async () => {
  server.mockImplementationOnce(networkError).mockImplementation(accepted)
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(stored.size).toBe(0), { timeout: 20_000 })
  expect(sentTokens()).toEqual(['Bearer one', 'Bearer one'])
})

test('sends two sign-outs after a reload, also when the server was down at first', async () => {
  server.mockImplementationOnce(networkError).mockImplementationOnce(errorReply(503)).mockImplementation(accepted)
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  await signOutOnServer('two')
  const { retryPendingSignOuts } = await reloadModules()
  await retryPendingSignOuts()
  expect(sentTokens().slice(2)).toEqual(['Bearer one', 'Bearer two'])
  expect(stored.size).toBe(0)
})

test('does not retry for a session that had already ended', async () => {
  server.mockImplementation(errorReply(401))
  const { signOutOnServer } = await reloadModules()
  await signOutOnServer('one')
  expect(stored.size).toBe(0)
})
