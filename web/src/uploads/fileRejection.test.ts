import { expect, test } from 'vitest'
import { fileRejectionReason, parseErrorReply } from './fileRejection.ts'

const MB = 1024 * 1024

test('accepts music up to 500 MB, whatever the case of its extension', () => {
  for (const name of ['a.mp3', 'a.WAV', 'a.b.flac', 'a.aiff', 'a.aif', 'a.AIFC', 'a.m4a', 'a.ogg', 'a.opus'])
    expect(fileRejectionReason({ name, size: 500 * MB })).toBeUndefined()
})

test('rejects a file that is not music by its name', () => {
  expect(fileRejectionReason({ name: 'notes.txt', size: 5 })).toBe(
    '“notes.txt” isn’t supported. Upload MP3, M4A, OGG, Opus, WAV, FLAC or AIFF files.',
  )
  expect(fileRejectionReason({ name: 'mp3', size: 5 })).toContain('isn’t supported')
  expect(fileRejectionReason({ name: 'song.mp3.zip', size: 5 })).toContain('isn’t supported')
})

test('names the size and the limit for a file that is too large', () => {
  expect(fileRejectionReason({ name: 'set.wav', size: 500 * MB + 1 })).toBe(
    '“set.wav” is too large (524 MB). The limit is 500 MB per file.',
  )
})

test('rejects an empty file', () => {
  expect(fileRejectionReason({ name: 'a.mp3', size: 0 })).toBe('“a.mp3” is empty.')
})

test('reads an error from the body of a response', () => {
  expect(parseErrorReply('{"code":"insufficient_storage","message":"No room."}')).toMatchObject({
    code: 'insufficient_storage',
  })
})

test('does not treat a proxy’s response as an error reply of the pool', () => {
  for (const body of ['', '<html>502</html>', 'null', '{"message":"x"}']) expect(parseErrorReply(body)).toBeUndefined()
})
