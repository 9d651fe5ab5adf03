import { useState } from 'react'
import { format } from '../format/message.ts'
import { messagesOf } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { useAction } from '../ui/useAction.ts'
import { sendConfirmation } from './applicant.ts'
import * as texts from './texts.ts'

/** Sends the confirmation email again, and shows the address it was sent to or the error. */
export function ResendEmail({ children }: { children: string }) {
  const [statusText, setStatusText] = useState('')
  const [send, isBusy] = useAction(async () =>
    setStatusText(await sendConfirmation().then(sentToText, (error) => messagesOf(error).join(' '))),
  )
  return (
    <>
      <Button busy={isBusy} onClick={() => send()}>
        {children}
      </Button>
      <span role="status">{statusText}</span>
    </>
  )
}

const sentToText = (email: string) => format(texts.resetEmailSent, { email })
