import { useRef, useState } from 'react'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { type Message, parseDraft, serialiseDraft } from './message.ts'

export type MessageDraft<M extends Message> = {
  message: M
  change: (change: Partial<M>) => void
  /** Of the files that are attached some have come or gone. */
  changeFiles: (change: (files: M['attachments']) => M['attachments']) => void
  /** It has been sent as it was. What was written since stays. */
  clear: (sent: M) => void
}

/** A message that is being written, kept under this name also across a reload, until it is changed back to nothing. */
export function useMessage<M extends Message>(name: string, empty: M): MessageDraft<M> {
  const [message, setMessage] = useState(() => parseDraft(getDraft(name), empty))
  // Files arrive at any time: what they are added to is the message as it is then.
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
