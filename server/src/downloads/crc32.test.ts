import { crc32 } from 'node:zlib'
import { expect, test } from 'vitest'
import { fc } from '../../test/properties.ts'
import { combineCrc32, crc32Of } from './crc32.ts'

test('the checksum of two concatenated strings follows from their checksums and a length', { tags: 'property' }, () => {
  const bytes = fc.uint8Array({ maxLength: 3000 })
  fc.assert(
    fc.property(bytes, bytes, (first, second) => {
      const whole = crc32(Buffer.concat([first, second]))
      expect(combineCrc32(crc32(first), crc32(second), second.length)).toBe(whole)
      expect(crc32Of(second, crc32Of(first))).toBe(whole)
    }),
  )
})

test('combines lengths beyond 32 bits the same as in smaller steps', () => {
  const half = 3 * 2 ** 31
  const [a, b, c] = [0x12345678, 0x9abcdef0, 0x0fedcba9]
  const inSteps = combineCrc32(combineCrc32(a, b, half), c, half)
  expect(combineCrc32(a, combineCrc32(b, c, half), 2 * half)).toBe(inSteps)
})
