import type { Day, InputOf, uploadedSongs } from '@dubplate/contract'
import { parseDay } from '../format/dates.ts'
import * as texts from './texts.ts'

export const FIELDS = ['title', 'artist', 'year', 'song_key', 'bpm', 'genres'] as const
export type Field = (typeof FIELDS)[number]

export type Values = {
  title: string
  artist: string
  year: string
  song_key: string
  bpm: string
  genres: number[]
  /** '2026-12-31'. */
  expire_date: string
}

/** A version slot in the form. */
export type FormSlot = {
  /** Its name within this form. */
  key: string
  song_version_id?: number | undefined
  /** Undefined until it is chosen; 0 for a custom label. */
  version_id?: number | undefined
  new_label: string
  /** upload_id of its file. */
  song?: number | undefined
  start_seconds: number
}

export type SongForm = {
  values: Values
  /** The source of each value; undefined if it is not known. */
  sources: Partial<Record<Field, uploadedSongs.Source>>
  /** Fields the member has edited: they are never overwritten. */
  typed: (keyof Values | 'slots')[]
  /** Fields that had a value when the song was loaded: only the member changes them. */
  saved: Field[]
  slots: FormSlot[]
  /** upload_ids of files that were dropped here and have no slot yet. */
  coming: number[]
  /** The version of the song when it was loaded; undefined for a new one. */
  version?: number | undefined
}

export const MAX_VERSIONS = 30

const DAY_MS = 24 * 3600 * 1000

/** The date a number of days from now, as in a URL or a field. */
export const dayAfter = (days: number, now = new Date()): string =>
  new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10)

export const emptySlot = (key: string): FormSlot => ({ key, new_label: '', start_seconds: 0 })

export const emptyForm = (expire_date: string): SongForm => ({
  values: { title: '', artist: '', year: '', song_key: '', bpm: '', genres: [], expire_date },
  sources: {},
  typed: [],
  saved: [],
  slots: [],
  coming: [],
})

/** A tempo range as typed: '98-124'; '' if there is none. */
const tempoText = (min: number | null, max: number | null): string => {
  const bounds = [min ?? max, max ?? min].filter((bpm) => bpm !== null).map((bpm) => Math.round(bpm * 100) / 100)
  return [...new Set(bounds)].join('-')
}

export function formOfEntry(song: uploadedSongs.SongEntry, slots: uploadedSongs.Slot[]): SongForm {
  const values: Values = {
    title: song.title,
    artist: song.artist,
    year: song.year === null ? '' : String(song.year),
    song_key: song.song_key ?? '',
    bpm: tempoText(song.min_bpm, song.max_bpm),
    genres: song.genres,
    expire_date: song.expire_date.slice(0, 10),
  }
  return {
    values,
    sources: song.sources,
    typed: [],
    saved: FIELDS.filter((field) => values[field].length > 0),
    slots: slots.map(toFormSlot),
    coming: [],
    version: song.version,
  }
}

const toFormSlot = ({
  song_version_id,
  version_id,
  new_label,
  song,
  start_min,
  start_sec,
}: uploadedSongs.Slot): FormSlot => ({
  key: `saved-${song_version_id}`,
  song_version_id,
  version_id,
  new_label,
  song,
  start_seconds: start_min * 60 + start_sec,
})

/** The song as someone else has saved it since, with the values typed here. */
export function mergeForms(serverForm: SongForm, localForm: SongForm): SongForm {
  const editedFields = localForm.typed.filter((field) => field !== 'slots')
  const slots = localForm.typed.includes('slots') ? keepSavedSlots(localForm.slots, serverForm.slots) : serverForm.slots
  return {
    ...serverForm,
    values: {
      ...serverForm.values,
      ...Object.fromEntries(editedFields.map((field) => [field, localForm.values[field]])),
    },
    sources: {
      ...serverForm.sources,
      ...Object.fromEntries(editedFields.map((field) => [field, localForm.sources[field as Field]])),
    },
    typed: localForm.typed,
    slots,
    coming: localForm.coming,
  }
}

/** A slot that has been deleted since becomes a new one when it is saved again. */
const keepSavedSlots = (localForm: FormSlot[], saved: FormSlot[]): FormSlot[] =>
  localForm.map((slot) =>
    saved.some(({ song_version_id }) => song_version_id === slot.song_version_id)
      ? slot
      : { ...slot, song_version_id: undefined },
  )

export const isEmptySlot = ({ version_id, new_label, song }: FormSlot): boolean =>
  version_id === undefined && new_label === '' && song === undefined

/** The slots to send, in their order; an untouched slot is left out. */
const submittedSlots = ({ slots }: Pick<SongForm, 'slots'>): FormSlot[] => slots.filter((slot) => !isEmptySlot(slot))

export function inputOf(form: SongForm): InputOf<typeof uploadedSongs.createSong> {
  const { expire_date, ...values } = form.values
  return {
    songData: { ...values, expire_date: parseDay(expire_date) as Day | null },
    versions: submittedSlots(form).map(({ song_version_id, version_id, new_label, song, start_seconds }) => ({
      song_version_id,
      version_id: version_id || undefined,
      new_label: version_id ? '' : new_label,
      song: song ?? 0,
      start_min: Math.floor(start_seconds / 60),
      start_sec: Math.floor(start_seconds % 60),
    })),
  }
}

/** Errors by their path in the form: `values.title`, or `slots.new-2.song` for the slot with that key. */
export type FieldErrors = Record<string, string>

/** The errors of the slots. */
export function validateSlots(form: Pick<SongForm, 'slots'>): FieldErrors {
  const fieldErrors: FieldErrors = {}
  for (const { key, version_id, new_label, song } of submittedSlots(form)) {
    const isNamed = version_id ? true : version_id === 0 && new_label.trim() !== ''
    if (!isNamed) fieldErrors[`slots.${key}.version_id`] = texts.chooseVersionType
    if (song === undefined) fieldErrors[`slots.${key}.song`] = texts.chooseFileForVersion
  }
  return fieldErrors
}

const SLOT_FIELDS: Record<string, string> = { song: 'song', start_min: 'start', start_sec: 'start' }

/** The path in the form for one of the call’s input: the call numbers the slots it got, the form names them. */
export function formPath(path: string, form: SongForm): string {
  const [, at, field = ''] = /^versions\.(\d+)(?:\.(\w+))?/.exec(path) ?? []
  const key = submittedSlots(form)[Number(at)]?.key
  if (key) return `slots.${key}.${SLOT_FIELDS[field] ?? 'version_id'}`
  return path.replace(/^songData\.(\w+).*/, 'values.$1')
}

/** The server’s errors by their paths in the form. */
export const mapServerErrors = (fields: Record<string, string>, form: SongForm): FieldErrors =>
  Object.fromEntries(Object.entries(fields).map(([path, message]) => [formPath(path, form), message]))
