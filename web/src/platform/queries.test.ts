import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

const createStorage = () => {
  const kept: Record<string, string> = {}
  const hidden = { enumerable: false, configurable: true }
  return Object.defineProperties(kept, {
    getItem: { ...hidden, value: (key: string) => kept[key] ?? null },
    setItem: { ...hidden, value: (key: string, text: string) => void Object.assign(kept, { [key]: text }) },
    removeItem: { ...hidden, value: (key: string) => void delete kept[key] },
  })
}
vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('navigator', { onLine: true })

const profileOf = (customer_id: number) => ({ customer_id }) as membership.Profile

/** The page as it is after it was loaded again: only what is stored is left. */
async function loadAgain() {
  vi.resetModules()
  return {
    ...(await import('./queries.ts')),
    ...(await import('./session.ts')),
    ...(await import('./drafts.ts')),
  }
}

beforeEach(() => {
  vi.stubGlobal('localStorage', createStorage())
  vi.stubGlobal('sessionStorage', createStorage())
})

/** Member 7 has a crate on screen, and something typed. */
async function startMemberSession() {
  const page = await loadAgain()
  page.startSession('seven', profileOf(7))
  page.queryClient.setQueryData(['crate'], 'of seven')
  page.saveDraft('profile.7', 'Quay 4')
  return page
}

test('whoever signs out leaves neither answers nor drafts', async () => {
  const { queryClient, clearSession, getDraft } = await startMemberSession()
  clearSession()
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(getDraft('profile.7')).toBe('')
})

test('a session that ended leaves them to the member who comes back', async () => {
  const { queryClient, endSession, startSession, getDraft } = await startMemberSession()
  endSession('seven')
  startSession('seven again', profileOf(7))
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(getDraft('profile.7')).toBe('Quay 4')
})

test('another member who comes after a session that ended finds neither', async () => {
  const { queryClient, endSession, startSession, getDraft } = await startMemberSession()
  endSession('seven')
  startSession('eight', profileOf(8))
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(getDraft('profile.7')).toBe('')
})

test('nor after the page was loaded again, while the same member finds the drafts', async () => {
  await startMemberSession()
  const reloadedPage = await loadAgain()
  reloadedPage.useSession.setState({ profile: profileOf(7) })
  expect(reloadedPage.getDraft('profile.7')).toBe('Quay 4')
  reloadedPage.endSession('seven')
  const otherPage = await loadAgain()
  otherPage.startSession('eight', profileOf(8))
  expect(otherPage.getDraft('profile.7')).toBe('')
})

test('a renewed token and a changed profile leave everything', async () => {
  const { queryClient, renewToken, changeProfile, getDraft } = await startMemberSession()
  renewToken('seven renewed')
  changeProfile({ dj_name: 'Ama' })
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(getDraft('profile.7')).toBe('Quay 4')
})
