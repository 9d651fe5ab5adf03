import { mkdirSync } from 'node:fs'
import path from 'node:path'
import type { Comparisons } from '../comparisons.ts'
import {
  commentOf,
  cuesOf,
  genreOf,
  gridOf,
  infoFrame,
  type Kit,
  keyNumber,
  keyOf,
  starsOf,
  titleOf,
} from '../expected.ts'
import { MP3_BITRATE, run } from '../make-audio.ts'
import { PLAYLIST_TITLE } from '../pool.ts'
import { type KitSong, SONG_SECONDS } from '../songs.ts'
import { beatFrames } from './mixxx-beats.ts'

/** Rows of Mixxx's database, as its columns are named. */
type MixxxRow = Record<string, string | number | null>

export type MixxxDatabase = {
  /** The scanned files, with the frames of their beats in `beats` as protocol buffers in hexadecimal digits. */
  library: MixxxRow[]
  cues: MixxxRow[]
  traktor: MixxxRow[]
  traktorLists: MixxxRow[]
  serato: MixxxRow[]
  seratoLists: MixxxRow[]
}

const playlists = (name: string) => `
  SELECT p.name, l.location FROM ${name}_playlist_tracks t JOIN ${name}_playlists p ON p.id = t.playlist_id
  LEFT JOIN ${name}_library l ON l.id = t.track_id ORDER BY p.id, t.position`

const QUERIES: Record<keyof MixxxDatabase, string> = {
  library: `
    SELECT l.*, t.location AS path, hex(beats) AS beats FROM library l JOIN track_locations t ON t.id = l.location`,
  cues: 'SELECT track_id, position, hotcue, label, color FROM cues WHERE hotcue >= 0 ORDER BY track_id, hotcue',
  traktor: 'SELECT * FROM traktor_library ORDER BY id',
  traktorLists: playlists('traktor'),
  serato: 'SELECT * FROM serato_library ORDER BY id',
  seratoLists: playlists('serato'),
}

/** Lets Mixxx read the home folder, and returns what is in its database then. */
export function readWithMixxx({ home }: Kit): MixxxDatabase {
  const output = path.join(home, 'mixxx-database')
  mkdirSync(output)
  run('bash', [path.join(import.meta.dirname, 'mixxx.sh'), home, output])
  const query = (sql: string): MixxxRow[] =>
    JSON.parse(run('sqlite3', ['-readonly', '-json', path.join(output, 'mixxx.sqlite'), sql]) || '[]')
  const tables = Object.entries(QUERIES).map(([name, sql]) => [name, query(sql)])
  return Object.fromEntries(tables)
}

/** Each song with its row, which is found by its path. */
function* songRows({ songs, paths }: Kit, rows: readonly MixxxRow[], column: string): Generator<[KitSong, MixxxRow]> {
  const byPath = new Map(rows.map((row) => [row[column], row]))
  for (const [n, song] of songs.entries()) yield [song, byPath.get(paths[n]!) ?? {}]
}

export function compareMixxxTraktor(kit: Kit, { traktor, traktorLists }: MixxxDatabase, comparisons: Comparisons) {
  const { same, close } = comparisons
  same('number of tracks', traktor.length, kit.songs.length)
  for (const [song, row] of songRows(kit, traktor, 'location')) {
    const at = `song ${song.number}`
    compareNames(song, row, comparisons)
    same(`${at} year`, row.year, song.year === null ? null : `${song.year}/1/1`)
    same(`${at} rating`, row.rating, starsOf(song))
    same(`${at} duration`, row.duration, SONG_SECONDS)
    same(`${at} key`, row.key, keyOf(song, kit.profile))
    if (song.sound !== 'flac') same(`${at} bitrate`, row.bitrate, MP3_BITRATE)
    close(`${at} bpm`, row.bpm, song.bpm, 0.001)
  }
  const found = traktorLists.filter(({ name }) => name === `-->${PLAYLIST_TITLE}`)
  same('playlist', found.map(({ location }) => location).join('\n'), kit.paths.join('\n'))
}

function compareNames(song: KitSong, row: MixxxRow, { same }: Comparisons): void {
  const at = `song ${song.number}`
  same(`${at} title`, row.title, titleOf(song))
  same(`${at} artist`, row.artist, song.artist)
  same(`${at} album`, row.album ?? '', song.album)
  same(`${at} genre`, row.genre, genreOf(song))
  same(`${at} comment`, row.comment, commentOf(song))
}

