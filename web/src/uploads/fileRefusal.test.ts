import { expect, test } from 'vitest'
import { fileRejectionReason, parseErrorReply } from './fileRejection.ts'

const MB = 1024 * 1024

test('music of 500 MB at most is sent, whatever the case of its ending', () => {
  for (const name of ['a.mp3', 'a.WAV', 'a.b.flac', 'a.aiff', 'a.aif', 'a.AIFC'])
    expect(fileRejectionReason({ name, size: 500 * MB })).toBeUndefined()
})

test('what is no music is refused by its name', () => {
  expect(fileRejectionReason({ name: 'notes.txt', size: 5 })).toBe(
    '“notes.txt” isn’t supported. Upload MP3, WAV, FLAC or AIFF files.',
  )
  expect(fileRejectionReason({ name: 'mp3', size: 5 })).toContain('isn’t supported')
  expect(fileRejectionReason({ name: 'song.mp3.zip', size: 5 })).toContain('isn’t supported')
})

test('a file that is too large is told its size and the limit', () => {
  expect(fileRejectionReason({ name: 'set.wav', size: 500 * MB + 1 })).toBe(
    '“set.wav” is too large (524 MB). The limit is 500 MB per file.',
  )
})

test('an empty file is not sent', () => {
  expect(fileRejectionReason({ name: 'a.mp3', size: 0 })).toBe('“a.mp3” is empty.')
})

test('a refusal is read from the body of an answer', () => {
  expect(parseErrorReply('{"code":"insufficient_storage","message":"No room."}')).toMatchObject({
    code: 'insufficient_storage',
  })
})

test('what a proxy answers is no refusal of ours', () => {
  for (const body of ['', '<html>502</html>', 'null', '{"message":"x"}']) expect(parseErrorReply(body)).toBeUndefined()
})
