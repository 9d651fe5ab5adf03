import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { Group, Stack } from '@mantine/core'
import { type FormEvent, type ReactNode, type RefObject, useLayoutEffect, useRef } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { RichText } from '../ui/RichText.tsx'
import type { Insertion } from '../ui/RichTextEditor.tsx'
import { AttachedFiles } from './AttachedFiles.tsx'
import { type Message, namesOf, useMessageForm } from './useMessageForm.ts'

/** `action` is the value of the button that was pressed, '' for Ctrl + Enter. */
type Reply = Message & { action: string }

const NO_REPLY: Reply = { details: '', attachments: [], action: '' }

type Props<E extends Endpoint> = {
  label: string
  /** The name under which the draft is kept. */
  draftName: string
  hint?: string
  /** Changes when something above the form appears or disappears. */
  resetKey: unknown
  /** The call that sends the reply, with its schema. */
  call: E
  toInput: (reply: { details: string; attachments: string[]; action: string }) => InputOf<E>
  /** The calls whose replies may have changed. */
  invalidates: readonly Endpoint[]
  /** Sends the reply and does what follows. Throws if it was not sent; the text is then kept. */
  save: (send: () => Promise<ReplyOf<E>>, action: string) => Promise<ReplyOf<E>>
  /** Content that can be inserted into the text. */
  insertion?: Insertion
  /** Announced to screen readers once the reply is sent. */
  sentMessage?: string
  /** The buttons; `sendingAction` is the action of the reply being sent. */
  children: (sendingAction: string | undefined) => ReactNode
}

/** The form for a reply. It keeps its position on screen while new replies appear above it. */
export function MessageForm<E extends Endpoint>({
  label,
  draftName,
  hint,
  resetKey,
  call,
  toInput,
  invalidates,
  save,
  insertion,
  sentMessage,
  children,
}: Props<E>) {
  const { form, attaching } = useMessageForm({
    ...{ call, draftName, invalidates },
    empty: NO_REPLY,
    toInput: (reply) => toInput({ ...reply, attachments: namesOf(reply.attachments) }),
    save: (send, { action }) => save(send, action),
  })
  const { element } = form
  const { details, attachments, action } = form.values
  useSteadyScroll(element, resetKey)
  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { submitter } = event.nativeEvent as SubmitEvent
    if (!form.isBusy) form.setValues({ action: submitter instanceof HTMLButtonElement ? submitter.value : '' })
    form.submit(event)
  }
  return (
    <form ref={element} noValidate onSubmit={submit} aria-label={label}>
      <Stack gap="md">
        <RichText
          label={label}
          hint={hint}
          value={details}
          error={form.field('details').error}
          onChange={(details) => form.setValues({ details })}
          onFiles={attaching.add}
          insertion={insertion}
          minRows={5}
        />
        <AttachedFiles attached={attachments} attaching={attaching} />
        <ErrorMessages messages={form.messages} />
        <Group gap="sm">{children(form.isBusy ? action : undefined)}</Group>
        <p role="status" className="sr">
          {form.wasSaved && sentMessage}
        </p>
      </Stack>
    </form>
  )
}

/** Keeps the focused element at its position on screen when content above it changes (`content` has changed then). */
function useSteadyScroll(box: RefObject<HTMLElement | null>, content: unknown) {
  const before = useRef<number>(undefined)
  const isInUse = () => box.current?.contains(document.activeElement) ?? false
  // The position before this render changes it.
  // eslint-disable-next-line react-hooks/refs -- nothing that is rendered depends on it
  before.current = isInUse() ? box.current?.getBoundingClientRect().top : undefined
  // Only when the content changes.
  useLayoutEffect(() => {
    if (before.current === undefined || !box.current) return
    scrollBy({ top: box.current.getBoundingClientRect().top - before.current, behavior: 'instant' })
  }, [content, box])
}
