import { invoices } from '@dubplate/contract'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { Certain } from '../../uploads/Certain.tsx'

/** Mails an invoice once more, after asking: it goes to somebody. */
export function MailAgain({ invoice }: { invoice: invoices.StaffInvoice }) {
  const { invoice_id, number, dj_name, can_mail } = invoice
  const [isAsking, setAsking] = useState(false)
  const send = async () => {
    await ask(invoices.mailInvoice, { invoice_id })
    void toast({ message: `${number} sent to ${dj_name}` })
  }
  if (!can_mail) return null
  return (
    <>
      <Button data-key="m" aria-label={`Resend ${number}`} onClick={() => setAsking(true)}>
        Resend
      </Button>
      {isAsking && (
        <Certain
          question={`Resend ${number}?`}
          what={`We’ll email it to ${dj_name} at their account address.`}
          yes="Resend"
          onYes={send}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
