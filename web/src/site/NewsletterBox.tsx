import { newsletter } from '@dubplate/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { rich } from '../format/message.ts'
import { EmailHint } from '../membership/EmailHint.tsx'
import { callApi } from '../platform/api.ts'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { Button } from '../ui/Button.tsx'
import css from './NewsletterBox.module.css'
import * as texts from './texts.ts'

const DRAFT = 'newsletter'

/**
 * The newsletter form. An email with a link is sent to the address; whether it is already subscribed is not revealed.
 */
export function NewsletterBox() {
  const [email, setEmail] = useState(() => getDraft(DRAFT))
  const [confirmationSentTo, setConfirmationSentTo] = useState('')
  const [errorMessage, setErrorMessage] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const container = useRef<HTMLFormElement>(null)
  const id = useId()
  // The message appears below the field, which may be right above the player.
  useEffect(() => {
    if (confirmationSentTo || errorMessage) container.current?.scrollIntoView({ block: 'nearest' })
  }, [confirmationSentTo, errorMessage])
  const type = (email: string) => {
    setEmail(email)
    saveDraft(DRAFT, email)
    setErrorMessage('')
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setErrorMessage('')
    setConfirmationSentTo('')
    try {
      await callApi(newsletter.subscribe, { email })
      setConfirmationSentTo(email.trim())
      type('')
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
    }
    setBusy(false)
    // The button lost the focus while it was busy; if the user has moved the focus, it stays there.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }
  return (
    <form ref={container} className={css.box} noValidate onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{rich(texts.newsletterTeaser, { b: (inside) => <b>{inside}</b> })}</label>
      <div className={css.line}>
        <input
          ref={field}
          id={id}
          type="email"
          name="email"
          autoComplete="email"
          placeholder={texts.emailAddress}
          value={email}
          aria-invalid={errorMessage ? true : undefined}
          aria-describedby={errorMessage ? `${id}-why` : undefined}
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit" busy={isBusy}>
          {texts.subscribe}
        </Button>
      </div>
      {errorMessage && (
        <p id={`${id}-why`} role="alert" className={css.wrong}>
          {errorMessage}
        </p>
      )}
      <div role="status">
        {confirmationSentTo && (
          <>
            <p>{rich(texts.checkYourEmailWeSent, { mailedTo: confirmationSentTo, b: (inside) => <b>{inside}</b> })}</p>
            <EmailHint />
          </>
        )}
      </div>
    </form>
  )
}
