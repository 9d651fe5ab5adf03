import type { IAudioMetadata } from 'music-metadata'
import { withoutUnsynchronisation } from '../audio-files/id3-frames.ts'
import { readTagSources } from '../audio-files/tag-sources.ts'
import { decodeAs, resolveEncoding, type TagEncoding, type TextEncoding } from '../audio-files/text-encoding.ts'

export type CorrectedTags = Pick<IAudioMetadata, 'common' | 'native'> & {
  /** Not set for Latin-1 and for tags that declare their encoding correctly. */
  encoding?: Exclude<TextEncoding, 'western'>
}

type ReadOptions = { encoding: TagEncoding; pictures: boolean }

/**
 * Reads tags and corrects what music-metadata misreads: WAVs with 64-bit sizes, ID3v2 tags with unsynchronisation, and
 * texts that are declared as Latin-1 but were written in another encoding.
 */
export async function readCorrectedTags(path: string, { encoding, pictures }: ReadOptions): Promise<CorrectedTags> {
  const options = { duration: false, skipCovers: !pictures }
  const { parseBuffer, parseFile } = await import('music-metadata')
  const { id3, legacyTexts, shortWav } = await readTagSources(path)
  const parsed = shortWav
    ? await parseBuffer(shortWav, { mimeType: 'audio/wav' }, options)
    : await parseFile(path, options)
  let { common, native } = parsed
  for (const tag of id3) {
    const plain = withoutUnsynchronisation(tag)
    if (!plain) continue
    const reread = await parseBuffer(plain, { mimeType: 'audio/mpeg' }, options)
    common = { ...common, ...withoutEmpty(reread.common) }
    native = { ...native, ...reread.native }
  }
  if (legacyTexts.length === 0) return { common, native }
  const actual = resolveEncoding(encoding, legacyTexts)
  const decode = createDecoder(legacyTexts, actual)
  const decoded = { common: decodeStrings(common, decode), native: decodeStrings(native, decode) }
  return actual === 'western' ? decoded : { ...decoded, encoding: actual }
}

const withoutEmpty = <T extends object>(values: T): Partial<T> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined && value !== null)) as Partial<T>

type Decode = (text: string) => string

/** The reader decodes these texts byte by byte, and may split them or cut off their ends. */
function createDecoder(legacyTexts: readonly Buffer[], encoding: TextEncoding): Decode {
  const misread = legacyTexts.map((bytes) => bytes.toString('latin1'))
  return (text) =>
    /^[\0-\xff]*[\x80-\xff][\0-\xff]*$/.test(text) && misread.some((legacy) => legacy.includes(text))
      ? decodeAs(encoding, Buffer.from(text, 'latin1'))
      : text
}

/** Decodes all strings within a value, but not the bytes of pictures. */
function decodeStrings<T>(value: T, decode: Decode): T {
  if (typeof value === 'string') return decode(value) as T
  if (Array.isArray(value)) return value.map((item) => decodeStrings(item, decode)) as T
  if (value === null || typeof value !== 'object' || ArrayBuffer.isView(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, decodeStrings(item, decode)])) as T
}
