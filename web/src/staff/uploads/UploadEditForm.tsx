import { review } from '@dubplate/contract'
import { Alert, Button, Group, Stack } from '@mantine/core'
import { type FormEvent, type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { format } from '../../format/message.ts'
import { ApiError } from '../../platform/api.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { GenreChoice } from '../../uploads/GenreChoice.tsx'
import { type FieldErrors, mapServerErrors } from '../../uploads/songForm.ts'
import { reloadUpload, UPLOAD_CALLS } from './decideUploads.ts'
import * as texts from './texts.ts'
import { SongFields, VersionFields } from './UploadFields.tsx'
import { type Entry, editOf, entryOf, entryOnTop, withValue } from './uploadForm.ts'

type Props = { upload: review.ReviewedSong; onClose: () => void }

/** The draft stored in this tab; the saved song if there is none, or if it cannot be parsed. */
function getStoredEntry(draftName: string, upload: review.ReviewedSong): Entry {
  try {
    const draft: unknown = JSON.parse(getDraft(draftName) || 'null')
    if (draft) return draft as Entry
  } catch {}
  return entryOf(upload)
}

/** All values of a song that staff may change before or after publication. */
export function UploadEditForm({ upload, onClose }: Props) {
  const { entity_id, title } = upload.song
  const draftName = `upload.${entity_id}`
  const form = useRef<HTMLFormElement>(null)
  const [entry, setEntry] = useState(() => getStoredEntry(draftName, upload))
  const [fieldErrors, setFieldErrors] = useState<FieldErrors>({})
  const [message, setMessage] = useState('')
  const [isOutdated, setOutdated] = useState(false)
  // The row, if the form was opened by its key: it gets the focus back.
  const [focusedBefore] = useState(() => document.activeElement)
  const save = useApiMutation(review.editUpload, {
    success: ({ song }) => ({ message: format(texts.titleSaved, { title: song.title }) }),
    invalidates: UPLOAD_CALLS,
  })
  useEffect(() => form.current?.querySelector('input')?.focus(), [])
  const write = (next: Entry) => {
    setEntry(next)
    saveDraft(draftName, JSON.stringify(next))
  }
  const close = () => {
    saveDraft(draftName, '')
    onClose()
    if (focusedBefore instanceof HTMLElement && focusedBefore.isConnected) focusedBefore.focus()
  }
  const clearErrors = () => {
    setMessage('')
    setFieldErrors({})
    setOutdated(false)
  }
  const showError = (error: Error) => {
    const isShownAtField = error instanceof ApiError && Object.values(error.fields).includes(error.message)
    if (!isShownAtField) setMessage(error.message)
    if (!(error instanceof ApiError)) return
    setOutdated(error.code === 'conflict')
    setFieldErrors(mapServerErrors(error.fields, entry.form))
    requestAnimationFrame(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus())
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (save.isPending) return
    clearErrors()
    save.mutate(editOf(entity_id, entry), { onSuccess: close, onError: showError })
  }
  /** Takes over the song as someone else saved it, below what has been typed here. */
  const reload = async () => {
    clearErrors()
    try {
      write(entryOnTop(entryOf(await reloadUpload(entity_id)), entry))
    } catch (error) {
      showError(error as Error)
    }
  }
  const saveOnCtrlEnter = ({ key, ctrlKey, metaKey }: KeyboardEvent) => {
    if (key === 'Enter' && (ctrlKey || metaKey)) form.current?.requestSubmit()
  }
  return (
    <form
      ref={form}
      noValidate
      aria-label={format(texts.editTitleLabel, { title })}
      onSubmit={submit}
      onKeyDown={saveOnCtrlEnter}
    >
      <Stack gap="lg">
        <SongFields entry={entry} fieldErrors={fieldErrors} onChange={write} />
        <GenreChoice
          chosen={entry.form.values.genres}
          source={entry.form.sources.genres}
          fieldErrors={fieldErrors['values.genres']}
          onChange={(genres) => write(withValue(entry, { genres }))}
        />
        <VersionFields upload={upload} entry={entry} fieldErrors={fieldErrors} onChange={write} />
        {message && (
          <Alert color="var(--danger)" role="alert">
            {message}
          </Alert>
        )}
        <Group gap="sm">
          {isOutdated && (
            <Button variant="default" onClick={() => void reload()}>
              {texts.reload}
            </Button>
          )}
          <Button type="submit" loading={save.isPending}>
            {texts.save}
          </Button>
          <Button variant="default" onClick={close}>
            {texts.cancel}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
