import type { review } from '@dubplate/contract'
import { type FormEvent, type KeyboardEvent, useRef, useState } from 'react'
import { ApiError } from '../../platform/api.ts'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import { GenreChoice } from '../../uploads/GenreChoice.tsx'
import { type FieldErrors, mapServerErrors } from '../../uploads/songForm.ts'
import { readAgain, saveEdit } from './decideUploads.ts'
import * as texts from './texts.ts'
import css from './UploadEdit.module.css'
import { EntryTexts, EntryVersions } from './UploadEntryFields.tsx'
import { type Entry, editOf, entryOf, entryOnTop, withValue } from './uploadForm.ts'

type Props = { whole: review.ReviewedSong; onDone: () => void }

/** The draft stored in this tab; the saved song when there is none, or when it cannot be parsed. */
function keptEntry(name: string, whole: review.ReviewedSong): Entry {
  try {
    const kept: unknown = JSON.parse(getDraft(name) || 'null')
    if (kept) return kept as Entry
  } catch {}
  return entryOf(whole)
}

/** All values of a song that staff may change before or after publication. */
export function UploadEdit({ whole, onDone }: Props) {
  const { entity_id } = whole.song
  const draft = `upload.${entity_id}`
  const box = useRef<HTMLFormElement>(null)
  const [entry, setEntry] = useState(() => keptEntry(draft, whole))
  const [wrong, setWrong] = useState<FieldErrors>({})
  const [complaint, setComplaint] = useState('')
  const [isOutdated, setOutdated] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const write = (next: Entry) => {
    setEntry(next)
    saveDraft(draft, JSON.stringify(next))
  }
  const reject = (error: unknown) => {
    const isSaidAtField = error instanceof ApiError && Object.values(error.fields).includes(error.message)
    if (!isSaidAtField) setComplaint(error instanceof Error ? error.message : texts.couldntSaveYourChangesTry)
    if (!(error instanceof ApiError)) return
    setOutdated(error.code === 'conflict')
    setWrong(mapServerErrors(error.fields, entry.form))
    requestAnimationFrame(() => box.current?.querySelector<HTMLElement>('[data-wrong]')?.focus())
  }
  const work = async (does: () => Promise<void>) => {
    setBusy(true)
    setComplaint('')
    setWrong({})
    setOutdated(false)
    await does().catch(reject)
    setBusy(false)
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    void work(async () => {
      await saveEdit(editOf(entity_id, entry))
      saveDraft(draft, '')
      onDone()
    })
  }
  const loadAgain = () => work(async () => write(entryOnTop(entryOf(await readAgain(entity_id)), entry)))
  const cancel = () => {
    saveDraft(draft, '')
    onDone()
  }
  return (
    <form
      ref={box}
      noValidate
      className={css.form}
      aria-label={format(texts.editTitleLabel, { title: whole.song.title })}
      onSubmit={save}
      onKeyDown={(event: KeyboardEvent) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) box.current?.requestSubmit()
      }}
    >
      <EntryTexts entry={entry} wrong={wrong} onChange={write} />
      <GenreChoice
        chosen={entry.form.values.genres}
        source={entry.form.sources.genres}
        fieldErrors={wrong.genres}
        onChange={(genres) => write(withValue(entry, { genres }))}
      />
      <EntryVersions whole={whole} entry={entry} wrong={wrong} onChange={write} />
      {complaint && (
        <p className={fieldStyles.wrong} role="alert">
          {complaint}
        </p>
      )}
      <div className={css.actions}>
        {isOutdated && <Button onClick={() => void loadAgain()}>{texts.reload}</Button>}
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.save}
        </Button>
        <Button onClick={cancel}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