/** The crate, and the database that only this check writes: without it, Mixxx shows no songs of crates. */
export function compareMixxxSerato(kit: Kit, { serato, seratoLists }: MixxxDatabase, comparisons: Comparisons): void {
  const { same } = comparisons
  same('number of tracks', serato.length, kit.songs.length)
  for (const [song, row] of songRows(kit, serato, 'location')) {
    same(`song ${song.number} title`, row.title, titleOf(song))
    same(`song ${song.number} artist`, row.artist, song.artist)
  }
  const found = seratoLists.filter(({ name }) => String(name).endsWith('.crate'))
  same('crate', found.map(({ location }) => location).join('\n'), kit.paths.join('\n'))
}

/** Mixxx with libmad counts Serato's times in MP3s from this much later, in milliseconds. */
const LATER_MS = { 44100: 26, 48000: 24 } as const

export function compareMixxxLibrary(kit: Kit, { library, cues }: MixxxDatabase, comparisons: Comparisons): void {
  const { same } = comparisons
  same('number of tracks', library.length, kit.songs.length)
  for (const [song, row] of songRows(kit, library, 'path')) {
    const at = `song ${song.number}`
    compareNames(song, row, comparisons)
    same(`${at} year`, row.year ?? '', song.year === null ? '' : String(song.year))
    same(`${at} samplerate`, row.samplerate, song.sample_rate)
    same(`${at} key`, keyNumber(String(row.key)), keyNumber(song.song_key))
    compareCues(
      song,
      cues.filter(({ track_id }) => track_id === row.id),
      comparisons,
    )
    compareBeats(song, row, comparisons)
  }
}

/** Milliseconds that Mixxx subtracts from Serato's times. */
const laterMs = ({ sound, sample_rate }: KitSong) => (sound === 'flac' ? 0 : LATER_MS[sample_rate])

function compareCues(song: KitSong, rows: readonly MixxxRow[], { same, close }: Comparisons): void {
  const expected = cuesOf(song)
  same(`song ${song.number} number of cues`, rows.length, expected.length)
  for (const [i, { seconds, name, colour, number }] of expected.entries()) {
    const at = `song ${song.number} cue ${i}`
    // Positions count the samples of both channels.
    const milliseconds = (Number(rows[i]?.position) / 2 / song.sample_rate) * 1000
    close(at, milliseconds, (seconds + infoFrame(song)) * 1000 - laterMs(song), 0.53)
    same(`${at} label`, rows[i]?.label, name)
    same(`${at} hotcue`, rows[i]?.hotcue, number)
    same(`${at} color`, hexColour(rows[i]?.color), colour)
  }
}

const hexColour = (value: string | number | null | undefined) =>
  `#${(Number(value) & 0xffffff).toString(16).padStart(6, '0').toUpperCase()}`

const BEAT_MS = 0.05

/**
 * While it scans, Mixxx knows no lengths: after the last anchor it creates one or two beats. All beats before a change of
 * tempo must be there. A FLAC with changes is left out: Mixxx 2.3.3 cuts off a character that such a grid needs.
 */
function compareBeats(song: KitSong, { beats, bpm_lock }: MixxxRow, { same, close }: Comparisons): void {
  const [first, ...changes] = gridOf(song)
  if (song.sound === 'flac' && changes.length > 0) return
  const at = `song ${song.number}`
  same(`${at} bpm_lock`, bpm_lock, 1)
  const found = beatFrames(Buffer.from(String(beats ?? ''), 'hex')).map((frame) => (frame / song.sample_rate) * 1000)
  const firstMs = (first!.seconds + infoFrame(song)) * 1000 - laterMs(song)
  const count = song.rhythm.tempos.at(-1)!.from_beat
  same(`${at} number of beats`, found.length > count, true)
  for (let beat = 0; beat <= count; beat++)
    close(`${at} beat ${beat}`, found[beat], firstMs + beatMs(song, beat), BEAT_MS)
}

/** Milliseconds from the first beat to another one. */
function beatMs({ rhythm: { tempos } }: KitSong, beat: number): number {
  let seconds = 0
  for (let n = 0; n < beat; n++) seconds += 60 / tempos.findLast(({ from_beat }) => from_beat <= n)!.bpm
  return seconds * 1000
}
