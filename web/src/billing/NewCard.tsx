import { billing } from '@dubplate/contract'
import { paymentForm } from '@dubplate/contract/schemas/billing'
import { schemaResolver } from '@mantine/form'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { useDialogForm } from '../membership/useDialogForm.ts'
import { callApi } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { refetchSubscription } from './agreement.ts'
import { CardForm } from './CardForm.tsx'
import { BLANK_CARD, type CardFields, cardFieldErrors, validateCard } from './card.ts'
import css from './Dialogs.module.css'
import * as texts from './texts.ts'

const validateRequired = schemaResolver(paymentForm, { sync: true })

export type NewCardProps = {
  onClose: () => void
  /** Called with the subscription after the card was saved. */
  onSaved: (agreement: billing.Agreement | null) => Promise<void>
}

/** The form for a new card: validated here, saved by the server, which also retries a failed payment. */
export function NewCard({ onClose, onSaved }: NewCardProps) {
  const {
    form,
    submit,
    isBusy,
    complaints: errorMessages,
  } = useDialogForm<CardFields>({
    initialValues: BLANK_CARD,
    validate: (card) => ({ ...validateRequired(card), ...validateCard(card, new Date()) }),
    send: async (card) => {
      const formData = { ...card, card_type: card.card_type as billing.CardType }
      const { agreement } = await callApi(billing.updateCard, { formData })
      onClose()
      await onSaved(agreement)
    },
    onRejected: (apiError) => {
      apiError.fields = cardFieldErrors(apiError.fields)
      // The card stays filled in; its security code has to be entered again each time.
      form.setFieldValue('ccv', '')
      form.clearErrors()
      // The new card may have been saved although the retried payment failed.
      if (apiError.code === 'payment_declined') void refetchSubscription()
      return false
    },
  })
  return (
    <form noValidate className={css.steps} onSubmit={submit} aria-label={texts.card}>
      <p className={css.hint}>{texts.futurePaymentsCardHint}</p>
      <CardForm form={form} />
      <ErrorMessages messages={errorMessages} />
      <div className={css.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.saveCard}
        </Button>
      </div>
    </form>
  )
}
