import '../styles/mantine-forms.css'
import { notices } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { rich } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './SearchForm.module.css'
import * as texts from './texts.ts'

type SearchFormValues = { name: string; by_email: boolean }

type Props = {
  title: string
  submit: string
  initialValues: SearchFormValues
  /** The terms of the search. */
  chips: string[]
  /** Throws the server's `ApiError`. */
  onSubmit: (values: SearchFormValues) => Promise<void>
  onClose: () => void
}

/** The name of a saved search, and whether new matches are emailed. */
export function SearchForm({ title, submit, initialValues, chips, onSubmit, onClose }: Props) {
  const [name, setName] = useState(initialValues.name)
  const [isByEmail, setByEmail] = useState(initialValues.by_email)
  const [errorMessage, setErrorMessage] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (!name.trim()) return setErrorMessage(texts.enterAName)
    setBusy(true)
    setErrorMessage('')
    try {
      await onSubmit({ name: name.trim(), by_email: isByEmail })
      onClose()
    } catch (error) {
      setErrorMessage(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={(event) => void save(event)}>
        <p className={css.pieces}>{chips.join(' · ')}</p>
        <TextInput
          label={texts.name}
          data-autofocus
          maxLength={80}
          autoComplete="off"
          value={name}
          error={errorMessage}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Switch checked={isByEmail} onChange={setByEmail} note={<EmailDigestNote onNavigate={onClose} />}>
          {texts.emailMeAboutNewMusic}
        </Switch>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" variant="primary" busy={isBusy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Explains that no emails are sent while search emails are turned off in the account. */
function EmailDigestNote({ onNavigate }: { onNavigate: () => void }) {
  const { data } = useApiQuery(notices.getChoices, {})
  if (data?.by_email.search !== false) return texts.savedSearchEmailFrequency
  return (
    <>
      {rich(texts.savedSearchEmailsTurnedOff, {
        link: (inside) => (
          <Link to="/account/notices" className={css.link} onClick={onNavigate}>
            {inside}
          </Link>
        ),
      })}
    </>
  )
}
