import { useEffect, useMemo, useState } from 'react'
import { draftOf, keepDraft } from '../platform/drafts.ts'
import { arriveAt, takeArrivals, useArrivals } from './arrivals.ts'
import { useFiles } from './files.ts'
import { prefilled } from './prefill.ts'
import { detachForm } from './sending.ts'
import { type Kind, withPlaced } from './slotChoice.ts'
import { emptySlot, FIELDS, type Field, type FormSlot, type SongForm, type Values } from './songForm.ts'

const nameOf = (entityId: number | undefined) => `song.${entityId ?? 'new'}`

function readDraft(name: string): SongForm | undefined {
  try {
    const draft = JSON.parse(draftOf(name) || 'null') as SongForm | null
    return draft && Array.isArray(draft.slots) && typeof draft.values === 'object' ? draft : undefined
  } catch {
    return undefined
  }
}

/** The song is saved: nothing that was typed for it, or is still on its way to it, goes into another. */
export function dropSongDraft(entityId: number | undefined) {
  keepDraft(nameOf(entityId), '')
  detachForm(nameOf(entityId))
}

/** Only what somebody did is worth keeping. */
const isTouched = ({ typed, coming }: SongForm) => typed.length > 0 || coming.length > 0

let keys = 0
const newKey = (form: SongForm): string => {
  const key = `new-${++keys}`
  return form.slots.some((slot) => slot.key === key) ? newKey(form) : key
}

/**
 * What is typed into the form of a song, kept across a reload. Files fill in what nobody typed, and those dropped here go
 * into their slots, as soon as something is known of them.
 */
export function useSongForm(entityId: number | undefined, first: SongForm, kinds: Kind[]) {
  const name = nameOf(entityId)
  const [form, setForm] = useState(() => readDraft(name) ?? first)
  const known = useFiles(({ files }) => files)
  const files = useMemo(
    () => form.slots.flatMap(({ song }) => (song !== undefined && known[song] ? [known[song]] : [])),
    [form.slots, known],
  )
  useEffect(() => keepDraft(name, isTouched(form) ? JSON.stringify(form) : ''), [name, form])
  useEffect(() => setForm((form) => prefilled(form, files)), [files])
  const { coming } = form
  useEffect(() => {
    if (coming.length > 0) setForm((form) => withPlaced(form, known, kinds))
  }, [coming, known, kinds])

  const arrived = useArrivals((arrivals) => arrivals[name])
  useEffect(() => {
    if (!arrived?.length) return
    setForm((form) => ({ ...form, coming: [...new Set([...form.coming, ...arrived])] }))
    takeArrivals(name)
  }, [name, arrived])

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
  const changeSlots = (how: (slots: FormSlot[], form: SongForm) => FormSlot[]) =>
    setForm((form) => ({
      ...form,
      slots: how(form.slots, form),
      typed: form.typed.includes('slots') ? form.typed : [...form.typed, 'slots'],
    }))
  return {
    form,
    files,
    setForm,
    type,
    /** What is sent for it goes into its slots. */
    name,
    /** A file that is there already goes into a slot. */
    expect: (uploadId: number) => arriveAt(name, uploadId),
    addSlot: () => changeSlots((slots, form) => [...slots, emptySlot(newKey(form))]),
    changeSlot: (key: string, change: Partial<FormSlot>) =>
      changeSlots((slots) => slots.map((slot) => (slot.key === key ? { ...slot, ...change } : slot))),
    removeSlot: (key: string) => changeSlots((slots) => slots.filter((slot) => slot.key !== key)),
  }
}

export type SongFormState = ReturnType<typeof useSongForm>
