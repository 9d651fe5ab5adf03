import type { Endpoint, InputOf, ReplyOf } from '@dubplate/contract'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { type AttachedFile, uploadBlocker, useAttachments } from './useAttachments.ts'

/** `details` is HTML. */
export type Message = { details: string; attachments: AttachedFile[] }

type Options<Values extends Message, E extends Endpoint> = {
  /** The call that sends the message, with its schema. */
  call: E
  draftName: string
  empty: Values
  toInput: (values: Values) => InputOf<E>
  invalidates: readonly Endpoint[]
  /** Sends the message in several steps. */
  save?: (send: () => Promise<ReplyOf<E>>, values: Values) => Promise<ReplyOf<E>>
  onSent?: (reply: ReplyOf<E>) => void
}

/**
 * The form of a ticket or a reply with its attachments. The message cannot be sent while files are uploading; what is
 * written while it is sent is kept.
 */
export function useMessageForm<Values extends Message, E extends Endpoint>(options: Options<Values, E>) {
  const { call, draftName, empty, toInput, invalidates, save, onSent } = options
  const form = useResourceForm<Values, E, { reply: ReplyOf<E>; sent: Values }>({
    ...{ call, draftName, toInput, invalidates },
    values: empty,
    fieldNames: (path) => (path.includes('attachments') ? 'files' : path.replace('HelpdeskTickets.', '')),
    save: async (send, _, sent) => {
      const blocker = uploadBlocker(attaching.uploads)
      if (blocker) throw new Error(blocker)
      return { reply: await (save ? save(send, sent) : send()), sent }
    },
    onSaved: ({ reply, sent }) => {
      const written = form.getValues()
      form.discard()
      if (written !== sent)
        setMessage({ ...written, attachments: written.attachments.filter((file) => !sent.attachments.includes(file)) })
      onSent?.(reply)
    },
  })
  const setMessage = (message: Partial<Message>) => form.setValues(message as Partial<Values>)
  const attaching = useAttachments(
    () => form.getValues().attachments,
    (attachments) => setMessage({ attachments }),
  )
  /** Empties the form. */
  const clear = () => {
    form.discard()
    attaching.cancelAll()
  }
  return { form, attaching, clear }
}

export const namesOf = (files: readonly AttachedFile[]) => files.map(({ name }) => name)
