import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

const createStorage = () => {
  const stored: Record<string, string> = {}
  const hidden = { enumerable: false, configurable: true }
  return Object.defineProperties(stored, {
    getItem: { ...hidden, value: (key: string) => stored[key] ?? null },
    setItem: { ...hidden, value: (key: string, text: string) => void Object.assign(stored, { [key]: text }) },
    removeItem: { ...hidden, value: (key: string) => void delete stored[key] },
  })
}

const profileOf = (customer_id: number) => ({ customer_id }) as membership.Profile

/** Simulates a reload of the page: only stored data remains. */
async function loadAgain() {
  vi.resetModules()
  return {
    ...(await import('./queries.ts')),
    ...(await import('./session.ts')),
    ...(await import('./drafts.ts')),
  }
}

beforeEach(() => {
  vi.stubGlobal('addEventListener', () => undefined)
  vi.stubGlobal('navigator', { onLine: true })
  vi.stubGlobal('localStorage', createStorage())
  vi.stubGlobal('sessionStorage', createStorage())
})

/** Signs in as member 7 with a crate on screen and a draft. */
async function startMemberSession() {
  const page = await loadAgain()
  page.startSession('seven', profileOf(7))
  page.queryClient.setQueryData(['crate'], 'of seven')
  page.saveDraft('profile.7', 'Quay 4')
  return page
}

test('clears replies and drafts on sign-out', async () => {
  const { queryClient, clearSession, getDraft } = await startMemberSession()
  clearSession()
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(getDraft('profile.7')).toBe('')
})

test('keeps them for a member who signs in again after the session ended', async () => {
  const { queryClient, endSession, startSession, getDraft } = await startMemberSession()
  endSession('seven')
  startSession('seven again', profileOf(7))
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(getDraft('profile.7')).toBe('Quay 4')
})

test('clears them when another member signs in after a session ended', async () => {
  const { queryClient, endSession, startSession, getDraft } = await startMemberSession()
  endSession('seven')
  startSession('eight', profileOf(8))
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(getDraft('profile.7')).toBe('')
})

test('clears them after a reload too, but keeps the drafts for the same member', async () => {
  await startMemberSession()
  const reloadedPage = await loadAgain()
  reloadedPage.useSession.setState({ profile: profileOf(7) })
  expect(reloadedPage.getDraft('profile.7')).toBe('Quay 4')
  reloadedPage.endSession('seven')
  const otherPage = await loadAgain()
  otherPage.startSession('eight', profileOf(8))
  expect(otherPage.getDraft('profile.7')).toBe('')
})

test('keeps everything when the token is renewed or the profile changes', async () => {
  const { queryClient, renewToken, changeProfile, getDraft } = await startMemberSession()
  renewToken('seven renewed')
  changeProfile({ dj_name: 'Ama' })
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(getDraft('profile.7')).toBe('Quay 4')
})

const EMBEDDED_KEY = ['list.json', { page: 1 }]

/** Opens a page with a reply that the server wrote into it at `time`. */
async function openPageOf(time: number) {
  const textContent = JSON.stringify({ time, replies: [[EMBEDDED_KEY, { data: 'of the page' }]] })
  const { queryClient, addEmbeddedReplies } = await loadAgain()
  vi.stubGlobal('document', { getElementById: () => ({ textContent }) })
  addEmbeddedReplies()
  vi.unstubAllGlobals()
  return queryClient.getQueryState(EMBEDDED_KEY)
}

test('uses the replies in the page, as old as they are', async () => {
  const time = Date.now() - 10_000
  expect(await openPageOf(time)).toMatchObject({ data: 'of the page', dataUpdatedAt: time })
})

test.each([-60_000, 60_000])('ignores replies that are %d ms from now', async (offset_ms) => {
  expect(await openPageOf(Date.now() + offset_ms)).toBeUndefined()
})
