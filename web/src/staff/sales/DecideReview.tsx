import { dashboard, payments } from '@dubplate/contract'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useDialogForm } from '../../membership/useDialogForm.ts'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { queryClient } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { toast } from '../../ui/toast.ts'
import forms from './PaymentForms.module.css'
import { gatewayName } from './paymentWords.ts'
import * as texts from './texts.ts'

type Review = payments.PaymentReview
export type Decision = 'accept' | 'handled'

type Props = { review: Review; decision: Decision; onClose: () => void }

/** Asks staff to confirm their decision on a payment that differs from what was agreed. */
export function DecideReview({ review, decision, onClose }: Props) {
  const isAccepted = decision === 'accept'
  const { submit, isBusy, complaints } = useDialogForm({
    initialValues: {},
    validate: () => ({}),
    send: async () => {
      await callApi(payments.decidePaymentReview, { review_id: review.review_id, decision })
      void toast({ message: isAccepted ? texts.paymentAccepted : texts.markedAsHandled })
      onClose()
      await Promise.all(
        [payments.getPaymentReviews, payments.getPayments, dashboard.getAttentionItems].map(({ path }) =>
          queryClient.invalidateQueries({ queryKey: [path] }),
        ),
      )
    },
  })
  return (
    <Dialog title={isAccepted ? texts.acceptThisPayment : texts.markAsHandledQuestion} onClose={onClose}>
      <form noValidate className={forms.form} onSubmit={submit}>
        <ErrorMessages messages={complaints} />
        <p>{isAccepted ? acceptText(review) : handledText(review)}</p>
        <div className={forms.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy} data-autofocus>
            {isAccepted ? texts.acceptButton : texts.markAsHandled}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

const acceptText = ({ reason, dj_name, gateway }: Review): string =>
  reason === 'unlinked'
    ? format(texts.theSubscriptionAtIsLinked, { gatewayName: gatewayName(gateway), dj_name: dj_name ?? '' })
    : format(texts.thePaymentCountsAsIt, { dj_name: dj_name ?? '' })

const handledText = ({ reason, gateway }: Review): string =>
  reason === 'unreadable'
    ? format(texts.compareThePaymentWithFirst, { gatewayName: gatewayName(gateway) })
    : format(texts.thePaymentBuysNothingHere, { gatewayName: gatewayName(gateway) })
