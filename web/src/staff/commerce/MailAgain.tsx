import { invoices } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import { ConfirmDialog } from '../../uploads/ConfirmDialog.tsx'
import * as texts from './texts.ts'

/** Emails an invoice again, after confirmation, because it is sent to the customer. */
export function MailAgain({ invoice }: { invoice: invoices.StaffInvoice }) {
  const { invoice_id, number, dj_name, can_mail } = invoice
  const [isAsking, setAsking] = useState(false)
  const send = async () => {
    await callApi(invoices.mailInvoice, { invoice_id })
    void toast({ message: format(texts.sentTo, { number, dj_name }) })
  }
  if (!can_mail) return null
  return (
    <>
      <Button data-key="m" aria-label={format(texts.resendNumberLabel, { number })} onClick={() => setAsking(true)}>
        {texts.resend}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={format(texts.resendNumberQuestion, { number })}
          what={format(texts.wellEmailItToAt, { dj_name })}
          confirmLabel={texts.resend}
          onConfirm={send}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
