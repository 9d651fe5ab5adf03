import { newsletter } from '@dubplate/contract'
import { type FormEvent, useEffect, useId, useRef, useState } from 'react'
import { WhereMailGoes } from '../membership/WhereMailGoes.tsx'
import { ask } from '../platform/api.ts'
import { draftOf, keepDraft } from '../platform/drafts.ts'
import { rich } from '../platform/message.ts'
import { Button } from '../ui/Button.tsx'
import css from './NewsletterBox.module.css'
import * as texts from './texts.ts'

const DRAFT = 'newsletter'

/** Where anybody asks for the newsletter. A mail with a link goes to the address; whether it was there already is not said. */
export function NewsletterBox() {
  const [email, setEmail] = useState(() => draftOf(DRAFT))
  const [mailedTo, setMailedTo] = useState('')
  const [wrong, setWrong] = useState('')
  const [isBusy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const box = useRef<HTMLFormElement>(null)
  const id = useId()
  // What is said comes below the field, which may stand right above the player.
  useEffect(() => {
    if (mailedTo || wrong) box.current?.scrollIntoView({ block: 'nearest' })
  }, [mailedTo, wrong])
  const type = (email: string) => {
    setEmail(email)
    keepDraft(DRAFT, email)
    setWrong('')
  }
  const send = async (event: FormEvent) => {
    event.preventDefault()
    setBusy(true)
    setWrong('')
    setMailedTo('')
    try {
      await ask(newsletter.subscribe, { email })
      setMailedTo(email.trim())
      type('')
    } catch (error) {
      setWrong(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
    }
    setBusy(false)
    // The button that was pressed lost the focus while it was busy; who went elsewhere meanwhile stays there.
    if (document.activeElement === document.body) field.current?.focus({ preventScroll: true })
  }
  return (
    <form ref={box} className={css.box} noValidate onSubmit={(event) => void send(event)}>
      <label htmlFor={id}>{rich(texts.newsletterNewMusicInYour, { b: (inside) => <b>{inside}</b> })}</label>
      <div className={css.line}>
        <input
          ref={field}
          id={id}
          type="email"
          name="email"
          autoComplete="email"
          placeholder={texts.emailAddress}
          value={email}
          aria-invalid={wrong ? true : undefined}
          aria-describedby={wrong ? `${id}-why` : undefined}
          onChange={({ target }) => type(target.value)}
        />
        <Button type="submit" busy={isBusy}>
          {texts.subscribe}
        </Button>
      </div>
      {wrong && (
        <p id={`${id}-why`} role="alert" className={css.wrong}>
          {wrong}
        </p>
      )}
      <div role="status">
        {mailedTo && (
          <>
            <p>{rich(texts.checkYourEmailWeSent, { mailedTo, b: (inside) => <b>{inside}</b> })}</p>
            <WhereMailGoes />
          </>
        )}
      </div>
    </form>
  )
}
