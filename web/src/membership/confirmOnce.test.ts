import { beforeEach, expect, test, vi } from 'vitest'

const CONFIRMED = { email: 'ada@demo.test', kind: 'signed_up', application: 'pending', token: null }

const stored = new Map<string, string>()
const server = vi.fn<(address: string, request: RequestInit) => Promise<Response>>()

const confirmed = () => Promise.resolve(Response.json({ data: CONFIRMED }))

const passwordRequiredReply = () => Promise.resolve(Response.json({ code: 'password_required' }, { status: 422 }))

/** Simulates a reload of the page: only stored data remains. */
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

test('requests a link once for parallel calls, later calls, and after a reload', async () => {
  server.mockImplementation(confirmed)
  const { confirmOnce, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await Promise.all([confirmOnce(), confirmOnce()])
  await confirmOnce()
  const retried = await reloadModules()
  expect(await retried.confirmOnce()).toEqual(CONFIRMED)
  expect(server).toHaveBeenCalledTimes(1)
})

test('reuses the reply when a link is opened again in the same tab, and requests another link', async () => {
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

test('requests again after a network error', async () => {
  server.mockRejectedValueOnce(new TypeError('no network')).mockImplementation(confirmed)
  const { confirmOnce, saveConfirmLink } = await reloadModules()
  saveConfirmLink('the-link')
  await expect(confirmOnce()).rejects.toThrow('Can’t reach the server.')
  expect(await confirmOnce()).toEqual(CONFIRMED)
})

test('keeps a link that needs the password until it is confirmed, and then reuses its reply', async () => {
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
