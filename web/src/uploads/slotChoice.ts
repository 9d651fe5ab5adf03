import type { ReplyOf, uploadedSongs, uploads } from '@dubplate/contract'
import { emptySlot, type FormSlot, isEmptySlot, MOST_VERSIONS, type SongForm } from './songForm.ts'

export type Kind = ReplyOf<typeof uploadedSongs.getVersions>['versions'][number]

const wordsOf = (label: string): string =>
  label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(' ')

/** The kind a label means: 'clean intro' is the kind 'Intro Clean'. */
export const kindOf = (label: string, kinds: Kind[]): Kind | undefined =>
  label ? kinds.find(({ name }) => wordsOf(name) === wordsOf(label)) : undefined

/** What a slot is called; '' until that is known. */
export const slotName = ({ version_id, new_label }: FormSlot, kinds: Kind[]): string =>
  version_id ? (kinds.find((kind) => kind.version_id === version_id)?.name ?? '') : new_label

/** What a file says of its version is known with its tags, which come with its analysis. */
const isKnown = ({ tag, analysis }: uploads.ContainerFile): boolean =>
  tag.version_label !== '' || analysis.state === 'done' || analysis.state === 'failed'

/**
 * A file that was dropped on the form gets a slot at once: an untouched one, or else a new one. One for which there is no
 * room waits among the uploads.
 */
function seated(slots: FormSlot[], song: number): FormSlot[] {
  if (slots.some((slot) => slot.song === song)) return slots
  const free = slots.find(isEmptySlot)
  if (!free && slots.length >= MOST_VERSIONS) return slots
  if (!free) return [...slots, { ...emptySlot(`file-${song}`), song }]
  return slots.map((slot) => (slot === free ? { ...free, song } : slot))
}

/**
 * Names the slot of a file as its tags or its name tell; where a slot of that kind waits for a file, it goes there. A slot
 * that somebody named stays as it is, and of a second file of one version a person says what it is.
 */
function named(slots: FormSlot[], { upload_id, tag }: uploads.ContainerFile, kinds: Kind[]): FormSlot[] {
  const label = tag.version_label
  const own = slots.find(({ song }) => song === upload_id)
  if (!own || own.version_id !== undefined || label === '') return slots
  const same = slots.filter((slot) => wordsOf(slotName(slot, kinds)) === wordsOf(label))
  const waiting = same.find(({ song }) => song === undefined)
  const become = (slot: FormSlot, into: FormSlot) => slots.map((each) => (each === slot ? into : each))
  if (waiting) {
    const filled = { ...waiting, song: upload_id, start_seconds: own.start_seconds }
    return become(waiting, filled).filter((slot) => slot !== own)
  }
  if (same.length > 0) return slots
  const kind = kindOf(label, kinds)
  return become(own, { ...own, version_id: kind?.version_id ?? 0, new_label: kind ? '' : label })
}

/** The form with every file that was dropped on it, and has arrived, in a slot. The same form where there is none. */
export function withPlaced(form: SongForm, files: Record<number, uploads.ContainerFile>, kinds: Kind[]): SongForm {
  const here = form.coming.flatMap((id) => files[id] ?? [])
  const known = here.filter(isKnown)
  const filled = here.reduce((slots, { upload_id }) => seated(slots, upload_id), form.slots)
  const slots = known.reduce((slots, file) => named(slots, file, kinds), filled)
  if (slots === form.slots && known.length === 0) return form
  const coming = form.coming.filter((id) => known.every(({ upload_id }) => upload_id !== id))
  return { ...form, slots, coming, typed: form.typed.includes('slots') ? form.typed : [...form.typed, 'slots'] }
}
