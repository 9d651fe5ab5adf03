import { type ReplyOf, uploadedSongs, uploads } from '@dubplate/contract'
import { createSong, updateSong } from '@dubplate/contract/schemas/uploaded-songs'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo } from 'react'
import { callApi } from '../platform/api.ts'
import { refreshReplies } from '../platform/useApiMutation.ts'
import { type ResourceFormState, useResourceForm } from '../platform/useResourceForm.ts'
import { toast } from '../ui/toast.ts'
import { cacheFiles, useFiles } from './files.ts'
import { prefillForm } from './prefill.ts'
import { detachForm } from './sending.ts'
import { addArrivedUpload, clearArrivedUploads, useArrivedUploads } from './sendings.ts'
import { type SlotKind, withPlacedFiles } from './slotChoice.ts'
import {
  emptySlot,
  FIELDS,
  type Field,
  type FormSlot,
  formOfEntry,
  formPath,
  inputOf,
  mergeForms,
  type SongForm,
  type Values,
  validateSlots,
} from './songForm.ts'
import * as texts from './texts.ts'

export type SongFormProps = {
  /** The song being edited; undefined for a new one. */
  entityId?: number | undefined
  /** The initial values of the form. */
  first: SongForm
  kinds: SlotKind[]
}

let keys = 0
const newKey = (form: SongForm): string => {
  const key = `new-${++keys}`
  return form.slots.some((slot) => slot.key === key) ? newKey(form) : key
}

/** The song as it is stored now. */
async function loadSongForm(entity_id: number): Promise<SongForm> {
  const [{ song }, { versions }] = await Promise.all([
    callApi(uploadedSongs.getSongEntry, { entity_id }),
    callApi(uploadedSongs.getSongVersions, { entity_id }),
  ])
  cacheFiles(versions.map(({ file }) => file))
  return formOfEntry(song, versions)
}

/**
 * The form of a song. Values from its files fill in fields that nobody edited, and files dropped here are put into slots
 * as soon as their version is known.
 */
export function useSongForm({ entityId, first, kinds }: SongFormProps) {
  const name = `song.${entityId ?? 'new'}`
  const navigate = useNavigate()
  const form: ResourceFormState<SongForm> = useResourceForm<
    SongForm,
    typeof createSong | typeof updateSong,
    ReplyOf<typeof createSong>
  >({
    call: entityId === undefined ? createSong : updateSong,
    draftName: name,
    values: first,
    toInput: (form) =>
      entityId === undefined ? inputOf(form) : { ...inputOf(form), entity_id: entityId, version: form.version },
    fieldNames: (path): string => formPath(path, form.getValues()),
    validate: validateSlots,
    loadCurrent: entityId === undefined ? undefined : () => loadSongForm(entityId),
    save: async (send) => {
      const saved = await send()
      // Nothing that is still uploading for this song may be added to another one.
      detachForm(name)
      void refreshReplies(CHANGED)
      await navigate({ to: '/uploads/index' })
      void toast({ message: SAVED[saved.status] })
      return saved
    },
  })
  const { values } = form
  const known = useFiles(({ files }) => files)
  const arrivedIds = useArrivedUploads((arrivedUploads) => arrivedUploads[name])
  const files = useMemo(
    () => values.slots.flatMap(({ song }) => (song !== undefined && known[song] ? [known[song]] : [])),
    [values.slots, known],
  )
  const update = (change: (form: SongForm) => SongForm) => {
    const before = form.getValues()
    const after = change(before)
    if (after !== before) form.setValues(after)
  }
  const prefill = useEffectEvent(() => update((form) => prefillForm(form, files)))
  useEffect(() => prefill(), [files])
  const placeFiles = useEffectEvent(() => update((form) => withPlacedFiles(form, known, kinds)))
  useEffect(() => placeFiles(), [values.coming, known, kinds])
  const expectArrived = useEffectEvent(() => {
    if (!arrivedIds?.length) return
    update((form) => ({ ...form, coming: [...new Set([...form.coming, ...arrivedIds])] }))
    clearArrivedUploads(name)
  })
  useEffect(() => expectArrived(), [arrivedIds])

  const type = <Name extends keyof Values>(
    field: Name,
    value: Values[Name],
    source: 'uploader' | 'analysis' = 'uploader',
  ) =>
    update((form) => ({
      ...form,
      values: { ...form.values, [field]: value },
      sources: FIELDS.includes(field as Field) ? { ...form.sources, [field]: source } : form.sources,
      typed: [...new Set([...form.typed, field])],
    }))
  const updateSlots = (change: (slots: FormSlot[]) => FormSlot[]) =>
    update((form) => ({
      ...form,
      slots: change(form.slots),
      typed: [...new Set([...form.typed, 'slots' as const])],
    }))
  return {
    ...form,
    files,
    type,
    /** The name under which uploads are assigned to this form. */
    name,
    /** The error of a field, or of a part of a slot. */
    errorOf: (path: `values.${keyof Values}` | `slots.${string}`): string | undefined => form.field(path).error,
    /** Adds a file that has already been uploaded to a slot. */
    expect: (uploadId: number) => addArrivedUpload(name, uploadId),
    /** Adds an empty slot; returns its key. */
    addSlot: (): string => {
      const key = newKey(form.getValues())
      updateSlots((slots) => [...slots, emptySlot(key)])
      return key
    },
    changeSlot: (key: string, change: Partial<FormSlot>) =>
      updateSlots((slots) => slots.map((slot) => (slot.key === key ? { ...slot, ...change } : slot))),
    removeSlot: (key: string) => updateSlots((slots) => slots.filter((slot) => slot.key !== key)),
    /** Removes a version from the stored song at once. */
    removeVersion: async ({ key, song_version_id = 0 }: FormSlot) => {
      const entity_id = entityId ?? 0
      const { versions } = await callApi(uploadedSongs.removeSongVersion, { entity_id, song_version_id })
      cacheFiles(versions.map(({ file }) => file))
      updateSlots((slots) => slots.filter((slot) => slot.key !== key))
      // The version has been removed; if this fails, the song is loaded again when it is saved.
      const current = await loadSongForm(entity_id).catch(() => undefined)
      if (current) update((form) => mergeForms(current, form))
    },
    /** Applies what was typed here to the song as someone else has saved it since. */
    mergeWithCurrent:
      form.conflict &&
      (() => {
        const mine = form.getValues()
        form.conflict?.takeServerVersion()
        update((current) => mergeForms(current, mine))
      }),
  }
}

export type SongFormState = ReturnType<typeof useSongForm>

const CHANGED = [
  uploadedSongs.getUploadedSongs,
  uploads.getContainer,
  uploadedSongs.getSongEntry,
  uploadedSongs.getSongVersions,
]

/** The confirmation for each state, with what happens next. */
const SAVED: Record<uploadedSongs.SongState, string> = {
  draft: texts.savedAsDraftWellReview,
  analysing: texts.savedWellReviewItOnce,
  in_review: texts.submittedForReview,
  published: texts.changesSaved,
  declined: texts.changesSaved,
  expired: texts.savedRenewToPublish,
}
