import type { membership } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()
vi.stubGlobal('addEventListener', () => undefined)
const tabStorage = new Map<string, string>()
const storageOf = (map: Map<string, string>) => ({
  getItem: (key: string) => map.get(key) ?? null,
  setItem: (key: string, value: string) => void map.set(key, value),
  removeItem: (key: string) => void map.delete(key),
})
vi.stubGlobal('localStorage', storageOf(stored))
vi.stubGlobal('sessionStorage', storageOf(tabStorage))
vi.stubGlobal('history', { replaceState: () => void Object.assign(location, { hash: '' }) })
vi.stubGlobal('location', { hash: '', pathname: '/' })
const { endSession, isMemberView, renewToken, startSession, useSession } = await import('./session.ts')

const profile = { customer_id: 7 } as membership.Profile

beforeEach(() => {
  stored.clear()
  tabStorage.clear()
  startSession('old', profile)
})

test('forgets a session that the server ended, and informs the member', () => {
  endSession('old')
  expect(useSession.getState()).toEqual({ token: null, profile: null, ended: true })
  expect(stored.size).toBe(0)
})

test('keeps a newer token of another tab when an old one ends, and continues with it', () => {
  stored.set('dubplate.token', 'newer')
  endSession('old')
  expect(useSession.getState()).toEqual({ token: 'newer', profile: null, ended: false })
  expect(stored.get('dubplate.token')).toBe('newer')
})

test('ignores the end of a token that is no longer in use', () => {
  renewToken('newer')
  endSession('old')
  expect(useSession.getState()).toEqual({ token: 'newer', profile, ended: false })
  expect(stored.get('dubplate.token')).toBe('newer')
})

test('reports no ended session for a renewed token', () => {
  endSession('old')
  renewToken('newer')
  expect(useSession.getState()).toMatchObject({ token: 'newer', ended: false })
})

test('uses a separate token in a tab that views the site as a member', () => {
  const view = 'v'.repeat(43)
  location.hash = `#view=${view}`
  expect(isMemberView()).toBe(true)
  expect([location.hash, tabStorage.get('dubplate.view')]).toEqual(['', view])
  renewToken(view)
  endSession(view)
  expect(isMemberView()).toBe(false)
  expect(stored.get('dubplate.token')).toBe('old')
})
