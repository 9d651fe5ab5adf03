import '../styles/mantine-forms.css'
import { billing } from '@dubplate/contract'
import { cancelFeedback } from '@dubplate/contract/schemas/billing'
import { Group, InputBase, Stack } from '@mantine/core'
import { type FormEvent, useId, useState } from 'react'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { refetchSubscription } from './agreement.ts'
import { describeRemainingAccess } from './agreementTexts.ts'
import { ErrorText } from './PaymentErrors.tsx'
import { Note } from './PaymentPage.tsx'
import * as texts from './texts.ts'

type Props = { agreement: billing.Agreement; onClose: () => void }
type Step = 'certain' | 'cancelled' | 'thanked'

const TITLES: Record<Step, string> = {
  certain: texts.areYouSure,
  cancelled: texts.subscriptionCancelled,
  thanked: texts.thankYouForYourValuable,
}

/** Cancels after a confirmation, then offers an optional feedback form. */
export function CancelSubscription({ agreement, onClose }: Props) {
  const [step, setStep] = useState<Step>('certain')
  return (
    <Dialog title={TITLES[step]} onClose={onClose}>
      {step === 'certain' && (
        <ConfirmCancellation agreement={agreement} onDone={() => setStep('cancelled')} onClose={onClose} />
      )}
      {step === 'cancelled' && <Feedback onSent={() => setStep('thanked')} onClose={onClose} />}
      {step === 'thanked' && (
        <Stack gap="md">
          <p role="status">{texts.hopeToSeeYouSoon}</p>
          <Group mt="sm" justify="flex-end">
            <Button variant="primary" autoFocus onClick={onClose}>
              {texts.close}
            </Button>
          </Group>
        </Stack>
      )}
    </Dialog>
  )
}

function ConfirmCancellation({ agreement, onDone, onClose }: Props & { onDone: () => void }) {
  // Stored on opening: after the cancellation the agreement describes something else.
  const [accessText] = useState(() => describeRemainingAccess(agreement))
  const { mutate, isPending, error } = useApiMutation(billing.cancelBilling)
  const handleCancelled = () => {
    onDone()
    void refetchSubscription()
  }
  return (
    <Stack gap="md">
      <p>{texts.cancelIsIrreversible}</p>
      <Note>{accessText}</Note>
      <ErrorText>{error?.message}</ErrorText>
      <Group gap="sm" mt="sm" justify="flex-end">
        <Button data-autofocus onClick={onClose}>
          {texts.keepPlan}
        </Button>
        <Button variant="danger" busy={isPending} onClick={() => mutate({}, { onSuccess: handleCancelled })}>
          {texts.cancelPlan}
        </Button>
      </Group>
    </Stack>
  )
}

/** Feedback is optional: closing without text is fine. */
function Feedback({ onSent, onClose }: { onSent: () => void; onClose: () => void }) {
  const id = useId()
  const form = useResourceForm({
    call: cancelFeedback,
    draftName: 'cancel-feedback',
    values: { message: '' },
    toInput: (feedback) => feedback,
    onSaved: onSent,
  })
  const { element } = form
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (form.values.message.trim()) form.submit(event)
    else onClose()
  }
  return (
    <form ref={element} noValidate onSubmit={handleSubmit}>
      <Stack gap="md">
        <p id={id} role="status">
          {texts.yourSubscriptionHasBeenCancelled}
        </p>
        <InputBase
          component="textarea"
          multiline
          styles={{ input: { resize: 'vertical' } }}
          rows={4}
          maxLength={4000}
          label={texts.whyAreYouLeaving}
          // The button that had the focus no longer exists.
          autoFocus
          inputWrapperOrder={['label', 'description', 'input', 'error']}
          aria-describedby={id}
          {...form.field('message', texts.cancelFeedbackHint)}
        />
        <ErrorMessages messages={form.messages} />
        <Group gap="sm" mt="sm" justify="flex-end">
          <Button onClick={onClose}>{texts.skip}</Button>
          <Button type="submit" variant="primary" busy={form.isBusy}>
            {texts.sendFeedback}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
