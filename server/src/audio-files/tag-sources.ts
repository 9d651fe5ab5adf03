import { readId3Head } from './id3-frames.ts'
import { legacyTextsOf, splitAtZeros } from './legacy-texts.ts'
import { type OriginalFile, withOriginal } from './original-file.ts'
import { AIFF, CHUNK_HEAD_BYTES, WAV, walkChunks } from './payload-chunks.ts'
import { skipId3Tags } from './payload-mp3.ts'
import { infoItems } from './riff-info.ts'
import { hasHighBytes } from './text-encoding.ts'

/** The tags of a file as bytes: those that need more than the tag reader of the library. */
export type TagSources = {
  /** ID3v2 tags, in the order of the file. */
  id3: Buffer[]
  /** Texts with bytes above 0x7F that are declared as Latin-1 or without an encoding. */
  legacyTexts: Buffer[]
  /** The tags of a WAV with 64-bit sizes, as a plain WAV without audio. */
  shortWav?: Buffer
}

const READ_LIMIT_BYTES = 32 * 1024 * 1024
const ID3V1_BYTES = 128
/** Offset and length of title, artist, album and comment. */
const ID3V1_FIELDS = [
  [3, 30],
  [33, 30],
  [63, 30],
  [97, 28],
] as const
/** Text chunks of an AIFF. */
const AIFF_TEXTS: ReadonlySet<string> = new Set(['NAME', 'AUTH', 'ANNO', '(c) '])

/** Reads the ID3v2 tags and the texts without a reliable encoding of an audio file. */
export async function readTagSources(path: string): Promise<TagSources> {
  return withOriginal(path, async (file) => {
    const sources: TagSources = { id3: [], legacyTexts: [] }
    const magic = (await file.read(0, 4)).toString('latin1')
    if (/^(RIFF|RF64|BW64|FORM)$/.test(magic)) await readChunks(file, magic, sources)
    else await skipId3Tags(file, (tag) => void sources.id3.push(tag))
    sources.legacyTexts.push(...sources.id3.flatMap(legacyTextsOf), ...(await readId3v1(file)))
    sources.legacyTexts = sources.legacyTexts.filter(hasHighBytes)
    return sources
  })
}

async function readId3v1(file: OriginalFile): Promise<Buffer[]> {
  const tag = await file.read(file.size - ID3V1_BYTES, ID3V1_BYTES)
  if (tag.toString('latin1', 0, 3) !== 'TAG') return []
  return ID3V1_FIELDS.flatMap(([at, length]) => splitAtZeros(tag.subarray(at, at + length)).slice(0, 1))
}

async function readChunks(file: OriginalFile, magic: string, sources: TagSources): Promise<void> {
  const { id3, legacyTexts } = sources
  const isAiff = magic === 'FORM'
  const chunks: Buffer[] = []
  for await (const { id, start, length } of walkChunks(file, isAiff ? AIFF : WAV)) {
    const isTag = id.toLowerCase() === 'id3 '
    if (!isTag && id !== 'LIST' && !(isAiff && AIFF_TEXTS.has(id))) continue
    const chunk = await file.read(start, CHUNK_HEAD_BYTES + Math.min(length, READ_LIMIT_BYTES))
    const content = chunk.subarray(CHUNK_HEAD_BYTES)
    if (isTag && readId3Head(content)) id3.push(content)
    else if (id === 'LIST') legacyTexts.push(...infoItems(content).map(({ text }) => text))
    else if (!isTag) legacyTexts.push(...splitAtZeros(content))
    if (length <= READ_LIMIT_BYTES) chunks.push(chunk, Buffer.alloc(length & 1))
  }
  if (magic === 'RF64' || magic === 'BW64') sources.shortWav = wavOf(chunks)
}

function wavOf(chunks: readonly Buffer[]): Buffer {
  const content = Buffer.concat([Buffer.from('WAVE'), ...chunks])
  const size = Buffer.alloc(4)
  size.writeUInt32LE(content.length)
  return Buffer.concat([Buffer.from('RIFF'), size, content])
}
