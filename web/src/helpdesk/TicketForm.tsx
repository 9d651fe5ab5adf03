import { helpdesk } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useRef, useState } from 'react'
import { Alert } from '../membership/account/Alert.tsx'
import { Complaints } from '../membership/Complaints.tsx'
import { complaintsOf } from '../membership/useDialogForm.ts'
import { format, rich } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { TroubleLine } from '../platform/TroubleLine.tsx'
import { Button } from '../ui/Button.tsx'
import { RichText } from '../ui/RichText.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { toast } from '../ui/toast.ts'
import { Field } from '../uploads/Field.tsx'
import { AttachedFiles } from './AttachedFiles.tsx'
import { FaqSuggestions } from './FaqSuggestions.tsx'
import { type NewTicket, NO_TICKET } from './message.ts'
import { filesInTheWay } from './sending.ts'
import css from './TicketForm.module.css'
import * as texts from './texts.ts'
import { askListsAnew, refusedOf, sendTicket, wrongOf } from './ticketForm.ts'
import { useAttaching } from './useAttaching.ts'
import { useFirstWrong } from './useFirstWrong.ts'
import { useMessage } from './useMessage.ts'

/** How long it is said that a ticket was submitted, once the list has it. */
const SAID_MS = 8_000

/** Where a ticket is written. What is typed, chosen and attached outlives the screen and a reload. */
export function TicketForm() {
  const { message: ticket, change, changeFiles, clear } = useMessage('ticket', NO_TICKET)
  const attaching = useAttaching(ticket.attachments, changeFiles)
  const { form, wrong, tryOut, refuse } = useChecked(ticket)
  const [complaints, setComplaints] = useState<string[]>([])
  const [submitted, setSubmitted] = useState<number>()
  const [isBusy, setBusy] = useState(false)

  const beginAnew = () => {
    clear(ticket)
    attaching.forget()
    tryOut(false)
    setComplaints([])
  }
  const submit = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    setSubmitted(undefined)
    if (tryOut(true)) return setComplaints([])
    const inTheWay = filesInTheWay(attaching.sendings)
    setComplaints(inTheWay ? [inTheWay] : [])
    if (inTheWay) return
    setBusy(true)
    try {
      const number = await sendTicket(ticket)
      beginAnew()
      setSubmitted(number)
      void askListsAnew().then(() =>
        setTimeout(() => setSubmitted((shown) => (shown === number ? undefined : shown)), SAID_MS),
      )
    } catch (error) {
      refuse(error)
      setComplaints(complaintsOf(error))
    }
    setBusy(false)
  }
  const answered = () => {
    const before = ticket
    beginAnew()
    void toast({
      message: texts.gladWeCouldHelpYour,
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
        <Choice
          label={texts.department}
          path="department_id"
          call={helpdesk.getDepartments}
          chosen={ticket.department_id}
          wrong={wrong.department_id}
          onChoose={(department_id) => change({ department_id })}
        />
        <Choice
          label={texts.priority}
          path="priority_id"
          call={helpdesk.getPriorities}
          chosen={ticket.priority_id}
          wrong={wrong.priority_id}
          onChoose={(priority_id) => change({ priority_id })}
        />
      </div>
      <Field label={texts.subject} path="subject" wrong={wrong.subject}>
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
      <FaqSuggestions subject={ticket.subject} onAnswered={answered} />
      <RichText
        label={texts.description}
        value={ticket.details}
        error={wrong.details}
        onChange={(details) => change({ details })}
        onFiles={attaching.add}
      />
      <AttachedFiles attached={ticket.attachments} attaching={attaching} />
      <Complaints sentences={complaints} />
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
      <Button type="submit" look="primary" busy={isBusy} className={css.submit}>
        {texts.submitTicket}
      </Button>
    </form>
  )
}

/**
 * Checks what is written when it is to go out and, once that failed, at each change; what the server refused is said at
 * its fields until something is changed. The focus goes to what is wrong first.
 */
function useChecked(ticket: NewTicket) {
  const form = useRef<HTMLFormElement>(null)
  const [isTried, setTried] = useState(false)
  const [refused, setRefused] = useState<{ of: NewTicket; wrong: ReturnType<typeof refusedOf> }>()
  const goToWrong = useFirstWrong(form)
  const wrong = {
    ...(refused?.of === ticket ? refused.wrong : {}),
    ...(isTried ? wrongOf(ticket) : {}),
  }
  /** True where something is wrong. */
  const tryOut = (isTry: boolean): boolean => {
    const isWrong = isTry && Object.keys(wrongOf(ticket)).length > 0
    setTried(isWrong)
    if (isWrong) goToWrong()
    return isWrong
  }
  const refuse = (error: unknown) => {
    setRefused({ of: ticket, wrong: refusedOf(error) })
    goToWrong()
  }
  return { form, wrong, tryOut, refuse }
}

type ChoiceProps = {
  label: string
  path: 'department_id' | 'priority_id'
  call: typeof helpdesk.getDepartments | typeof helpdesk.getPriorities
  chosen: string
  wrong: string | undefined
  onChoose: (id: string) => void
}

function Choice({ label, path, call, chosen, wrong, onChoose }: ChoiceProps) {
  const { data, error, refetch } = useAsk(call, {})
  const choices: helpdesk.Named[] = data ? Object.values(data).flat() : []
  return (
    <Field
      label={label}
      path={path}
      wrong={wrong}
      note={error && !data && <TroubleLine error={error} what={texts.theOptions} retry={() => void refetch()} />}
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
