import { newsletter } from '@dubplate/contract'
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react'
import { rich } from '../format/message.ts'
import { EmailHint } from '../membership/EmailHint.tsx'
import { getDraft, saveDraft } from '../platform/drafts.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { Button } from '../ui/Button.tsx'
import css from './Footer.module.css'
import * as texts from './texts.ts'

const DRAFT = 'newsletter'

/**
 * The newsletter form. An email with a link is sent to the address; whether it is already subscribed is not revealed.
 */
export function NewsletterBox() {
  const [email, setEmail] = useState(() => getDraft(DRAFT))
  const { mutate: subscribe, status, error, variables: sent, reset } = useApiMutation(newsletter.subscribe)
  const field = useRef<HTMLInputElement>(null)
  const container = useRef<HTMLFormElement>(null)
  const id = useId()
  // The message appears below the field, which may be right above the player.
  useEffect(() => {
    if (status === 'success' || status === 'error') container.current?.scrollIntoView({ block: 'nearest' })
  }, [status])
  const type = (email: string) => {
    setEmail(email)
    saveDraft(DRAFT, email)
    if (error) reset()
  }
  const send = (event: FormEvent) => {
    event.preventDefault()
    subscribe(
      { email },
      {
        onSuccess: () => type(''),
        // The button lost the focus while it was busy; if the user has moved the focus, it stays there.
        onSettled: () => document.activeElement === document.body && field.current?.focus({ preventScroll: true }),
      },
    )
  }
  const bold = (inside: ReactNode) => <b>{inside}</b>
  return (
    <form ref={container} className={css.newsletter} noValidate onSubmit={send}>
      <label htmlFor={id}>{rich(texts.newsletterTeaser, { b: bold })}</label>
      <div className={css.entry}>
        <input
          ref={field}
          id={id}
          type="email"
          name="email"
          autoComplete="email"
          placeholder={texts.emailAddress}
          value={email}
          aria-invalid={error ? true : undefined}
          aria-describedby={error ? `${id}-error` : undefined}
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit" busy={status === 'pending'}>
          {texts.subscribe}
        </Button>
      </div>
      {error && (
        <p id={`${id}-error`} role="alert" className={css.error}>
          {error.message}
        </p>
      )}
      <div role="status">
        {status === 'success' && (
          <>
            <p>{rich(texts.checkYourEmailWeSent, { mailedTo: sent.email.trim(), b: bold })}</p>
            <EmailHint />
          </>
        )}
      </div>
    </form>
  )
}
