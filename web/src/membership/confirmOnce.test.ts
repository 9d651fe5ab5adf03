import { beforeEach, expect, test, vi } from 'vitest'

const CONFIRMED = { email: 'ada@demo.test', what: 'signed_up', application: 'pending', token: null }

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()

const confirmed = () => Promise.resolve(Response.json({ data: CONFIRMED }))

const passwordNeeded = () => Promise.resolve(Response.json({ code: 'password_required' }, { status: 422 }))

/** The page as it is after it was loaded again: only what is stored is left. */
async function loadAgain() {
  vi.resetModules()
  return { ...(await import('./mailedLinks.ts')), ...(await import('./confirmOnce.ts')) }
}

beforeEach(() => {
  stored.clear()
  server.mockReset()
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('window', {})
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', { getItem: () => null })
  vi.stubGlobal('fetch', server)
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => void stored.set(key, value),
    removeItem: (key: string) => void stored.delete(key),
  })
})

test('a link is asked of once, by two at once, later, and after the page was loaded again', async () => {
  server.mockImplementation(confirmed)
  const { confirmOnce, keepConfirmLink } = await loadAgain()
  keepConfirmLink('the-link')
  await Promise.all([confirmOnce(), confirmOnce()])
  await confirmOnce()
  const again = await loadAgain()
  expect(await again.confirmOnce()).toEqual(CONFIRMED)
  expect(server).toHaveBeenCalledTimes(1)
})

test('a link opened once more in the same tab keeps its answer, another link is asked of', async () => {
  server.mockImplementation(confirmed)
  const { confirmOnce, keepConfirmLink } = await loadAgain()
  keepConfirmLink('the-link')
  await confirmOnce()
  keepConfirmLink('the-link')
  await confirmOnce()
  expect(server).toHaveBeenCalledTimes(1)
  keepConfirmLink('another')
  await confirmOnce()
  expect(server).toHaveBeenCalledTimes(2)
})

test('what the network kept from being asked is asked again', async () => {
  server.mockRejectedValueOnce(new TypeError('no network')).mockImplementation(confirmed)
  const { confirmOnce, keepConfirmLink } = await loadAgain()
  keepConfirmLink('the-link')
  await expect(confirmOnce()).rejects.toThrow('Can’t reach the server.')
  expect(await confirmOnce()).toEqual(CONFIRMED)
})

test('a link that takes the password of the sign-up is good until it has been said, and keeps its answer then', async () => {
  server.mockImplementationOnce(passwordNeeded).mockImplementationOnce(passwordNeeded).mockImplementation(confirmed)
  const { confirmOnce, confirmWith, keepConfirmLink } = await loadAgain()
  keepConfirmLink('the-link')
  await expect(confirmOnce()).rejects.toMatchObject({ code: 'password_required' })
  await expect(confirmOnce()).rejects.toMatchObject({ code: 'password_required' })
  expect(await confirmWith('violet tram')).toEqual(CONFIRMED)
  expect(server).toHaveBeenLastCalledWith(
    expect.anything(),
    expect.objectContaining({ body: '{"token":"the-link","password":"violet tram"}' }),
  )
  const again = await loadAgain()
  expect(await again.confirmOnce()).toEqual(CONFIRMED)
  expect(await again.confirmWith('violet tram')).toEqual(CONFIRMED)
  expect(server).toHaveBeenCalledTimes(3)
})
