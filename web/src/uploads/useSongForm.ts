import { useEffect, useMemo, useState } from 'react'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { useFiles } from './files.ts'
import { prefillForm } from './prefill.ts'
import { detachForm } from './sending.ts'
import { addArrivedUpload, clearArrivedUploads, useArrivedUploads } from './sendings.ts'
import { type SlotKind, withPlacedFiles } from './slotChoice.ts'
import { emptySlot, FIELDS, type Field, type FormSlot, type SongForm, type Values } from './songForm.ts'

const draftName = (entityId: number | undefined) => `song.${entityId ?? 'new'}`

function readDraft(name: string): SongForm | undefined {
  try {
    const draft = JSON.parse(getDraft(name) || 'null') as SongForm | null
    return draft && Array.isArray(draft.slots) && typeof draft.values === 'object' ? draft : undefined
  } catch {
    return undefined
  }
}

/** After the song was saved: nothing typed for it, or still uploading to it, may be added to another song. */
export function clearSongDraft(entityId: number | undefined) {
  saveDraft(draftName(entityId), '')
  detachForm(draftName(entityId))
}

/** Only forms with changes are stored. */
const hasChanges = ({ typed, coming: expectedUploadIds }: SongForm) => typed.length > 0 || expectedUploadIds.length > 0

let keys = 0
const newKey = (form: SongForm): string => {
  const key = `new-${++keys}`
  return form.slots.some((slot) => slot.key === key) ? newKey(form) : key
}

/**
 * The state of the song form, stored across a reload. Values from files fill in fields that nobody edited, and files
 * dropped here are put into slots as soon as their version is known.
 */
export function useSongForm(entityId: number | undefined, first: SongForm, kinds: SlotKind[]) {
  const name = draftName(entityId)
  const [form, setForm] = useState(() => readDraft(name) ?? first)
  const known = useFiles(({ files }) => files)
  const files = useMemo(
    () => form.slots.flatMap(({ song }) => (song !== undefined && known[song] ? [known[song]] : [])),
    [form.slots, known],
  )
  useEffect(() => saveDraft(name, hasChanges(form) ? JSON.stringify(form) : ''), [name, form])
  // eslint-disable-next-line react-hooks/set-state-in-effect -- the analysis of a file is done
  useEffect(() => setForm((form) => prefillForm(form, files)), [files])
  const { coming: expectedUploadIds } = form
  useEffect(() => {
    // eslint-disable-next-line react-hooks/set-state-in-effect -- a file has arrived, or its version is known
    if (expectedUploadIds.length > 0) setForm((form) => withPlacedFiles(form, known, kinds))
  }, [expectedUploadIds, known, kinds])

  const arrivedIds = useArrivedUploads((arrivedUploads) => arrivedUploads[name])
  useEffect(() => {
    if (!arrivedIds?.length) return
    // eslint-disable-next-line react-hooks/set-state-in-effect -- files were dropped on another screen
    setForm((form) => ({ ...form, coming: [...new Set([...form.coming, ...arrivedIds])] }))
    clearArrivedUploads(name)
  }, [name, arrivedIds])

  const type = <Name extends keyof Values>(
    field: Name,
    value: Values[Name],
    source: 'uploader' | 'analysis' = 'uploader',
  ) =>
    setForm((form) => ({
      ...form,
      values: { ...form.values, [field]: value },
      sources: FIELDS.includes(field as Field) ? { ...form.sources, [field]: source } : form.sources,
      typed: form.typed.includes(field) ? form.typed : [...form.typed, field],
    }))
  const updateSlots = (update: (slots: FormSlot[], form: SongForm) => FormSlot[]) =>
    setForm((form) => ({
      ...form,
      slots: update(form.slots, form),
      typed: form.typed.includes('slots') ? form.typed : [...form.typed, 'slots'],
    }))
  return {
    form,
    files,
    setForm,
    type,
    /** The name under which uploads are assigned to this form. */
    name,
    /** Adds a file that has already been uploaded to a slot. */
    expect: (uploadId: number) => addArrivedUpload(name, uploadId),
    addSlot: () => updateSlots((slots, form) => [...slots, emptySlot(newKey(form))]),
    changeSlot: (key: string, change: Partial<FormSlot>) =>
      updateSlots((slots) => slots.map((slot) => (slot.key === key ? { ...slot, ...change } : slot))),
    removeSlot: (key: string) => updateSlots((slots) => slots.filter((slot) => slot.key !== key)),
  }
}

export type SongFormState = ReturnType<typeof useSongForm>
