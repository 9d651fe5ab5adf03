import type { billing } from '@dubplate/contract'
import { updateCard } from '@dubplate/contract/schemas/billing'
import { Group, Stack } from '@mantine/core'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { ApiError } from '../platform/api.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { refetchSubscription } from './agreement.ts'
import { CardForm } from './CardForm.tsx'
import { validateCard } from './card.ts'
import { BLANK_CARD, cardOf, fieldOfCard } from './cardFields.ts'
import { Note } from './PaymentPage.tsx'
import * as texts from './texts.ts'

type Props = {
  onClose: () => void
  /** Called with the subscription after the card was saved. */
  onSaved: (agreement: billing.Agreement | null) => Promise<void>
}

/**
 * A new card for future payments, entered in the pool's own form (test mode only). The server also retries a failed
 * payment with it.
 */
export function UpdateCard({ onClose, onSaved }: Props) {
  const form = useResourceForm({
    call: updateCard,
    values: BLANK_CARD,
    toInput: (card) => ({ formData: cardOf(card) }),
    fieldNames: fieldOfCard,
    validate: (card) => validateCard(card, new Date()),
    save: (send, setValues) =>
      send().catch((error: unknown) => {
        // The card stays filled in; its security code has to be entered again each time.
        if (error instanceof ApiError) setValues({ ccv: '' })
        // The new card may have been saved although the retried payment failed.
        if (error instanceof ApiError && error.code === 'payment_declined') void refetchSubscription()
        throw error
      }),
    onSaved: ({ agreement }) => {
      onClose()
      void onSaved(agreement)
    },
  })
  const { element } = form
  return (
    <Dialog title={texts.updateCard} onClose={onClose}>
      <form ref={element} noValidate onSubmit={form.submit} aria-label={texts.card}>
        <Stack gap="md">
          <Note>{texts.futurePaymentsCardHint}</Note>
          <CardForm form={form} />
          <ErrorMessages messages={form.messages} />
          <Group gap="sm" mt="sm" justify="flex-end">
            <Button onClick={onClose}>{texts.cancel}</Button>
            <Button type="submit" variant="primary" busy={form.isBusy}>
              {texts.saveCard}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  )
}
