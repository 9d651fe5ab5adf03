import { type FormEvent, type ReactNode, useRef, useState } from 'react'
import { Complaints } from '../membership/Complaints.tsx'
import { complaintsOf } from '../membership/useDialogForm.ts'
import { RefusalError } from '../platform/api.ts'
import { RichText } from '../ui/RichText.tsx'
import type { Insertion } from '../ui/RichTextEditor.tsx'
import { AttachedFiles } from './AttachedFiles.tsx'
import css from './MessageForm.module.css'
import { NO_MESSAGE } from './message.ts'
import { filesInTheWay } from './sending.ts'
import * as texts from './texts.ts'
import { useAttaching } from './useAttaching.ts'
import { useFirstWrong } from './useFirstWrong.ts'
import { useMessage } from './useMessage.ts'
import { useSteady } from './useSteady.ts'

/** As it is sent: HTML, and the names of the files. `by` is the value of the button that was pressed, '' for Ctrl + Enter. */
export type Outgoing = { details: string; attachments: string[]; by: string }

type Props = {
  label: string
  /** The name under which what is typed outlives the form. */
  draftName: string
  hint?: string
  /** What, when it changes, comes or goes above the form. */
  above: unknown
  /** Throws why it was not sent; what is written stays then. */
  onSend: (message: Outgoing) => Promise<void>
  /** What can be put in beside what is typed. */
  insertion?: Insertion
  /** Said once it is sent, to whoever cannot see it come. */
  sentWords?: string
  /** The buttons; `sending` is `by` of the message that is on its way. */
  children: (sending: string | undefined) => ReactNode
}

/** Where a reply is written. It stays in its place while replies of others come above it. */
export function MessageForm({ label, draftName, hint, above, onSend, insertion, sentWords, children }: Props) {
  const { message, change, changeFiles, clear } = useMessage(draftName, NO_MESSAGE)
  const attaching = useAttaching(message.attachments, changeFiles)
  const form = useRef<HTMLFormElement>(null)
  const goToWrong = useFirstWrong(form)
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState({ details: '', of: message.details })
  const [complaints, setComplaints] = useState<string[]>([])
  const [sending, setSending] = useState<string>()
  const [isSent, setSent] = useState(false)
  useSteady(form, above)

  const submit = async (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (sending !== undefined) return
    const { submitter } = event.nativeEvent as SubmitEvent
    const by = submitter instanceof HTMLButtonElement ? submitter.value : ''
    setTried(message.details === '')
    setComplaints([])
    setSent(false)
    if (message.details === '') return goToWrong()
    const inTheWay = filesInTheWay(attaching.sendings)
    if (inTheWay) return setComplaints([inTheWay])
    setSending(by)
    try {
      await onSend({ details: message.details, attachments: message.attachments.map(({ name }) => name), by })
      clear(message)
      setSent(true)
    } catch (error) {
      const details = error instanceof RefusalError ? (error.fields.details ?? '') : ''
      setRefused({ details, of: message.details })
      if (details) goToWrong()
      setComplaints(complaintsOf(error))
    }
    setSending(undefined)
  }
  const wasRefused = refused.of === message.details && refused.details
  const wrong = isTried && message.details === '' ? texts.messageCannotBeBlank : wasRefused
  return (
    <form ref={form} noValidate className={css.form} onSubmit={(event) => void submit(event)} aria-label={label}>
      <RichText
        label={label}
        hint={hint}
        value={message.details}
        error={wrong || undefined}
        onChange={(details) => change({ details })}
        onFiles={attaching.add}
        insertion={insertion}
        minRows={5}
      />
      <AttachedFiles attached={message.attachments} attaching={attaching} />
      <Complaints sentences={complaints} />
      <div className={css.actions}>{children(sending)}</div>
      <p role="status" className="sr">
        {isSent && sentWords}
      </p>
    </form>
  )
}
