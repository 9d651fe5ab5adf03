import { parseKey, type SongKey } from '@dubplate/contract'
import type { IAudioMetadata } from 'music-metadata'
import type { TagEncoding, TextEncoding } from '../audio-files/text-encoding.ts'
import { isPlaceholderGenre } from '../catalogue/placeholder-genres.ts'
import { type CorrectedTags, readCorrectedTags } from './legacy-tags.ts'
import { parseKeyFromComment } from './tempo-and-key.ts'

/** The tags of a file. Missing, blank and placeholder values are left out. */
export type Tags = {
  title?: string
  artist?: string
  album?: string
  label?: string
  isrc?: string
  remixer?: string
  year?: number
  genres: string[]
  bpm?: number
  song_key?: SongKey
  picture?: Uint8Array
  /** The encoding of texts that are declared as Latin-1, when it is another one. */
  encoding?: Exclude<TextEncoding, 'western'>
}

const MAX_TEXT_LENGTH = 300
const MAX_PICTURE_BYTES = 20 * 1024 * 1024
const MAX_BPM = 400
const READ_TIMEOUT_MS = 20_000
const PLACEHOLDER =
  /^(?:unknown(?: (?:artist|album|title|genre))?|artist|various(?: artists)?|va|title|untitled|track ?\d*|n\/?a|none|null|-)$/i
/** The native tag as it was written, because the parser's own value has lost its fraction. */
const BPM_IDS = /^(?:(?:TXXX|----:com\.apple\.iTunes):)?(?:tbpm|bpm|tempo)$/i
/** FLAC and WAV writers store the key under various names, which are only found in the native tags. */
const KEY_IDS = /^(?:(?:TXXX|----:com\.apple\.iTunes):)?(?:initial[ _]?key|key|tkey)$/i

type ReadOptions = {
  pictures: boolean
  /** How to read texts that are declared as Latin-1; `automatic` by default. */
  encoding?: TagEncoding | undefined
}

/** Reads the tags of an audio file. Unreadable tags count as missing; then the file name is used. */
export async function readTags(path: string, { pictures, encoding = 'automatic' }: ReadOptions): Promise<Tags> {
  try {
    return normaliseTags(await withTimeout(readCorrectedTags(path, { encoding, pictures })))
  } catch {
    return { genres: [] }
  }
}

function withTimeout<T>(reading: Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const timeoutError = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('Reading the tags timed out')), READ_TIMEOUT_MS)
  })
  return Promise.race([reading, timeoutError]).finally(() => clearTimeout(timer))
}

function normaliseTags({ common, native, encoding }: CorrectedTags): Tags {
  const tags: Tags = {
    title: toText(common.title),
    artist: toText(common.artist) ?? toText(common.albumartist),
    album: toText(common.album),
    label: toText(common.label?.[0]),
    isrc: toText(common.isrc?.[0])?.replaceAll('-', '').slice(0, 12),
    remixer: toText(common.remixer?.[0]),
    year: parseYear(common.year),
    genres: genreNames(common.genre ?? []),
    bpm: resolveTempo([...nativeTexts(native, BPM_IDS), common.bpm]),
    song_key: keyOf(common.key, native) ?? findKeyInComments(common.comment),
    picture: findCoverPicture(common.picture),
    encoding,
  }
  return Object.fromEntries(Object.entries(tags).filter(([, value]) => value !== undefined)) as Tags
}

function toText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value
    .replace(/\p{Cc}+/gu, ' ')
    .normalize('NFC')
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, MAX_TEXT_LENGTH)
  return text === '' || PLACEHOLDER.test(text) ? undefined : text
}

function parseYear(value: unknown): number | undefined {
  const year = Number(value)
  return Number.isInteger(year) && year >= 1900 && year <= new Date().getFullYear() + 1 ? year : undefined
}

/** A tempo of 0 was not filled in, and one above 400 is a typing error. */
function resolveTempo(rawValues: readonly unknown[]): number | undefined {
  const tempos = rawValues.map((value) => Number(String(value ?? '').replace(',', '.')))
  const bpm = tempos.find((tempo) => tempo > 0 && tempo <= MAX_BPM)
  return bpm === undefined ? undefined : Math.round(bpm * 100) / 100
}

function keyOf(key: unknown, native: IAudioMetadata['native']): SongKey | undefined {
  for (const text of [key, ...nativeTexts(native, KEY_IDS)]) {
    const read = typeof text === 'string' ? parseKey(text.slice(0, 40)) : undefined
    if (read) return read
  }
  return undefined
}

const nativeTexts = (native: IAudioMetadata['native'], ids: RegExp): unknown[] =>
  Object.values(native)
    .flat()
    .filter(({ id }) => ids.test(id))
    .map(({ value }) => value)

function findKeyInComments(comments: IAudioMetadata['common']['comment']): SongKey | undefined {
  for (const { text } of comments ?? []) {
    const key = text ? parseKeyFromComment(text.slice(0, MAX_TEXT_LENGTH)) : undefined
    if (key) return key
  }
  return undefined
}

/** The front cover, or else the first picture. */
function findCoverPicture(pictures: IAudioMetadata['common']['picture']): Uint8Array | undefined {
  const bytes = (pictures?.find(({ type }) => type === 'Cover (front)') ?? pictures?.[0])?.data
  return bytes && bytes.length > 0 && bytes.length <= MAX_PICTURE_BYTES ? bytes : undefined
}

const MAX_GENRES = 5

/** 'House; Deep House' is two genres, 'Hip-Hop/Rap' is one. */
export function genreNames(rawValues: readonly string[]): string[] {
  const names = rawValues
    .slice(0, MAX_GENRES)
    .flatMap((text) => text.slice(0, MAX_TEXT_LENGTH).split(/[;,|\0]|\s\/\s|\\\\/))
    .map((name) => name.normalize('NFC').replace(/\s+/g, ' ').trim().slice(0, 60))
    .filter((name) => name !== '' && !isPlaceholderGenre(name))
  const isFirst = (name: string, n: number) =>
    names.findIndex((item) => item.toLowerCase() === name.toLowerCase()) === n
  return names.filter(isFirst).slice(0, MAX_GENRES)
}
