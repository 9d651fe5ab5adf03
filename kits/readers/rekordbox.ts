import path from 'node:path'
import type { Comparisons } from '../comparisons.ts'
import {
  bytesOf,
  colourOf,
  commentOf,
  cuesOf,
  genreOf,
  gridOf,
  type Kit,
  keyOf,
  starsOf,
  textFile,
  titleOf,
} from '../expected.ts'
import { MP3_BITRATE, run } from '../make-audio.ts'
import { PLAYLIST_TITLE } from '../pool.ts'
import { ADDED_AT, SONG_SECONDS } from '../songs.ts'
import { parseXml } from './xml.ts'

/** Attributes as pyrekordbox names and converts them. */
type RekordboxTrack = Record<string, string | number | null> & {
  Location: string
  tempos: Record<string, string | number | null>[]
  marks: Record<string, string | number | null>[]
}
type RekordboxList = { name: string; keys: number[] }
export type RekordboxLibrary = { tracks: RekordboxTrack[]; lists: RekordboxList[] }

const STAR_STEPS = ['0', '51', '102', '153', '204', '255']

/** Reads the XML with fast-xml-parser and pyrekordbox's rules: where a path begins, and how stars are stored. */
export function readWithFastXmlParser(kit: Kit): RekordboxLibrary {
  const { COLLECTION, PLAYLISTS } = parseXml(textFile(kit, 'rekordbox', /\.xml$/)).DJ_PLAYLISTS
  const tracks = COLLECTION.TRACK.map(({ TEMPO = [], POSITION_MARK = [], ...track }: TrackElement) => ({
    ...track,
    Location: pathOf(track.Location ?? ''),
    Rating: STAR_STEPS.indexOf(track.Rating ?? ''),
    tempos: TEMPO,
    marks: POSITION_MARK,
  }))
  const lists = PLAYLISTS.NODE[0].NODE.map(({ Name, TRACK }: { Name: string; TRACK: { Key: string }[] }) => ({
    name: Name,
    keys: TRACK.map(({ Key }) => Number(Key)),
  }))
  return { tracks, lists }
}

type Attributes = Record<string, string>
type TrackElement = Attributes & { TEMPO?: Attributes[]; POSITION_MARK?: Attributes[] }

/** A URL with a query or a fragment names another file. */
function pathOf(location: string): string {
  const { protocol, host, search, hash } = new URL(location)
  if (protocol !== 'file:' || (host !== '' && host !== 'localhost') || search || hash) return `not a file: ${location}`
  return decodeURIComponent(location.slice('file://localhost'.length))
}

export const readWithPyrekordbox = (kit: Kit, source: string): RekordboxLibrary =>
  JSON.parse(
    run('/usr/bin/python3', [
      path.join(import.meta.dirname, 'pyrekordbox.py'),
      source,
      path.join(kit.home, 'rekordbox', 'dubplate.xml'),
    ]),
  )

/** Half a unit of the last decimal, and a little for numbers that are not exact in binary. */
const MILLISECOND = 0.000_51
const HUNDREDTH = 0.0051

export function compareRekordbox(kit: Kit, { tracks, lists }: RekordboxLibrary, { same, close }: Comparisons): void {
  same('number of tracks', tracks.length, kit.songs.length)
  for (const [n, song] of kit.songs.entries()) {
    const { tempos, marks, ...track } = tracks[n]!
    const at = `song ${song.number}`
    same(`${at} Name`, track.Name, titleOf(song))
    same(`${at} Artist`, track.Artist, song.artist)
    same(`${at} Album`, track.Album, song.album)
    same(`${at} Genre`, track.Genre, genreOf(song))
    same(`${at} Label`, track.Label, song.label)
    same(`${at} Remixer`, track.Remixer, song.remixer)
    same(`${at} Mix`, track.Mix, song.version_label)
    same(`${at} Comments`, track.Comments, commentOf(song))
    same(`${at} Tonality`, track.Tonality, keyOf(song, kit.profile))
    same(`${at} Kind`, track.Kind, song.sound === 'flac' ? 'FLAC File' : 'MP3 File')
    same(`${at} Colour`, track.Colour, `0x${colourOf(song)}`)
    same(`${at} DateAdded`, track.DateAdded, ADDED_AT.slice(0, 10))
    same(`${at} Location`, track.Location, kit.paths[n])
    same(`${at} Year`, Number(track.Year), song.year ?? 0)
    same(`${at} Rating`, track.Rating, starsOf(song))
    same(`${at} Size`, Number(track.Size), bytesOf(kit, 'rekordbox', n))
    same(`${at} TotalTime`, Number(track.TotalTime), SONG_SECONDS)
    same(`${at} SampleRate`, Number(track.SampleRate), song.sample_rate)
    if (song.sound !== 'flac') same(`${at} BitRate`, Number(track.BitRate), MP3_BITRATE)
    close(`${at} AverageBpm`, track.AverageBpm, song.bpm, HUNDREDTH)
    const grid = gridOf(song)
    same(`${at} number of tempos`, tempos.length, grid.length)
    for (const [i, { seconds, bpm, beat }] of grid.entries()) {
      close(`${at} Inizio`, tempos[i]?.Inizio, seconds, MILLISECOND)
      close(`${at} Bpm`, tempos[i]?.Bpm, bpm, HUNDREDTH)
      same(`${at} Battito`, Number(tempos[i]?.Battito), beat)
      same(`${at} Metro`, tempos[i]?.Metro, '4/4')
    }
    const cues = cuesOf(song)
    same(`${at} number of cues`, marks.length, cues.length)
    for (const [i, { seconds, name, number, colour }] of cues.entries()) {
      close(`${at} cue ${i} Start`, marks[i]?.Start, seconds, MILLISECOND)
      same(`${at} cue ${i} Name`, marks[i]?.Name, name)
      same(`${at} cue ${i} Num`, Number(marks[i]?.Num), number)
      if (marks[i]?.Red !== undefined) same(`${at} cue ${i} colour`, hexColour(marks[i]), colour)
    }
  }
  same('playlists', lists.map(({ name }) => name).join(), PLAYLIST_TITLE)
  same('tracks of the playlist', lists[0]?.keys.join(), kit.songs.map((_, n) => n + 1).join())
}

const hexColour = ({ Red, Green, Blue }: Record<string, string | number | null> = {}) =>
  `#${[Red, Green, Blue].map((value) => Number(value).toString(16).padStart(2, '0').toUpperCase()).join('')}`
