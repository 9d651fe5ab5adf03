import { useRef, useState } from 'react'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { type Message, parseDraft, serialiseDraft } from './message.ts'

export type MessageDraft<M extends Message> = {
  message: M
  change: (change: Partial<M>) => void
  /** Adds or removes attachments. */
  changeFiles: (change: (files: M['attachments']) => M['attachments']) => void
  /** Called after sending: clears the message but keeps what was written since. */
  clear: (sent: M) => void
}

/** A message being written, stored under this name (also across a reload) until it is empty again. */
export function useMessage<M extends Message>(name: string, empty: M): MessageDraft<M> {
  const [message, setMessage] = useState(() => parseDraft(getDraft(name), empty))
  // Uploads complete at any time and must be added to the current message.
  const now = useRef(message)
  const change = (change: Partial<M>) => {
    now.current = { ...now.current, ...change }
    saveDraft(name, serialiseDraft(now.current))
    setMessage(now.current)
  }
  const changeFiles: MessageDraft<M>['changeFiles'] = (of) =>
    change({ attachments: of(now.current.attachments) } as Partial<M>)
  const clear = (sent: M) => {
    if (now.current === sent) change(empty)
    else changeFiles((files) => files.filter((file) => !sent.attachments.includes(file)))
  }
  return { message, change, changeFiles, clear }
}
