import { expect, test } from 'vitest'
import { makeSealing } from './sealing.ts'

const secret = 'a secret of at least thirty-two characters'
const sealing = makeSealing(secret)
const plain = Buffer.from('twenty bytes of it..')

test('what was sealed opens again, and reads as nothing until then', () => {
  const sealed = sealing.seal('totp', '7', plain)
  expect(sealing.open('totp', '7', sealed)).toEqual(plain)
  expect(sealed.includes(plain)).toBe(false)
  expect(sealing.seal('totp', '7', plain)).not.toEqual(sealed)
})

test('it opens for its own purpose, owner and secret only, and whole', () => {
  const sealed = sealing.seal('totp', '7', plain)
  expect(sealing.open('cookie', '7', sealed)).toBeUndefined()
  expect(sealing.open('totp', '8', sealed)).toBeUndefined()
  expect(makeSealing(`${secret}!`).open('totp', '7', sealed)).toBeUndefined()
  expect(sealing.open('totp', '7', sealed.subarray(0, 10))).toBeUndefined()
  for (const at of [0, 13, sealed.length - 1]) {
    const changed = Buffer.from(sealed)
    changed.writeUInt8(changed.readUInt8(at) ^ 1, at)
    expect(sealing.open('totp', '7', changed)).toBeUndefined()
  }
})

test('a hash is the same for the same text, purpose and secret alone', () => {
  const hash = sealing.hash('code', 'ABC')
  expect(sealing.hash('code', 'ABC')).toEqual(hash)
  expect(sealing.hash('other', 'ABC')).not.toEqual(hash)
  expect(makeSealing(`${secret}!`).hash('code', 'ABC')).not.toEqual(hash)
})
