import '../styles/mantine-forms.css'
import { helpdesk } from '@dubplate/contract'
import { submitTicket } from '@dubplate/contract/schemas/helpdesk'
import { NativeSelect, SimpleGrid, Stack, Text, TextInput } from '@mantine/core'
import { IconChevronDown } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format, rich } from '../format/message.ts'
import { Alert } from '../membership/account/Alert.tsx'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import type { ResourceFormState } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { RichText } from '../ui/RichText.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { toast } from '../ui/toast.ts'
import { AttachedFiles } from './AttachedFiles.tsx'
import { FaqSuggestions } from './FaqSuggestions.tsx'
import * as texts from './texts.ts'
import { TICKET_LISTS } from './tickets.ts'
import { type Message, namesOf, useMessageForm } from './useMessageForm.ts'

type NewTicket = Message & { department_id: string; priority_id: string; subject: string }

const NO_TICKET: NewTicket = { department_id: '', priority_id: '', subject: '', details: '', attachments: [] }

/** How long the confirmation of a submitted ticket is shown, in ms. */
const CONFIRMATION_MS = 8_000

/** The form for a ticket. Its values and attachments survive leaving the screen and reloading. */
export function TicketForm() {
  const [submitted, setSubmitted] = useState<number>()
  const { form, attaching, clear } = useMessageForm({
    call: submitTicket,
    draftName: 'ticket',
    empty: NO_TICKET,
    // '-' is not a number, so that a missing choice is an error.
    toInput: ({ department_id, priority_id, attachments, ...ticket }) => ({
      HelpdeskTickets: {
        ...ticket,
        department_id: department_id || '-',
        priority_id: priority_id || '-',
        attachments: namesOf(attachments),
      },
    }),
    invalidates: TICKET_LISTS,
    onSent: ({ ticket_number }) => {
      setSubmitted(ticket_number)
      setTimeout(() => setSubmitted((shown) => (shown === ticket_number ? undefined : shown)), CONFIRMATION_MS)
    },
  })
  const { element } = form
  const handleAnswered = () => {
    const ticket = form.getValues()
    clear()
    void toast({ message: texts.draftCleared, action: { label: texts.undo, run: () => form.setValues(ticket) } })
  }
  return (
    <form
      ref={element}
      id="submit-ticket"
      noValidate
      onSubmit={(event) => {
        setSubmitted(undefined)
        form.submit(event)
      }}
      aria-labelledby="new-ticket"
    >
      <Stack gap="md">
        <div>
          <SectionHead id="new-ticket" title={texts.submitATicket} />
          <Text size="sm" c="var(--text-2)" mt={-8}>
            {format(texts.weReplyWithinHours, { hours: helpdesk.ANSWER_HOURS })}
          </Text>
        </div>
        <SimpleGrid cols={2} spacing="md">
          <SelectField label={texts.department} name="department_id" call={helpdesk.getDepartments} form={form} />
          <SelectField label={texts.priority} name="priority_id" call={helpdesk.getPriorities} form={form} />
        </SimpleGrid>
        <TextInput label={texts.subject} dir="auto" autoComplete="off" maxLength={200} {...form.field('subject')} />
        <FaqSuggestions subject={form.values.subject} onAnswered={handleAnswered} />
        <RichText
          label={texts.description}
          value={form.values.details}
          error={form.field('details').error}
          onChange={(details) => form.setValues({ details })}
          onFiles={attaching.add}
        />
        <AttachedFiles attached={form.values.attachments} attaching={attaching} />
        <ErrorMessages messages={form.messages} />
        <div>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            {texts.submitTicket}
          </Button>
        </div>
        <Alert tone="ok">
          {submitted !== undefined &&
            rich(texts.ticketHasBeenSubmittedSuccessfully, {
              submitted,
              link: (inside) => (
                <Text
                  inherit
                  fw={620}
                  td="underline"
                  renderRoot={(props) => (
                    <Link to="/ticket/details/$ticketNumber" params={{ ticketNumber: submitted }} {...props} />
                  )}
                >
                  {inside}
                </Text>
              ),
            })}
        </Alert>
      </Stack>
    </form>
  )
}

type SelectFieldProps = {
  label: string
  name: 'department_id' | 'priority_id'
  call: typeof helpdesk.getDepartments | typeof helpdesk.getPriorities
  form: ResourceFormState<NewTicket>
}

function SelectField({ label, name, call, form }: SelectFieldProps) {
  const { data, error, refetch } = useApiQuery(call, {})
  const options: helpdesk.NamedItem[] = data ? Object.values(data).flat() : []
  return (
    <div>
      <NativeSelect
        label={label}
        rightSection={<IconChevronDown size={16} aria-hidden />}
        data={[{ value: '', label: texts.select }, ...options.map(({ id, name }) => ({ value: `${id}`, label: name }))]}
        {...form.field(name)}
      />
      {error && !data && (
        <InlineError error={error} title={texts.couldntLoadTheOptionsInline} retry={() => void refetch()} />
      )}
    </div>
  )
}
