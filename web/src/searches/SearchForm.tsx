import '../styles/mantine-forms.css'
import { notices } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { rich } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './SearchForm.module.css'
import * as texts from './texts.ts'

type Values = { name: string; by_mail: boolean }

type Props = {
  title: string
  submit: string
  first: Values
  /** What the search asks for. */
  pieces: string[]
  /** Throws what the server refuses. */
  onSubmit: (values: Values) => Promise<void>
  onClose: () => void
}

/** The name of a saved search, and whether new music for it is mailed. */
export function SearchForm({ title, submit, first, pieces, onSubmit, onClose }: Props) {
  const [name, setName] = useState(first.name)
  const [byMail, setByMail] = useState(first.by_mail)
  const [trouble, setTrouble] = useState('')
  const [isBusy, setBusy] = useState(false)
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (isBusy) return
    if (!name.trim()) return setTrouble(texts.enterAName)
    setBusy(true)
    setTrouble('')
    try {
      await onSubmit({ name: name.trim(), by_mail: byMail })
      onClose()
    } catch (error) {
      setTrouble(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
      setBusy(false)
    }
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <form noValidate className={css.form} onSubmit={(event) => void save(event)}>
        <p className={css.pieces}>{pieces.join(' · ')}</p>
        <TextInput
          label={texts.name}
          data-autofocus
          maxLength={80}
          autoComplete="off"
          value={name}
          error={trouble}
          onFocus={({ currentTarget }) => currentTarget.select()}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Switch checked={byMail} onChange={setByMail} note={<MailNote onLeave={onClose} />}>
          {texts.emailMeAboutNewMusic}
        </Switch>
        <div className={css.actions}>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button type="submit" look="primary" busy={isBusy}>
            {submit}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

/** Whoever switched mail about searches off in the account gets none, whatever is chosen here. */
function MailNote({ onLeave }: { onLeave: () => void }) {
  const { data } = useAsk(notices.getChoices, {})
  if (data?.by_mail.search !== false) return texts.atMostOneEmailA
  return (
    <>
      {rich(texts.emailsAboutSavedSearchesAre, {
        link: (inside) => (
          <Link to="/account/notices" className={css.link} onClick={onLeave}>
            {inside}
          </Link>
        ),
      })}
    </>
  )
}
