import { useState } from 'react'
import { format } from '../format/message.ts'
import { messagesOf } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { sendConfirmation } from './applicant.ts'
import * as texts from './texts.ts'

/** Sends the confirmation email again, and shows the address it was sent to or the error. */
export function ResendEmail({ children }: { children: string }) {
  const [isBusy, setBusy] = useState(false)
  const [statusText, setStatusText] = useState('')
  const send = async () => {
    setBusy(true)
    setStatusText(await sendConfirmation().then(sentToText, (error) => messagesOf(error).join(' ')))
    setBusy(false)
  }
  return (
    <>
      <Button busy={isBusy} onClick={() => void send()}>
        {children}
      </Button>
      <span role="status">{statusText}</span>
    </>
  )
}

const sentToText = (email: string) => format(texts.resetEmailSent, { email })
