import type { staff } from '@dubplate/contract'
import { type FormEvent, type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from 'react'
import { getDraft, saveDraft } from '../../platform/drafts.ts'
import { Button } from '../../ui/Button.tsx'
import css from './TextForms.module.css'
import * as texts from './texts.ts'

const READERS = {
  applicant: { hint: texts.theApplicantWillSeeThis, complaint: texts.enterAReasonForTheApplicant },
  uploader: { hint: texts.theUploaderWillSeeThis, complaint: texts.enterAReasonForTheUploader },
}

type ReasonProps = {
  /** The name under which the draft is stored beyond the form's lifetime. */
  draftName: string
  /** Who reads it. */
  reader: keyof typeof READERS
  /** Common reasons, as a starting point. */
  reasons: readonly string[]
  verb: string
  isBusy: boolean
  /** Resolves to true on success. */
  onSend: (reason: string) => Promise<boolean>
  onCancel: () => void
}

/** The reason for declining something, shown to the person concerned. */
export function ReasonForm({ draftName, reader, reasons, verb, isBusy, onSend, onCancel }: ReasonProps) {
  const draft = useDraft(draftName, '')
  const [complaint, setComplaint] = useState('')
  const send = async () => {
    if (draft.text.trim() === '') return setComplaint(READERS[reader].complaint)
    if (await onSend(draft.text)) draft.drop()
  }
  return (
    <TextForm
      label={texts.reason}
      hint={READERS[reader].hint}
      draft={draft}
      complaint={draft.text.trim() === '' ? complaint : ''}
      longest={1000}
      onSubmit={send}
      onCancel={onCancel}
    >
      <div className={css.reasons}>
        {reasons.map((reason) => (
          <button key={reason} type="button" onClick={() => draft.write(reason)}>
            {reason}
          </button>
        ))}
      </div>
      <Button type="submit" variant="danger" busy={isBusy}>
        {verb}
      </Button>
    </TextForm>
  )
}

type NoteProps = {
  application: staff.Application
  onSave: (application: staff.Application, note: string) => Promise<void>
  onDone: () => void
}

/** A note from staff to staff. */
export function NoteForm({ application, onSave, onDone }: NoteProps) {
  const draft = useDraft(`note.${application.customer_id}`, application.note)
  const [complaint, setComplaint] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async () => {
    setBusy(true)
    try {
      await onSave(application, draft.text)
      draft.drop()
      onDone()
    } catch (error) {
      setComplaint(error instanceof Error ? error.message : texts.couldntSaveTheNoteTry)
      setBusy(false)
    }
  }
  return (
    <TextForm
      label={texts.note}
      hint={texts.onlyStaffCanSeeThis}
      draft={draft}
      complaint={complaint}
      longest={4000}
      onSubmit={save}
      onCancel={onDone}
    >
      <Button type="submit" variant="primary" busy={isBusy}>
        {texts.saveNote}
      </Button>
    </TextForm>
  )
}

/** A text that is kept beyond its form's lifetime, until it is sent. */
function useDraft(name: string, start: string) {
  const [text, setText] = useState(() => getDraft(name) || start)
  const write = (text: string) => {
    setText(text)
    saveDraft(name, text)
  }
  return { text, write, drop: () => saveDraft(name, '') }
}

type TextFormProps = {
  label: string
  hint: string
  draft: ReturnType<typeof useDraft>
  complaint: string
  longest: number
  onSubmit: () => void
  onCancel: () => void
  children: ReactNode
}

/** A text area with its buttons: Ctrl + Enter sends, Escape closes; the text is kept. */
function TextForm({ label, hint, draft, complaint, longest, onSubmit, onCancel, children }: TextFormProps) {
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  const press = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit()
    if (event.key !== 'Escape') return
    const item = event.currentTarget.closest<HTMLElement>('[data-item]')
    onCancel()
    item?.focus()
  }
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    form.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  return (
    <form ref={form} className={css.form} onSubmit={submit} onKeyDown={press}>
      <label>
        <b>{label}</b>
        <small>{hint}</small>
        <textarea
          // biome-ignore lint/a11y/noAutofocus: the user has just opened it
          autoFocus
          rows={3}
          maxLength={longest}
          value={draft.text}
          aria-invalid={complaint !== '' || undefined}
          onChange={(event) => draft.write(event.target.value)}
        />
      </label>
      <p role="alert" className={css.complaint} hidden={complaint === ''}>
        {complaint}
      </p>
      <div className={css.actions}>
        {children}
        <Button onClick={onCancel}>{texts.cancel}</Button>
      </div>
    </form>
  )
}
