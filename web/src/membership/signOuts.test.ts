import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()
let network = new EventTarget()

const taken = () => Promise.resolve(Response.json({ data: {} }))
const refused = (status: number) => () => Promise.resolve(Response.json({ code: 'refused' }, { status }))
const away = () => Promise.reject(new TypeError('no network'))

/** The tokens the server was told of, in order. */
const told = () => server.mock.calls.map(([, { headers }]) => (headers as Record<string, string>).authorization)

/** The page as it is after it was loaded again: only what is stored is left. */
async function loadAgain() {
  vi.resetModules()
  network = new EventTarget()
  vi.stubGlobal('addEventListener', network.addEventListener.bind(network))
  return import('./signOuts.ts')
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
  server.mockImplementation(taken)
  const { endLeft, endOnServer } = await loadAgain()
  await endOnServer('one')
  expect(told()).toEqual(['Bearer one'])
  expect(stored.size).toBe(0)
  await endLeft()
  expect(server).toHaveBeenCalledTimes(1)
})

test('a sign-out without a network is told when there is one again', async () => {
  server.mockImplementationOnce(away).mockImplementation(taken)
  const { endOnServer } = await loadAgain()
  await endOnServer('one')
  network.dispatchEvent(new Event('online'))
  await vi.waitFor(() => expect(stored.size).toBe(0), { timeout: 20_000 })
  expect(told()).toEqual(['Bearer one', 'Bearer one'])
})

test('two of them are told after the page was loaded again, also where the server was down first', async () => {
  server.mockImplementationOnce(away).mockImplementationOnce(refused(503)).mockImplementation(taken)
  const { endOnServer } = await loadAgain()
  await endOnServer('one')
  await endOnServer('two')
  const { endLeft } = await loadAgain()
  await endLeft()
  expect(told().slice(2)).toEqual(['Bearer one', 'Bearer two'])
  expect(stored.size).toBe(0)
})

test('a session that was over anyway is not asked after again', async () => {
  server.mockImplementation(refused(401))
  const { endOnServer } = await loadAgain()
  await endOnServer('one')
  expect(stored.size).toBe(0)
})
