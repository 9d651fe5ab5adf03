import { helpdesk } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Alert } from '../membership/account/Alert.tsx'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { errorMessagesOf } from '../membership/useDialogForm.ts'
import { InlineError } from '../platform/InlineError.tsx'
import { format, rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { RichText } from '../ui/RichText.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { toast } from '../ui/toast.ts'
import { useFocusFirstError } from '../ui/useFocusFirstError.ts'
import { Field } from '../uploads/Field.tsx'
import { AttachedFiles } from './AttachedFiles.tsx'
import { uploadBlocker } from './attachmentUpload.ts'
import { FaqSuggestions } from './FaqSuggestions.tsx'
import { type NewTicket, NO_TICKET } from './message.ts'
import css from './TicketForm.module.css'
import * as texts from './texts.ts'
import { refetchTicketLists, sendTicket, serverFieldErrors, validateTicket } from './ticketForm.ts'
import { useAttachments } from './useAttachments.ts'
import { useMessage } from './useMessage.ts'

/** How long the confirmation of a submitted ticket is shown once the list contains it, in ms. */
const MESSAGE_MS = 8_000

/** The form for a ticket. Its values and attachments survive leaving the screen and reloading. */
export function TicketForm() {
  const { message: ticket, change, changeFiles, clear } = useMessage('ticket', NO_TICKET)
  const attaching = useAttachments(ticket.attachments, changeFiles)
  const { form, wrong: fieldErrors, tryOut: validate, reject } = useValidatedTicket(ticket)
  const [errorMessages, setErrorMessages] = useState<string[]>([])
  const [submitted, setSubmitted] = useState<number>()
  const [isBusy, setBusy] = useState(false)

  const startNewTicket = () => {
    clear(ticket)
    attaching.forget()
    validate(false)
    setErrorMessages([])
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setSubmitted(undefined)
    if (validate(true)) return setErrorMessages([])
    const blocker = uploadBlocker(attaching.sendings)
    setErrorMessages(blocker ? [blocker] : [])
    if (blocker) return
    setBusy(true)
    try {
      const number = await sendTicket(ticket)
      startNewTicket()
      setSubmitted(number)
      void refetchTicketLists().then(() =>
        setTimeout(() => setSubmitted((shown) => (shown === number ? undefined : shown)), MESSAGE_MS),
      )
    } catch (error) {
      reject(error)
      setErrorMessages(errorMessagesOf(error))
    }
    setBusy(false)
  }
  const handleAnswered = () => {
    const before = ticket
    startNewTicket()
    void toast({
      message: texts.draftCleared,
      action: { label: texts.undo, run: () => change(before) },
    })
  }
  return (
    <form
      ref={form}
      id="submit-ticket"
      noValidate
      className={css.form}
      onSubmit={(event) => void submit(event)}
      aria-labelledby="new-ticket"
    >
      <SectionHead id="new-ticket" title={texts.submitATicket} />
      <p className={css.advice}>{format(texts.weReplyWithinHours, { hours: helpdesk.ANSWER_HOURS })}</p>
      <div className={css.choices}>
        <SelectField
          label={texts.department}
          path="department_id"
          call={helpdesk.getDepartments}
          chosen={ticket.department_id}
          wrong={fieldErrors.department_id}
          onChoose={(department_id) => change({ department_id })}
        />
        <SelectField
          label={texts.priority}
          path="priority_id"
          call={helpdesk.getPriorities}
          chosen={ticket.priority_id}
          wrong={fieldErrors.priority_id}
          onChoose={(priority_id) => change({ priority_id })}
        />
      </div>
      <Field label={texts.subject} path="subject" fieldError={fieldErrors.subject}>
        {(control) => (
          <input
            {...control}
            type="text"
            dir="auto"
            autoComplete="off"
            maxLength={200}
            value={ticket.subject}
            onChange={({ target }) => change({ subject: target.value })}
          />
        )}
      </Field>
      <FaqSuggestions subject={ticket.subject} onAnswered={handleAnswered} />
      <RichText
        label={texts.description}
        value={ticket.details}
        error={fieldErrors.details}
        onChange={(details) => change({ details })}
        onFiles={attaching.add}
      />
      <AttachedFiles attached={ticket.attachments} attaching={attaching} />
      <ErrorMessages messages={errorMessages} />
      <Alert tone="ok">
        {submitted !== undefined &&
          rich(texts.ticketHasBeenSubmittedSuccessfully, {
            submitted,
            link: (inside) => (
              <Link to="/ticket/details/$ticketNumber" params={{ ticketNumber: submitted }} className={css.submitted}>
                {inside}
              </Link>
            ),
          })}
      </Alert>
      <Button type="submit" variant="primary" busy={isBusy} className={css.submit}>
        {texts.submitTicket}
      </Button>
    </form>
  )
}

/**
 * Validates the ticket when it is submitted and, after a failed attempt, on each change; the server's errors are shown
 * at their fields until something is changed. Focuses the first invalid field.
 */
function useValidatedTicket(ticket: NewTicket) {
  const form = useRef<HTMLFormElement>(null)
  const [wasSubmitted, setWasSubmitted] = useState(false)
  const [rejected, setRejected] = useState<{ of: NewTicket; wrong: ReturnType<typeof serverFieldErrors> }>()
  const focusFirstError = useFocusFirstError(form)
  const fieldErrors = {
    ...(rejected?.of === ticket ? rejected.wrong : {}),
    ...(wasSubmitted ? validateTicket(ticket) : {}),
  }
  /** True if something is invalid. */
  const validate = (isAttempt: boolean): boolean => {
    const isWrong = isAttempt && Object.keys(validateTicket(ticket)).length > 0
    setWasSubmitted(isWrong)
    if (isWrong) focusFirstError()
    return isWrong
  }
  const reject = (error: unknown) => {
    setRejected({ of: ticket, wrong: serverFieldErrors(error) })
    focusFirstError()
  }
  return { form, wrong: fieldErrors, tryOut: validate, reject }
}

type SelectFieldProps = {
  label: string
  path: 'department_id' | 'priority_id'
  call: typeof helpdesk.getDepartments | typeof helpdesk.getPriorities
  chosen: string
  wrong: string | undefined
  onChoose: (id: string) => void
}

function SelectField({ label, path, call, chosen, wrong: fieldErrors, onChoose }: SelectFieldProps) {
  const { data, error, refetch } = useApiQuery(call, {})
  const choices: helpdesk.NamedItem[] = data ? Object.values(data).flat() : []
  return (
    <Field
      label={label}
      path={path}
      fieldError={fieldErrors}
      note={
        error &&
        !data && <InlineError error={error} title={texts.couldntLoadTheOptionsInline} retry={() => void refetch()} />
      }
    >
      {(control) => (
        <select {...control} value={chosen} onChange={({ target }) => onChoose(target.value)}>
          <option value="">{texts.select}</option>
          {choices.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </select>
      )}
    </Field>
  )
}
