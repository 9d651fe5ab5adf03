import { createHash } from 'node:crypto'
import { KEYS } from '@dubplate/contract'
import { downbeatOf, infoFrameSeconds, type KitPlaylist, type KitTrack } from './kit-track.ts'
import type { DownloadProfile } from './profiles.ts'
import { element, xmlDocument } from './xml.ts'

/** A place in Traktor's notation: folders between '/:', the drive separately. */
type TraktorPath = { volume: string; folder: string; file: string }

/** The steps of one star each. */
const RATING_STEP = 51
const CUE = 0
const GRID = 4

/**
 * `dubplate.nml` for Traktor's "Import Collection". Source: the schema of wolkenarchitekt/traktor-nml-utils, which fixes
 * the order of elements and needs the empty ones; `GRID` inside the grid marker is Traktor 4's and not in that schema.
 */
export function traktorNml(
  profile: Pick<DownloadProfile, 'system' | 'traktor_volume' | 'traktor_version'>,
  tracks: readonly KitTrack[],
  playlists: readonly KitPlaylist[],
  now: Date,
): Buffer {
  const paths = tracks.map((track) => traktorPath(profile, track.path.absolute))
  const keyOf = (index: number) => {
    const { volume, folder, file } = paths[index]!
    return `${volume}${folder}${file}`
  }
  const entries = tracks.map((track, index) => entryElement(track, paths[index]!, { profile, now }))
  const playlistElements = playlists.map(({ name, tracks }) =>
    element('NODE', { TYPE: 'PLAYLIST', NAME: name }, [
      element(
        'PLAYLIST',
        { ENTRIES: tracks.length, TYPE: 'LIST', UUID: uuidOf(name, tracks.map(keyOf)) },
        tracks.map((index) => element('ENTRY', {}, [element('PRIMARYKEY', { TYPE: 'TRACK', KEY: keyOf(index) })])),
      ),
    ]),
  )
  return xmlDocument(
    element('NML', { VERSION: 19 }, [
      element('HEAD', { COMPANY: 'www.native-instruments.com', PROGRAM: 'Traktor' }),
      element('MUSICFOLDERS', {}),
      element('COLLECTION', { ENTRIES: tracks.length }, entries),
      element('SETS', { ENTRIES: 0 }),
      element('PLAYLISTS', {}, [
        element('NODE', { TYPE: 'FOLDER', NAME: '$ROOT' }, [
          element('SUBNODES', { COUNT: playlistElements.length }, playlistElements),
        ]),
      ]),
      element('INDEXING', {}),
    ]),
    'version="1.0" encoding="UTF-8" standalone="no" ',
  )
}

/** 32 hexadecimal digits, the same for the same playlist, so that the same kit has the same bytes. */
const uuidOf = (name: string, keys: string[]) =>
  createHash('sha256')
    .update([name, ...keys].join('\n'))
    .digest('hex')
    .slice(0, 32)

/**
 * Windows: the drive is the volume. macOS: a stick's name, which is the folder in /Volumes, or the name of the system's
 * disk, which only the profile knows.
 */
export function traktorPath(
  { system, traktor_volume }: Pick<DownloadProfile, 'system' | 'traktor_volume'>,
  absolute: string,
): TraktorPath {
  const folders = absolute.split(/[\\/]/)
  const file = folders.pop() ?? ''
  const [root = '', first, name] = folders
  const join = (parts: string[]) => (parts.length === 0 ? '/:' : `/:${parts.join('/:')}/:`)
  if (system === 'windows') return { volume: root, folder: join(folders.slice(1)), file }
  if (system === 'macos' && first === 'Volumes' && name !== undefined)
    return { volume: name, folder: join(folders.slice(3)), file }
  return { volume: traktor_volume, folder: join(folders.slice(1)), file }
}

type EntryOptions = { profile: Pick<DownloadProfile, 'traktor_version'>; now: Date }

function entryElement(track: KitTrack, { volume, folder, file }: TraktorPath, { profile, now }: EntryOptions): string {
  const { bpm, song_key } = track
  return element(
    'ENTRY',
    {
      MODIFIED_DATE: traktorDate(now),
      MODIFIED_TIME: now.getUTCHours() * 3600 + now.getUTCMinutes() * 60 + now.getUTCSeconds(),
      TITLE: track.title,
      ARTIST: track.artist,
    },
    [
      element('LOCATION', { DIR: folder, FILE: file, VOLUME: volume, VOLUMEID: volume }),
      element('ALBUM', { TITLE: track.album }),
      element('MODIFICATION_INFO', { AUTHOR_TYPE: 'user' }),
      element('INFO', {
        BITRATE: track.bit_rate,
        GENRE: track.genre,
        LABEL: track.label || null,
        COMMENT: track.comment || null,
        KEY: track.key_text || null,
        REMIXER: track.remixer || null,
        MIX: track.version_label || null,
        PLAYTIME: Math.round(track.duration_seconds),
        PLAYTIME_FLOAT: track.duration_seconds.toFixed(6),
        RANKING: track.rating * RATING_STEP,
        IMPORT_DATE: traktorDate(track.added_at),
        RELEASE_DATE: track.year === null ? null : `${track.year}/1/1`,
        FILESIZE: track.bytes === null ? null : Math.round(track.bytes / 1024),
      }),
      ...(bpm === null ? [] : [element('TEMPO', { BPM: bpm.toFixed(6), BPM_QUALITY: '100.000000' })]),
      ...(song_key === null ? [] : [element('MUSICAL_KEY', { VALUE: KEYS.indexOf(song_key) })]),
      ...gridElements(track, profile),
      ...cueElements(track),
    ],
  )
}

/** '2026/1/31'. */
const traktorDate = (date: Date) => `${date.getUTCFullYear()}/${date.getUTCMonth() + 1}/${date.getUTCDate()}`

const milliseconds = (seconds: number) => (seconds * 1000).toFixed(6)

const MARKER = { DISPL_ORDER: 0, REPEATS: -1 }

/** Traktor has one grid marker with one tempo: the first. */
function gridElements(track: KitTrack, { traktor_version }: Pick<DownloadProfile, 'traktor_version'>): string[] {
  const [anchor] = track.grid
  if (!anchor) return []
  const attributes = {
    NAME: 'AutoGrid',
    ...MARKER,
    TYPE: GRID,
    START: milliseconds(downbeatOf(anchor) + infoFrameSeconds(track)),
    LEN: '0.000000',
    HOTCUE: -1,
  }
  const tempo = element('GRID', { BPM: anchor.bpm.toFixed(6) })
  return [element('CUE_V2', attributes, traktor_version === 4 ? [tempo] : [])]
}

const cueElements = (track: KitTrack) =>
  track.cues.map(({ name, seconds, number }) =>
    element('CUE_V2', {
      NAME: name || 'n.n.',
      ...MARKER,
      TYPE: CUE,
      START: milliseconds(seconds + infoFrameSeconds(track)),
      LEN: '0.000000',
      HOTCUE: number,
    }),
  )
