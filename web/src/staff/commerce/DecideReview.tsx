import { desk, payments } from '@dubplate/contract'
import { Complaints } from '../../membership/Complaints.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { ask } from '../../platform/api.ts'
import { queryClient } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import forms from '../PaymentForms.module.css'
import { gatewayName } from './paymentWords.ts'

type Review = payments.PaymentReview
export type Decision = 'accept' | 'handled'

type Props = { review: Review; decision: Decision; onClose: () => void }

/** Asks staff to confirm what becomes of a payment that differs from what was agreed. */
export function DecideReview({ review, decision, onClose }: Props) {
  const isAccepted = decision === 'accept'
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      await ask(payments.decidePaymentReview, { review_id: review.review_id, decision })
      void toast({ message: isAccepted ? 'Payment accepted.' : 'Marked as handled.' })
      onClose()
      await Promise.all(
        [payments.getPaymentReviews, payments.getPayments, desk.getWaits].map(({ path }) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
    },
  })
  return (
    <Dialog title={isAccepted ? 'Accept this payment?' : 'Mark as handled?'} onClose={onClose}>
      <form noValidate className={forms.form} onSubmit={submit}>
        <Complaints sentences={complaints} />
        <p>{isAccepted ? acceptText(review) : handledText(review)}</p>
        <div className={forms.actions}>
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" look="primary" busy={isBusy} data-autofocus>
            {isAccepted ? 'Accept' : 'Mark as handled'}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const acceptText = ({ reason, dj_name, gateway }: Review): string =>
  reason === 'unlinked'
    ? `The subscription at ${gatewayName(gateway)} is linked to ${dj_name}’s checkout. Its payments are still compared with what was agreed.`
    : `The payment counts as it is: it opens ${dj_name}’s downloads for its period and is invoiced.`

const handledText = ({ reason, gateway }: Review): string =>
  reason === 'unreadable'
    ? `Compare the payment with ${gatewayName(gateway)} first. The event changes nothing here.`
    : `The payment buys nothing here. Refund it at ${gatewayName(gateway)} first if the member should get their money back.`
