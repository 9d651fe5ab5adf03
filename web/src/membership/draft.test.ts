import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()

const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}

/** Simulates a reload of the page: only stored data remains. */
async function loadAgain() {
  vi.resetModules()
  return import('./draft.ts')
}

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', storage)
})

test('shows what was typed in one dialog in the next, also after a reload', async () => {
  const before = await loadAgain()
  before.saveTyped({ email: 'ada@demo.test', password: 'a long secret' })
  before.saveTyped({ dj_name: 'Ada', email: 'ada@demo.test', password_hash: 'a long secret' })
  const { typed } = await loadAgain()
  expect(typed()).toMatchObject({ email: 'ada@demo.test', dj_name: 'Ada', comment: '' })
})

test('never stores a password', async () => {
  const { saveTyped } = await loadAgain()
  saveTyped({ email: 'ada@demo.test', password: 'a long secret' })
  saveTyped({ email: 'ada@demo.test', password_hash: 'a long secret', confirm_password: 'a long secret' })
  expect([...stored.values()].join()).toContain('ada@demo.test')
  expect([...stored.values()].join()).not.toContain('secret')
})

test('lasts until the page is reloaded when storage is not available', async () => {
  const throwError = () => {
    throw new Error('denied')
  }
  vi.stubGlobal('sessionStorage', { getItem: throwError, setItem: throwError, removeItem: throwError })
  const { saveTyped, typed } = await loadAgain()
  saveTyped({ email: 'ada@demo.test' })
  expect(typed().email).toBe('ada@demo.test')
})

test('keeps only the email address once the application is sent', async () => {
  const { clearTypedExceptEmail, saveTyped, typed } = await loadAgain()
  saveTyped({ email: 'ada@demo.test', dj_name: 'Ada', how: 'link', dj_website: 'https://a.example' })
  clearTypedExceptEmail()
  expect(typed()).toMatchObject({ email: 'ada@demo.test', dj_name: '', how: '', dj_website: '' })
})
