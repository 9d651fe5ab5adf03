import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { errorMessagesOf } from '../membership/useDialogForm.ts'
import { ApiError } from '../platform/api.ts'
import { RichText } from '../ui/RichText.tsx'
import type { Insertion } from '../ui/RichTextEditor.tsx'
import { AttachedFiles } from './AttachedFiles.tsx'
import { uploadBlocker } from './attachmentUpload.ts'
import css from './MessageForm.module.css'
import { NO_MESSAGE } from './message.ts'
import * as texts from './texts.ts'
import { useAttachments } from './useAttachments.ts'
import { useFocusFirstError } from './useFocusFirstError.ts'
import { useMessage } from './useMessage.ts'
import { useSteadyScroll } from './useSteadyScroll.ts'

/** As it is sent: HTML, and the names of the files. `by` is the value of the button that was pressed, '' for Ctrl + Enter. */
export type Outgoing = { details: string; attachments: string[]; by: string }

type Props = {
  label: string
  /** The name under which what is typed outlives the form. */
  draftName: string
  hint?: string
  /** What, when it changes, comes or goes above the form. */
  resetKey: unknown
  /** Throws why it was not sent; what is written stays then. */
  onSend: (message: Outgoing) => Promise<void>
  /** What can be put in beside what is typed. */
  insertion?: Insertion
  /** Said once it is sent, to whoever cannot see it come. */
  sentMessage?: string
  /** The buttons; `sending` is `by` of the message that is on its way. */
  children: (sendingAction: string | undefined) => ReactNode
}

/** Where a reply is written. It stays in its place while replies of others come above it. */
export function MessageForm({ label, draftName, hint, resetKey, onSend, insertion, sentMessage, children }: Props) {
  const { message, change, changeFiles, clear } = useMessage(draftName, NO_MESSAGE)
  const attaching = useAttachments(message.attachments, changeFiles)
  const form = useRef<HTMLFormElement>(null)
  const focusFirstError = useFocusFirstError(form)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [rejected, setRejected] = useState({ details: '', of: message.details })
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const [sendingAction, setSending] = useState<string>()
  const [isSent, setSent] = useState(false)
  useSteadyScroll(form, resetKey)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sendingAction !== undefined) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const by = submitter instanceof HTMLButtonElement ? submitter.value : ''
    setWasSubmitted(message.details === '')
    setErrorMessages([])
    setSent(false)
    if (message.details === '') return focusFirstError()
    const blocker = uploadBlocker(attaching.sendings)
    if (blocker) return setErrorMessages([blocker])
    setSending(by)
    try {
      await onSend({ details: message.details, attachments: message.attachments.map(({ name }) => name), by })
      clear(message)
      setSent(true)
    } catch (error) {
      const details = error instanceof ApiError ? (error.fields.details ?? '') : ''
      setRejected({ details, of: message.details })
      if (details) focusFirstError()
      setErrorMessages(errorMessagesOf(error))
    }
    setSending(undefined)
  }
  const wasRejected = rejected.of === message.details && rejected.details
  const fieldErrors = wasSubmitted && message.details === '' ? texts.messageCannotBeBlank : wasRejected
  return (
    <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)} aria-label={label}>
      <RichText
        label={label}
        hint={hint}
        value={message.details}
        error={fieldErrors || undefined}
        onChange={(details) => change({ details })}
        onFiles={attaching.add}
        insertion={insertion}
        minRows={5}
      />
      <AttachedFiles attached={message.attachments} attaching={attaching} />
      <ErrorMessages messages={errorMessages} />
      <div className={css.actions}>{children(sendingAction)}</div>
      <p role="status" className="sr">
        {isSent && sentMessage}
      </p>
    </form>
  )
}
