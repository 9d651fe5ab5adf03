import type { ReplyOf, uploadedSongs, uploads } from '@dubplate/contract'
import { emptySlot, type FormSlot, isEmptySlot, MAX_VERSIONS, type SongForm } from './songForm.ts'

export type SlotKind = ReplyOf<typeof uploadedSongs.getVersions>['versions'][number]

const normaliseLabel = (label: string): string =>
  label
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .sort()
    .join(' ')

/** The version type that a label means: 'clean intro' is the type 'Intro Clean'. */
export const kindOf = (label: string, kinds: SlotKind[]): SlotKind | undefined =>
  label ? kinds.find(({ name }) => normaliseLabel(name) === normaliseLabel(label)) : undefined

/** The name of a slot; '' until it is known. */
export const slotName = ({ version_id, new_label }: FormSlot, kinds: SlotKind[]): string =>
  version_id ? (kinds.find((kind) => kind.version_id === version_id)?.name ?? '') : new_label

/** The version in a file's tags is known only after its analysis. */
const isKnown = ({ tag, analysis }: uploads.ContainerFile): boolean =>
  tag.version_label !== '' || analysis.state === 'done' || analysis.state === 'failed'

/**
 * Gives a file that was dropped on the form a slot at once: an untouched one, or else a new one. Without a free slot it
 * stays among the uploads.
 */
function freeSlotFor(slots: FormSlot[], song: number): FormSlot[] {
  if (slots.some((slot) => slot.song === song)) return slots
  const freeSlot = slots.find(isEmptySlot)
  if (!freeSlot && slots.length >= MAX_VERSIONS) return slots
  if (!freeSlot) return [...slots, { ...emptySlot(`file-${song}`), song }]
  return slots.map((slot) => (slot === freeSlot ? { ...freeSlot, song } : slot))
}

/**
 * Names the slot of a file after its tags or file name; if an empty slot has that version, the file moves there. A slot
 * named by the member is unchanged, and a second file of the same version is left to the member.
 */
function matchSlotByName(slots: FormSlot[], { upload_id, tag }: uploads.ContainerFile, kinds: SlotKind[]): FormSlot[] {
  const label = tag.version_label
  const own = slots.find(({ song }) => song === upload_id)
  if (!own || own.version_id !== undefined || label === '') return slots
  const slotsWithLabel = slots.filter((slot) => normaliseLabel(slotName(slot, kinds)) === normaliseLabel(label))
  const emptySlotWithLabel = slotsWithLabel.find(({ song }) => song === undefined)
  const become = (slot: FormSlot, replacement: FormSlot) => slots.map((each) => (each === slot ? replacement : each))
  if (emptySlotWithLabel) {
    const filled = { ...emptySlotWithLabel, song: upload_id, start_seconds: own.start_seconds }
    return become(emptySlotWithLabel, filled).filter((slot) => slot !== own)
  }
  if (slotsWithLabel.length > 0) return slots
  const kind = kindOf(label, kinds)
  return become(own, { ...own, version_id: kind?.version_id ?? 0, new_label: kind ? '' : label })
}

/** The form with every uploaded file that was dropped on it in a slot. The same object if there is none. */
export function withPlacedFiles(
  form: SongForm,
  files: Record<number, uploads.ContainerFile>,
  kinds: SlotKind[],
): SongForm {
  const arrivedFiles = form.coming.flatMap((id) => files[id] ?? [])
  const known = arrivedFiles.filter(isKnown)
  const filled = arrivedFiles.reduce((slots, { upload_id }) => freeSlotFor(slots, upload_id), form.slots)
  const slots = known.reduce((slots, file) => matchSlotByName(slots, file, kinds), filled)
  if (slots === form.slots && known.length === 0) return form
  const expectedUploadIds = form.coming.filter((id) => known.every(({ upload_id }) => upload_id !== id))
  return {
    ...form,
    slots,
    coming: expectedUploadIds,
    typed: form.typed.includes('slots') ? form.typed : [...form.typed, 'slots'],
  }
}
