import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { errorMessagesOf } from '../membership/useDialogForm.ts'
import { ApiError } from '../platform/api.ts'
import { RichText } from '../ui/RichText.tsx'
import type { Insertion } from '../ui/RichTextEditor.tsx'
import { useFocusFirstError } from '../ui/useFocusFirstError.ts'
import { AttachedFiles } from './AttachedFiles.tsx'
import { uploadBlocker } from './attachmentUpload.ts'
import css from './MessageForm.module.css'
import { NO_MESSAGE } from './message.ts'
import * as texts from './texts.ts'
import { useAttachments } from './useAttachments.ts'
import { useMessage } from './useMessage.ts'
import { useSteadyScroll } from './useSteadyScroll.ts'

/**
 * The message to send: HTML, and the names of the files. `by` is the value of the button that was pressed, '' for Ctrl
 * + Enter.
 */
export type Outgoing = { details: string; attachments: string[]; by: string }

type Props = {
  label: string
  /** The key under which the draft is stored. */
  draftName: string
  hint?: string
  /** Changes when something above the form appears or disappears. */
  resetKey: unknown
  /** Throws if the message was not sent; the text is then kept. */
  onSend: (message: Outgoing) => Promise<void>
  /** Content that can be inserted into the text. */
  insertion?: Insertion
  /** Announced to screen readers once the message is sent. */
  sentMessage?: string
  /** The buttons; `sending` is the `by` of the message being sent. */
  children: (sendingAction: string | undefined) => ReactNode
}

/** The form for a reply. It keeps its position on screen while new replies appear above it. */
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
