import { beforeEach, expect, test, vi } from 'vitest'

const CONFIRMED = { email: 'ada@demo.test', what: 'signed_up', application: 'pending', token: null }

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()

const confirmed = () => Promise.resolve(Response.json({ data: CONFIRMED }))

const passwordRequiredReply = () => Promise.resolve(Response.json({ code: 'password_required' }, { status: 422 }))

/** The page as it is after it was loaded again: only what is stored is left. */
async function reloadModules() {
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
  const { confirmOnce, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await Promise.all([confirmOnce(), confirmOnce()])
  await confirmOnce()
  const retried = await reloadModules()
  expect(await retried.confirmOnce()).toEqual(CONFIRMED)
  expect(server).toHaveBeenCalledTimes(1)
})

test('a link opened once more in the same tab keeps its answer, another link is asked of', async () => {
  server.mockImplementation(confirmed)
  const { confirmOnce, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await confirmOnce()
  saveConfirmLink('the-link')
  await confirmOnce()
  expect(server).toHaveBeenCalledTimes(1)
  saveConfirmLink('another')
  await confirmOnce()
  expect(server).toHaveBeenCalledTimes(2)
})

test('what the network kept from being asked is asked again', async () => {
  server.mockRejectedValueOnce(new TypeError('no network')).mockImplementation(confirmed)
  const { confirmOnce, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await expect(confirmOnce()).rejects.toThrow('Can’t reach the server.')
  expect(await confirmOnce()).toEqual(CONFIRMED)
})

test('a link that takes the password of the sign-up is good until it has been said, and keeps its answer then', async () => {
  server
    .mockImplementationOnce(passwordRequiredReply)
    .mockImplementationOnce(passwordRequiredReply)
    .mockImplementation(confirmed)
  const { confirmOnce, confirmWith, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await expect(confirmOnce()).rejects.toMatchObject({ code: 'password_required' })
  await expect(confirmOnce()).rejects.toMatchObject({ code: 'password_required' })
  expect(await confirmWith('violet tram')).toEqual(CONFIRMED)
  expect(server).toHaveBeenLastCalledWith(
    expect.anything(),
    expect.objectContaining({ body: '{"token":"the-link","password":"violet tram"}' }),
  )
  const retried = await reloadModules()
  expect(await retried.confirmOnce()).toEqual(CONFIRMED)
  expect(await retried.confirmWith('violet tram')).toEqual(CONFIRMED)
  expect(server).toHaveBeenCalledTimes(3)
})
