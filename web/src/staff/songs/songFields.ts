import { type corrections, parseKey, type staffSongs } from '@dubplate/contract'
import { formatKey } from '../../catalogue/mixing.ts'
import { formatList } from '../../format/formatList.ts'
import type { Notation } from '../../platform/preferences.ts'
import { sectionName } from '../uploads/uploadStates.ts'
import * as texts from './texts.ts'

type Song = staffSongs.StaffSong
export type Field = staffSongs.Field

/** The name of a field, and its maximum length. */
export const FIELD_NAMES: Record<Field, string> = {
  title: texts.title,
  artist: texts.artist,
  album: texts.album,
  label: texts.label,
  remixer: texts.remixer,
  isrc: texts.isrc,
  year: texts.year,
  bpm: texts.bpm,
  song_key: texts.key,
  genres: texts.genres,
  song_section_id: texts.section,
}

/** Fields that are typed; genres are chosen in a dialog, the section in a select. */
const TEXT_FIELDS = [
  'title',
  'artist',
  'album',
  'label',
  'remixer',
  'isrc',
  'year',
  'bpm',
  'song_key',
] as const satisfies readonly Field[]
export type TextField = (typeof TEXT_FIELDS)[number]

export const isTextField = (field: string): field is TextField => (TEXT_FIELDS as readonly string[]).includes(field)

export const MAX_LENGTHS: Record<TextField, number> = {
  ...{ title: 300, artist: 300, album: 300, label: 200, remixer: 200 },
  ...{ isrc: 20, year: 4, bpm: 15, song_key: 12 },
}

const rounded = (bpm: number): string => String(Math.round(bpm * 100) / 100)

export const formatTempo = ({ min_bpm, max_bpm }: Pick<Song, 'min_bpm' | 'max_bpm'>): string => {
  if (min_bpm === null) return ''
  return max_bpm === null || max_bpm === min_bpm ? rounded(min_bpm) : `${rounded(min_bpm)}-${rounded(max_bpm)}`
}

export function formatSongKey(notation: Notation, songKey: string | null): string {
  const key = parseKey(songKey ?? '')
  return key ? formatKey(key, notation) : (songKey ?? '')
}

/** A value as it is shown in its cell, and as it is typed. */
export function displayValue(song: Song, field: Field, notation: Notation): string {
  if (field === 'year') return song.year === null ? '' : String(song.year)
  if (field === 'bpm') return formatTempo(song)
  if (field === 'song_key') return formatSongKey(notation, song.song_key)
  if (field === 'genres') return genresOf(song)
  if (field === 'song_section_id') return sectionName(song.song_section_id)
  return song[field]
}

/** Genres and moods, without main genres that are implied by their sub-genres. */
export const genresOf = ({ genres }: Pick<Song, 'genres'>): string => formatList(genres.map(({ name }) => name))

/** The typed text as a change of the contract. */
export const textChange = (field: TextField, typed: string): corrections.SongChange => ({ [field]: typed.trim() })

/** '1:05' for 65; '0:00' for the start. */
export function formatStart(seconds: number): string {
  const whole = Math.floor(seconds)
  const rest = Math.round((seconds - whole) * 100) / 100
  const shown = `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, '0')}`
  return rest === 0
    ? shown
    : `${shown}.${String(Math.round(rest * 100))
        .padStart(2, '0')
        .replace(/0$/, '')}`
}

/** Seconds of '1:05', '65' or '1:05.5'; undefined when it is not a time. */
export function parseStart(typed: string): number | undefined {
  const [, minutes, seconds] = /^(?:(\d{1,3}):)?(\d{1,5}(?:[.,]\d{1,2})?)$/.exec(typed.trim()) ?? []
  if (seconds === undefined) return undefined
  const whole = Number(seconds.replace(',', '.'))
  return minutes !== undefined && whole >= 60 ? undefined : Number(minutes ?? 0) * 60 + whole
}
