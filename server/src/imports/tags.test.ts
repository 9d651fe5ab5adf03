import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { flacOf, tone } from '../analysis/make-audio.ts'
import { readTags } from './tags.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'dubplate-tags-'))
afterAll(() => rmSync(folder, { recursive: true }))

const u32 = (n: number) => Buffer.from([n & 255, (n >> 8) & 255, (n >> 16) & 255, (n >> 24) & 255])
const withLengthPrefix = (text: string) => Buffer.concat([u32(Buffer.byteLength(text)), Buffer.from(text)])

/** A FLAC with these Vorbis comments (RFC 9639, 8.6). */
function flacWith(comments: string[]): string {
  const flac = flacOf([tone({ hz: 440, seconds: 0.2 })])
  const block = Buffer.concat([withLengthPrefix('x'), u32(comments.length), ...comments.map(withLengthPrefix)])
  const head = Buffer.from([0x84, block.length >> 16, (block.length >> 8) & 255, block.length & 255])
  const info = Buffer.from(flac.subarray(4, 42))
  info[0] = 0
  return writeFixture('x.flac', Buffer.concat([flac.subarray(0, 4), info, head, block, flac.subarray(42)]))
}

function writeFixture(name: string, bytes: Uint8Array): string {
  const file = path.join(folder, name)
  writeFileSync(file, bytes)
  return file
}

const read = (file: string) => readTags(file, { pictures: true })

test('reads the key of a FLAC under the names of common writers', async () => {
  for (const comment of ['INITIALKEY=8A', 'initialkey=Am', 'KEY=A minor']) {
    expect(await read(flacWith([comment]))).toMatchObject({ song_key: 'Am' })
  }
})

test('reads a key that Mixed In Key wrote into the comment', async () => {
  expect(await read(flacWith(['COMMENT=8A - Energy 7']))).toMatchObject({ song_key: 'Am' })
  expect(await read(flacWith(['COMMENT=8 Ate my homework']))).not.toHaveProperty('song_key')
})

test('leaves out implausible tempos', async () => {
  for (const bpm of ['0', '1240', 'fast']) expect(await read(flacWith([`BPM=${bpm}`]))).not.toHaveProperty('bpm')
  expect(await read(flacWith(['BPM=124.5']))).toMatchObject({ bpm: 124.5 })
})

test('ignores placeholders, and normalises letters of any script', async () => {
  const tags = await read(
    flacWith(['ARTIST=Unknown Artist', 'TITLE= Группа  кро\u0301ви\u0000', 'GENRE=Other', 'DATE=0000']),
  )
  expect(tags).toEqual({ title: 'Группа кро\u0301ви'.normalize('NFC'), genres: [] })
})

test('a file without readable tags has none, without an error', async () => {
  expect(await read(writeFixture('noise.mp3', Buffer.from('ID3\x04\0\0\x7f\x7f\x7f\x7fTIT2', 'latin1')))).toEqual({
    genres: [],
  })
  expect(await read(writeFixture('empty.mp3', Buffer.alloc(0)))).toEqual({ genres: [] })
  expect(await read(path.join(folder, 'gone.mp3'))).toEqual({ genres: [] })
})

test('a tag that claims more bytes than the file has takes no memory for them', async () => {
  const before = process.memoryUsage().rss
  const oversizedTag = Buffer.concat([
    Buffer.from('RIFF\xff\xff\xff\x7fWAVELIST\xff\xff\xff\x7fINFO', 'latin1'),
    Buffer.alloc(64),
  ])
  expect(await read(writeFixture('huge.wav', oversizedTag))).toEqual({ genres: [] })
  expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024)
})
