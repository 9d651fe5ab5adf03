import { uploadedSongs, uploads } from '@dubplate/contract'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ApiError, callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { reloadForm } from './reloadForm.ts'
import { type FieldErrors, inputOf, mapServerErrors, type SongForm, validateSlots } from './songForm.ts'
import * as texts from './texts.ts'
import { clearSongDraft, type SongFormState } from './useSongForm.ts'
import { validateValues } from './validateValues.ts'

const validateForm = (form: SongForm): FieldErrors => ({ ...validateSlots(form), ...validateValues(form.values) })

/**
 * Validates the form when it is saved and, after a failed attempt, on each change; after an error everything typed
 * stays.
 */
export function useSaving(entityId: number | undefined, state: SongFormState) {
  const { form } = state
  const navigate = useNavigate()
  /** The number of attempts; after each failed one the first invalid field gets the focus. */
  const [attempts, setAttempts] = useState(0)
  const [serverErrors, setServerErrors] = useState<{ fieldErrors: FieldErrors; form: SongForm }>()
  const [errorMessage, setErrorMessage] = useState('')
  const [isStale, setStale] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const own = attempts > 0 ? validateForm(form) : {}
  const fieldErrors = serverErrors?.form === form ? { ...serverErrors.fieldErrors, ...own } : own

  const showErrors = (error: unknown) => {
    const isApiError = error instanceof ApiError
    if (isApiError) setServerErrors({ fieldErrors: mapServerErrors(error.fields, form), form })
    setAttempts((n) => n + 1)
    setStale(isApiError && error.code === 'conflict')
    setErrorMessage(error instanceof Error ? error.message : texts.couldntSaveTheSongTry)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setAttempts((n) => n + 1)
    setErrorMessage('')
    setStale(false)
    if (Object.keys(validateForm(form)).length > 0) return
    setBusy(true)
    try {
      const input = inputOf(form)
      const saved =
        entityId === undefined
          ? await callApi(uploadedSongs.createSong, input)
          : await callApi(uploadedSongs.updateSong, { ...input, entity_id: entityId, version: form.version })
      clearSongDraft(entityId)
      state.setForm((form) => ({ ...form, typed: [], coming: [] }))
      for (const { path } of CHANGED) void queryClient.invalidateQueries({ queryKey: [path] })
      await navigate({ to: '/uploads/index' })
      void toast({ message: SAVED[saved.status] })
    } catch (error) {
      showErrors(error)
    }
    setBusy(false)
  }
  const loadServerForm = async () => {
    setBusy(true)
    try {
      await reloadForm(entityId, state)
      setStale(false)
      setErrorMessage('')
    } catch (error) {
      void toastError(texts.couldntLoadTheLatestVersion, error)
    }
    setBusy(false)
  }
  return { fieldErrors, tries: attempts, errorMessage, isBusy, save, newer: isStale ? loadServerForm : undefined }
}

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
