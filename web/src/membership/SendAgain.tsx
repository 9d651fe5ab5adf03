import { useState } from 'react'
import { format } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import { sendConfirmation } from './applicant.ts'
import * as texts from './texts.ts'
import { complaintsOf } from './useDialogForm.ts'

/** Has the mail that confirms the address sent once more, and says where it went or why it did not. */
export function SendAgain({ children }: { children: string }) {
  const [isBusy, setBusy] = useState(false)
  const [said, setSaid] = useState('')
  const send = async () => {
    setBusy(true)
    setSaid(await sendConfirmation().then(wentTo, (error) => complaintsOf(error).join(' ')))
    setBusy(false)
  }
  return (
    <>
      <Button busy={isBusy} onClick={() => void send()}>
        {children}
      </Button>
      <span role="status">{said}</span>
    </>
  )
}

const wentTo = (email: string) => format(texts.weSentAnEmailTo, { email })
