import { beforeEach, expect, test, vi } from 'vitest'

const stored = new Map<string, string>()

const storage = {
  getItem: (key: string) => stored.get(key) ?? null,
  setItem: (key: string, value: string) => void stored.set(key, value),
  removeItem: (key: string) => void stored.delete(key),
}

/** The page as it is after it was loaded again: only what is stored is left. */
async function loadAgain() {
  vi.resetModules()
  return import('./draft.ts')
}

beforeEach(() => {
  stored.clear()
  vi.stubGlobal('sessionStorage', storage)
})

test('what is typed in one dialog is there in the next, and after the page was loaded again', async () => {
  const before = await loadAgain()
  before.saveTyped({ email: 'ada@demo.test', password: 'a long secret' })
  before.saveTyped({ dj_name: 'Ada', email: 'ada@demo.test', password_hash: 'a long secret' })
  const { typed } = await loadAgain()
  expect(typed()).toMatchObject({ email: 'ada@demo.test', dj_name: 'Ada', comment: '' })
})

test('a password is never kept', async () => {
  const { saveTyped } = await loadAgain()
  saveTyped({ email: 'ada@demo.test', password: 'a long secret' })
  saveTyped({ email: 'ada@demo.test', password_hash: 'a long secret', confirm_password: 'a long secret' })
  expect([...stored.values()].join()).toContain('ada@demo.test')
  expect([...stored.values()].join()).not.toContain('secret')
})

test('without storage it lasts as long as the page', async () => {
  const confirmFailed = () => {
    throw new Error('denied')
  }
  vi.stubGlobal('sessionStorage', { getItem: confirmFailed, setItem: confirmFailed, removeItem: confirmFailed })
  const { saveTyped, typed } = await loadAgain()
  saveTyped({ email: 'ada@demo.test' })
  expect(typed().email).toBe('ada@demo.test')
})

test('once the application is sent only the address stays', async () => {
  const { clearTypedExceptEmail, saveTyped, typed } = await loadAgain()
  saveTyped({ email: 'ada@demo.test', dj_name: 'Ada', how: 'link', dj_website: 'https://a.example' })
  clearTypedExceptEmail()
  expect(typed()).toMatchObject({ email: 'ada@demo.test', dj_name: '', how: '', dj_website: '' })
})
