import { uint32 } from './big-endian.ts'
import type { KitTrack } from './kit-track.ts'
import type { DownloadProfile } from './profiles.ts'

/**
 * A `.crate` for the folder `_Serato_/Subcrates` of a drive. Source: the fields that Mixxx reads (seratofeature.cpp) and
 * Serato's demo crate: fields of a four-letter tag, a length and data, with texts in UTF-16BE. Serato must be closed
 * while the file is copied, or it overwrites it.
 */

const VERSION = '1.0/Serato ScratchLive Crate'
const COLUMNS = ['song', 'artist', 'bpm', 'key', 'length', 'comment', 'added']

export const crateFile = (
  profile: Pick<DownloadProfile, 'system' | 'serato_root'>,
  tracks: readonly Pick<KitTrack, 'path'>[],
): Buffer =>
  Buffer.concat([
    field('vrsn', utf16(VERSION)),
    field('osrt', field('tvcn', utf16('#')), field('brev', Buffer.from([0]))),
    ...COLUMNS.map((name) => field('ovct', field('tvcn', utf16(name)), field('tvcw', utf16('0')))),
    ...tracks.map(({ path }) => field('otrk', field('ptrk', utf16(seratoPath(profile, path.absolute))))),
  ])

/** Relative to the root of the drive, with '/' and without one at the start: 'Users/dj/Music/Night Bus.mp3'. */
export function seratoPath(
  { system, serato_root }: Pick<DownloadProfile, 'system' | 'serato_root'>,
  absolute: string,
): string {
  if (system === 'windows') return absolute.replaceAll('\\', '/').replace(/^[A-Za-z]:\//, '')
  const root = serato_root.replace(/\/*$/, '/')
  return absolute.startsWith(root) ? absolute.slice(root.length) : absolute.replace(/^\//, '')
}

/** UTF-16BE. */
const utf16 = (text: string) => Buffer.from(text, 'utf16le').swap16()

function field(tag: string, ...contents: Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from(tag, 'latin1'), uint32(content.length), content])
}
