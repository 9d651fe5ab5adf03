import { uploadedSongs, uploads } from '@dubplate/contract'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { ask, RefusalError } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { readAgain } from './readAgain.ts'
import { inputOf, type SongForm, type Wrong, wrongByServer, wrongSlots } from './songForm.ts'
import * as texts from './texts.ts'
import { dropSongDraft, type SongFormState } from './useSongForm.ts'
import { wrongValues } from './wrongValues.ts'

const allWrong = (form: SongForm): Wrong => ({ ...wrongSlots(form), ...wrongValues(form.values) })

/** Checks when it is sent and, once that failed, at each change; a refusal leaves all that was typed where it is. */
export function useSaving(entityId: number | undefined, state: SongFormState) {
  const { form } = state
  const navigate = useNavigate()
  /** How often it was tried; each time that failed the first wrong field gets the focus. */
  const [tries, setTries] = useState(0)
  const [fromServer, setFromServer] = useState<{ wrong: Wrong; form: SongForm }>()
  const [trouble, setTrouble] = useState('')
  const [isStale, setStale] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const own = tries > 0 ? allWrong(form) : {}
  const wrong = fromServer?.form === form ? { ...fromServer.wrong, ...own } : own

  const refuse = (error: unknown) => {
    const isRefusal = error instanceof RefusalError
    if (isRefusal) setFromServer({ wrong: wrongByServer(error.fields, form), form })
    setTries((n) => n + 1)
    setStale(isRefusal && error.code === 'conflict')
    setTrouble(error instanceof Error ? error.message : texts.couldntSaveTheSongTry)
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setTries((n) => n + 1)
    setTrouble('')
    setStale(false)
    if (Object.keys(allWrong(form)).length > 0) return
    setBusy(true)
    try {
      const input = inputOf(form)
      const saved =
        entityId === undefined
          ? await ask(uploadedSongs.createSong, input)
          : await ask(uploadedSongs.updateSong, { ...input, entity_id: entityId, version: form.version })
      dropSongDraft(entityId)
      state.setForm((form) => ({ ...form, typed: [], coming: [] }))
      for (const { path } of CHANGED) void queryClient.invalidateQueries({ queryKey: [path] })
      await navigate({ to: '/uploads/index' })
      void toast({ message: SAVED[saved.status] })
    } catch (error) {
      refuse(error)
    }
    setBusy(false)
  }
  const newer = async () => {
    setBusy(true)
    try {
      await readAgain(entityId, state)
      setStale(false)
      setTrouble('')
    } catch (error) {
      void toastTrouble(texts.couldntLoadTheLatestVersion, error)
    }
    setBusy(false)
  }
  return { wrong, tries, trouble, isBusy, save, newer: isStale ? newer : undefined }
}

const CHANGED = [
  uploadedSongs.getUploadedSongs,
  uploads.getContainer,
  uploadedSongs.getSongEntry,
  uploadedSongs.getSongVersions,
]

/** What happens next. */
const SAVED: Record<uploadedSongs.SongState, string> = {
  draft: texts.savedAsDraftWellReview,
  analysing: texts.savedWellReviewItOnce,
  in_review: texts.submittedForReview,
  published: texts.changesSaved,
  refused: texts.changesSaved,
  expired: texts.savedRenewTheSongTo,
}
