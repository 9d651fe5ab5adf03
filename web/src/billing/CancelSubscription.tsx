import { billing } from '@dubplate/contract'
import { type FormEvent, useId, useState } from 'react'
import { ask } from '../platform/api.ts'
import { draftOf, keepDraft } from '../platform/drafts.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { askStandingAnew } from './agreement.ts'
import { staysWords } from './agreementWords.ts'
import css from './Dialogs.module.css'

type Props = { agreement: billing.Agreement; onClose: () => void }
type Step = 'certain' | 'cancelled' | 'thanked'

const TITLES: Record<Step, string> = {
  certain: 'Are you sure?',
  cancelled: 'Subscription Cancelled',
  thanked: 'Thank you for your valuable feedback!',
}

/** Cancels after asking once more; then, for whoever likes, why. */
export function CancelSubscription({ agreement, onClose }: Props) {
  const [step, setStep] = useState<Step>('certain')
  return (
    <Dialog title={TITLES[step]} onClose={onClose}>
      {step === 'certain' && <Certain agreement={agreement} onDone={() => setStep('cancelled')} onClose={onClose} />}
      {step === 'cancelled' && <Feedback onSent={() => setStep('thanked')} onClose={onClose} />}
      {step === 'thanked' && <Thanked onClose={onClose} />}
    </Dialog>
  )
}

function Certain({ agreement, onDone, onClose }: Props & { onDone: () => void }) {
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  // Once it is cancelled the agreement says otherwise.
  const [stays] = useState(() => staysWords(agreement))
  const cancel = async () => {
    setBusy(true)
    setTrouble('')
    try {
      await ask(billing.cancelBilling, {})
    } catch (refused) {
      setTrouble(refused instanceof Error ? refused.message : 'Couldn’t cancel your plan. Try again.')
      return setBusy(false)
    }
    onDone()
    await askStandingAnew()
  }
  return (
    <div className={css.steps}>
      <p>You won't be able to revert this!</p>
      <p className={css.hint}>{stays}</p>
      <p role="alert" className={css.trouble} hidden={!trouble}>
        {trouble}
      </p>
      <div className={css.actions}>
        <Button data-autofocus onClick={onClose}>
          Keep plan
        </Button>
        <Button look="danger" busy={isBusy} onClick={() => void cancel()}>
          Cancel plan
        </Button>
      </div>
    </div>
  )
}

const DRAFT = 'cancel-feedback'

/** Nobody has to say why: without a word it ends here. */
function Feedback({ onSent, onClose }: { onSent: () => void; onClose: () => void }) {
  const [message, setMessage] = useState(() => draftOf(DRAFT))
  const [isBusy, setBusy] = useState(false)
  const [trouble, setTrouble] = useState('')
  const id = useId()
  const send = async (event: FormEvent) => {
    event.preventDefault()
    if (!message.trim()) return onClose()
    setBusy(true)
    setTrouble('')
    try {
      await ask(billing.cancelFeedback, { message })
    } catch (refused) {
      setTrouble(refused instanceof Error ? refused.message : 'Couldn’t send your feedback. Try again.')
      return setBusy(false)
    }
    keepDraft(DRAFT, '')
    onSent()
  }
  return (
    <form className={css.steps} onSubmit={(event) => void send(event)}>
      <p id={id} role="status">
        Your subscription has been cancelled. No payment will be charged.
      </p>
      <label className={css.words}>
        <span>Why are you leaving?</span>
        <small>Optional. Your feedback goes to our team.</small>
        <textarea
          rows={4}
          maxLength={4000}
          // biome-ignore lint/a11y/noAutofocus: the button that had the focus is gone
          autoFocus
          aria-describedby={id}
          value={message}
          onChange={({ currentTarget }) => {
            setMessage(currentTarget.value)
            keepDraft(DRAFT, currentTarget.value)
          }}
        />
      </label>
      <p role="alert" className={css.trouble} hidden={!trouble}>
        {trouble}
      </p>
      <div className={css.actions}>
        <Button onClick={onClose}>Skip</Button>
        <Button type="submit" look="primary" busy={isBusy}>
          Send feedback
        </Button>
      </div>
    </form>
  )
}

const Thanked = ({ onClose }: { onClose: () => void }) => (
  <div className={css.steps}>
    <p role="status">Hope to see you soon</p>
    <div className={css.actions}>
      <Button look="primary" autoFocus onClick={onClose}>
        Close
      </Button>
    </div>
  </div>
)
