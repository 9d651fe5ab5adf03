import { account } from '@dubplate/contract'
import { beforeEach, expect, test, vi } from 'vitest'

/** The server's reply; null stands for a response that is not JSON, as in a browser. */
let answer: { status: number; response: unknown }

class FakeRequest extends EventTarget {
  upload = new EventTarget()
  responseType = ''
  status = 0
  response: unknown = null
  open() {}
  setRequestHeader() {}
  send() {
    Object.assign(this, answer)
    this.dispatchEvent(new Event('load'))
  }
}

vi.stubGlobal('addEventListener', () => undefined)
vi.stubGlobal('window', {})
vi.stubGlobal('navigator', { onLine: true })
vi.stubGlobal('localStorage', { getItem: () => 'a-token', setItem: () => undefined, removeItem: () => undefined })
vi.stubGlobal('XMLHttpRequest', FakeRequest)
const { upload } = await import('./upload.ts')
const { useSession } = await import('./session.ts')

const send = () => upload(account.uploadPicture, new FormData(), () => undefined)

beforeEach(() => useSession.setState({ token: 'a-token', profile: null, ended: false }))

test('resolves with the data of the call', async () => {
  answer = { status: 200, response: { data: { profile_picture: '/pictures/7.webp' } } }
  expect(await send()).toEqual({ profile_picture: '/pictures/7.webp' })
})

test('rejects a response that is not the pool’s own', async () => {
  for (const response of [null, 'a page', {}]) {
    answer = { status: 200, response }
    await expect(send()).rejects.toThrow('Can’t reach the server.')
  }
})

test('throws the server’s message, and reports an ended session', async () => {
  answer = {
    status: 422,
    response: { code: 'invalid_image', message: 'This isn’t an image. Choose a JPEG, PNG or WebP file.' },
  }
  await expect(send()).rejects.toMatchObject({
    code: 'invalid_image',
    message: 'This isn’t an image. Choose a JPEG, PNG or WebP file.',
  })
  expect(useSession.getState().ended).toBe(false)
  answer = { status: 401, response: { code: 'session_expired', message: 'Sign in again.' } }
  await expect(send()).rejects.toThrow('Sign in again.')
  expect(useSession.getState()).toMatchObject({ token: null, ended: true })
})
