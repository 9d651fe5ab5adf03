import type { InputOf, review } from '@dubplate/contract'
import { type FormSlot, formOfEntry, inputOf, mergeForms, type SongForm, type Values } from '../../uploads/songForm.ts'

/** A song being edited by staff. */
export type Entry = {
  form: SongForm
  /** 1 songs, 2 kuts. */
  section: number
  /** The loaded values: differences from them were typed here. */
  read: { slots: FormSlot[]; section: number }
}

export function entryOf({ song, versions }: review.ReviewedSong): Entry {
  const form = formOfEntry(song, versions)
  return { form, section: song.song_section_id, read: { slots: form.slots, section: song.song_section_id } }
}

/** Returns the entry with a value that staff typed. */
export const withValue = (entry: Entry, change: Partial<Values>): Entry => {
  const { form } = entry
  const fields = Object.keys(change) as (keyof Values)[]
  const sources = Object.fromEntries(fields.map((field) => [field, 'staff']))
  return {
    ...entry,
    form: {
      ...form,
      values: { ...form.values, ...change },
      sources: { ...form.sources, ...sources },
      typed: [...new Set([...form.typed, ...fields])],
    },
  }
}

/** The song as someone else saved it in the meantime, with the values typed here on top. */
export function entryOnTop(newer: Entry, mine: Entry): Entry {
  return {
    form: { ...mergeForms(newer.form, mine.form), slots: newer.form.slots.map((slot) => slotOnTop(slot, mine)) },
    section: mine.section === mine.read.section ? newer.section : mine.section,
    read: newer.read,
  }
}

/** The name and preview start of a version, each kept if it was typed here; the file is always the uploader's. */
function slotOnTop(newer: FormSlot, { form, read }: Entry): FormSlot {
  const isThis = ({ song_version_id }: FormSlot) => song_version_id === newer.song_version_id
  const [mine, was] = [form.slots.find(isThis), read.slots.find(isThis)]
  if (!mine || !was) return newer
  const isRenamed = mine.version_id !== was.version_id || mine.new_label !== was.new_label
  return {
    ...newer,
    ...(isRenamed ? { version_id: mine.version_id, new_label: mine.new_label } : {}),
    ...(mine.start_seconds === was.start_seconds ? {} : { start_seconds: mine.start_seconds }),
  }
}

export function editOf(entityId: number, { form, section }: Entry): InputOf<typeof review.editUpload> {
  const { songData, versions } = inputOf(form)
  return {
    entity_id: entityId,
    version: form.version ?? 0,
    songData,
    song_section_id: section,
    versions: (versions ?? []).map(({ song: _file, song_version_id, ...slot }) => ({
      ...slot,
      song_version_id: song_version_id ?? 0,
    })),
  }
}
