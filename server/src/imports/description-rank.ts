import path from 'node:path'
import { PLAIN_VERSION, parseSongFileName, type SongEntry } from './song-entry.ts'
import type { Tags } from './tags.ts'
import { overlaps } from './text-overlap.ts'

/** A file and how it was read. */
type DescribedFile = {
  /** The path within the folder, or the name. */
  name: string
  tags: Pick<Tags, 'artist' | 'title'>
  /** Undefined when artist or title is missing. */
  entry: SongEntry | undefined
  /** Whether a sheet or staff describe the file. */
  isDescribed?: boolean
}

const COPY_NAME = /^copy (?:\(\d+\) )?of |[\s_-]copy(?:[ _]?\(?\d*\)?)?$|\(\d\)$/i
/** Words that programs use for names: 'track 07', 'final mix 2', 'audio', '5f3a9c2e'. */
const MEANINGLESS =
  /^(?:(?:new|the|my|un(?:titled|known|named)|audio|track|song|title|file|music|recording|voice|memo|download|final|master|mix(?:down)?|bounce|export|project|test|demo|copy|te?mp|mp3|wav|artist|\d+|[0-9a-f]{8,})[\s._-]*)+$/i

/**
 * Rates how well a file is described, to choose among files with the same audio. Artist, title and version count
 * together: a file does not win because it says more about a single value, such as the tempo.
 */
export function rankDescription({ name, tags, entry, isDescribed }: DescribedFile): number {
  if (!entry) return 0
  const isTagged = tags.artist !== undefined && tags.title !== undefined
  const isNamedAlike = isSameSong(name, entry)
  const details = [entry.bpm_source, entry.key_source, entry.label, entry.remixer].filter(Boolean).length
  return (
    10 +
    (isDescribed ? 1000 : 0) +
    (isTagged ? 30 : 0) +
    (isMeaningful(entry.artist) && isMeaningful(entry.title) ? 20 : 0) +
    (isNamedAlike ? 5 : 0) +
    (entry.version_label === PLAIN_VERSION ? 0 : 2) -
    (COPY_NAME.test(path.parse(name).name) ? 1 : 0) +
    details / 10
  )
}

const MIN_LETTERS = 2

const isMeaningful = (text: string): boolean => text.length >= MIN_LETTERS && !MEANINGLESS.test(text.trim())

/** Whether the name of the file contains artist and title as well. */
function isSameSong(name: string, { artist, title }: SongEntry): boolean {
  const named = parseSongFileName(name)
  return named.artist !== undefined && overlaps(named.artist, artist) && overlaps(named.title, title)
}
