import { billing } from '@dubplate/contract'
import { type FormEvent, useId, useState } from 'react'
import { callApi } from '../platform/api.ts'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { refetchSubscription } from './agreement.ts'
import { describeRemainingAccess } from './agreementTexts.ts'
import css from './Dialogs.module.css'
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
      {step === 'thanked' && <ThankYouMessage onClose={onClose} />}
    </Dialog>
  )
}

function ConfirmCancellation({ agreement, onDone, onClose }: Props & { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  // Stored on opening: after the cancellation the agreement describes something else.
  const [accessText] = useState(() => describeRemainingAccess(agreement))
  const cancel = async () => {
    setBusy(true)
    setErrorMessage('')
    try {
      await callApi(billing.cancelBilling, {})
    } catch (caught) {
      setErrorMessage(caught instanceof Error ? caught.message : texts.couldntCancelYourPlanTry)
      return setBusy(false)
    }
    onDone()
    await refetchSubscription()
  }
  return (
    <div className={css.steps}>
      <p>{texts.cancelIsIrreversible}</p>
      <p className={css.hint}>{accessText}</p>
      <p role="alert" className={css.error} hidden={!errorMessage}>
        {errorMessage}
      </p>
      <div className={css.actions}>
        <Button data-autofocus onClick={onClose}>
          {texts.keepPlan}
        </Button>
        <Button variant="danger" busy={isBusy} onClick={() => void cancel()}>
          {texts.cancelPlan}
        </Button>
      </div>
    </div>
  )
}

const DRAFT = 'cancel-feedback'

/** Feedback is optional: closing without text is fine. */
function Feedback({ onSent, onClose }: { onSent: () => void; onClose: () => void }) {
  const [message, setMessage] = useState(() => getDraft(DRAFT))
  const [isBusy, setBusy] = useState(false)
  const [errorMessage, setErrorMessage] = useState('')
  const id = useId()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!message.trim()) return onClose()
    setBusy(true)
    setErrorMessage('')
    try {
      await callApi(billing.cancelFeedback, { message })
    } catch (caught) {
      setErrorMessage(caught instanceof Error ? caught.message : texts.couldntSendYourFeedbackTry)
      return setBusy(false)
    }
    saveDraft(DRAFT, '')
    onSent()
  }
  return (
    <form className={css.steps} onSubmit={(event) => void send(event)}>
      <p id={id} role="status">
        {texts.yourSubscriptionHasBeenCancelled}
      </p>
      <label className={css.words}>
        <span>{texts.whyAreYouLeaving}</span>
        <small>{texts.cancelFeedbackHint}</small>
        <textarea
          rows={4}
          maxLength={4000}
          // biome-ignore lint/a11y/noAutofocus: the button that had the focus no longer exists
          autoFocus
          aria-describedby={id}
          value={message}
          onChange={({ currentTarget }) => {
            setMessage(currentTarget.value)
            saveDraft(DRAFT, currentTarget.value)
          }}
        />
      </label>
      <p role="alert" className={css.error} hidden={!errorMessage}>
        {errorMessage}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>{texts.skip}</Button>
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.sendFeedback}
        </Button>
      </div>
    </form>
  )
}

const ThankYouMessage = ({ onClose }: { onClose: () => void }) => (
  <div className={css.steps}>
    <p role="status">{texts.hopeToSeeYouSoon}</p>
    <div className={css.actions}>
      <Button variant="primary" autoFocus onClick={onClose}>
        {texts.close}
      </Button>
    </div>
  </div>
)
