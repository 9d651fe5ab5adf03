import { billing } from '@dubplate/contract'
import { paymentForm } from '@dubplate/contract/schemas/billing'
import { schemaResolver } from '@mantine/form'
import { Complaints } from '../membership/Complaints.tsx'
import { useDialogForm } from '../membership/useDialogForm.ts'
import { ask } from '../platform/api.ts'
import { Button } from '../ui/Button.tsx'
import { askStandingAnew } from './agreement.ts'
import { CardForm } from './CardForm.tsx'
import { BLANK_CARD, type CardFields, cardFieldErrors, wrongIn } from './card.ts'
import css from './Dialogs.module.css'
import * as texts from './texts.ts'

const blanksIn = schemaResolver(paymentForm, { sync: true })

export type NewCardProps = {
  onClose: () => void
  /** Hears how the subscription stands with the new card. */
  onSaved: (agreement: billing.Agreement | null) => Promise<void>
}

/** The card itself: checked here, saved by the server, which tries a payment that failed again. */
export function NewCard({ onClose, onSaved }: NewCardProps) {
  const { form, submit, isBusy, complaints } = useDialogForm<CardFields>({
    initialValues: BLANK_CARD,
    validate: (card) => ({ ...blanksIn(card), ...wrongIn(card, new Date()) }),
    send: async (card) => {
      const formData = { ...card, card_type: card.card_type as billing.CardType }
      const { agreement } = await ask(billing.updateCard, { formData })
      onClose()
      await onSaved(agreement)
    },
    onRefused: (refusal) => {
      refusal.fields = cardFieldErrors(refusal.fields)
      // The card stays as it is; its code is asked for again each time.
      form.setFieldValue('ccv', '')
      form.clearErrors()
      // The card may be the new one all the same, and the payment the one that failed.
      if (refusal.code === 'payment_declined') void askStandingAnew()
      return false
    },
  })
  return (
    <form noValidate className={css.steps} onSubmit={submit} aria-label={texts.card}>
      <p className={css.hint}>{texts.wellUseThisCardFor}</p>
      <CardForm form={form} />
      <Complaints sentences={complaints} />
      <div className={css.actions}>
        <Button onClick={onClose}>{texts.cancel}</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          {texts.saveCard}
        </Button>
      </div>
    </form>
  )
}
