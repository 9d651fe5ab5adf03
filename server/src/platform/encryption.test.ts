import { expect, test } from 'vitest'
import { createEncryption } from './encryption.ts'

const secret = 'a secret of at least thirty-two characters'
const encryption = createEncryption(secret)
const plain = Buffer.from('twenty bytes of it..')

test('decrypts what was encrypted, which is unreadable before', () => {
  const sealed = encryption.seal('totp', '7', plain)
  expect(encryption.open('totp', '7', sealed)).toEqual(plain)
  expect(sealed.includes(plain)).toBe(false)
  expect(encryption.seal('totp', '7', plain)).not.toEqual(sealed)
})

test('decrypts only unchanged data with the same purpose, owner and secret', () => {
  const sealed = encryption.seal('totp', '7', plain)
  expect(encryption.open('cookie', '7', sealed)).toBeUndefined()
  expect(encryption.open('totp', '8', sealed)).toBeUndefined()
  expect(createEncryption(`${secret}!`).open('totp', '7', sealed)).toBeUndefined()
  expect(encryption.open('totp', '7', sealed.subarray(0, 10))).toBeUndefined()
  for (const at of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(encryption.open('totp', '7', changed)).toBeUndefined()
  }
})

test('a hash is the same only for the same text, purpose and secret', () => {
  const hash = encryption.hash('code', 'ABC')
  expect(encryption.hash('code', 'ABC')).toEqual(hash)
  expect(encryption.hash('other', 'ABC')).not.toEqual(hash)
  expect(createEncryption(`${secret}!`).hash('code', 'ABC')).not.toEqual(hash)
})
