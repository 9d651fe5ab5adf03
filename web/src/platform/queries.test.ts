import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

const memory = () => {
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
  vi.stubGlobal('localStorage', memory())
  vi.stubGlobal('sessionStorage', memory())
})

/** Member 7 has a crate on screen, and something typed. */
async function aMemberAtWork() {
  const page = await loadAgain()
  page.startSession('seven', profileOf(7))
  page.queryClient.setQueryData(['crate'], 'of seven')
  page.keepDraft('profile.7', 'Quay 4')
  return page
}

test('whoever signs out leaves neither answers nor drafts', async () => {
  const { queryClient, forgetSession, draftOf } = await aMemberAtWork()
  forgetSession()
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(draftOf('profile.7')).toBe('')
})

test('a session that ended leaves them to the member who comes back', async () => {
  const { queryClient, endSession, startSession, draftOf } = await aMemberAtWork()
  endSession('seven')
  startSession('seven again', profileOf(7))
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(draftOf('profile.7')).toBe('Quay 4')
})

test('another member who comes after a session that ended finds neither', async () => {
  const { queryClient, endSession, startSession, draftOf } = await aMemberAtWork()
  endSession('seven')
  startSession('eight', profileOf(8))
  expect(queryClient.getQueryData(['crate'])).toBeUndefined()
  expect(draftOf('profile.7')).toBe('')
})

test('nor after the page was loaded again, while the same member finds the drafts', async () => {
  await aMemberAtWork()
  const same = await loadAgain()
  same.useSession.setState({ profile: profileOf(7) })
  expect(same.draftOf('profile.7')).toBe('Quay 4')
  same.endSession('seven')
  const other = await loadAgain()
  other.startSession('eight', profileOf(8))
  expect(other.draftOf('profile.7')).toBe('')
})

test('a renewed token and a changed profile leave everything', async () => {
  const { queryClient, renewToken, changeProfile, draftOf } = await aMemberAtWork()
  renewToken('seven renewed')
  changeProfile({ dj_name: 'Ama' })
  expect(queryClient.getQueryData(['crate'])).toBe('of seven')
  expect(draftOf('profile.7')).toBe('Quay 4')
})
