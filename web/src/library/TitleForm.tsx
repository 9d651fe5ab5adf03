import { playlists } from '@dubplate/contract'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import css from './TitleForm.module.css'
import * as texts from './texts.ts'

type Props = {
  label: string
  submit: string
  /** Throws the server's `ApiError`; the form then keeps the text and shows the error. */
  onSubmit: (title: string) => Promise<unknown>
  onCancel?: () => void
}

/** Returns the focus to where it was when the form closes, unless the user has moved it. */
function useRestoreFocus(field: RefObject<HTMLInputElement | null>) {
  const [before] = useState(() => document.activeElement)
  useEffect(() => {
    const own = field.current
    return () => {
      const isFocusLost = !own?.isConnected && document.activeElement === document.body
      if (isFocusLost && before instanceof HTMLElement && before.isConnected) before.focus({ preventScroll: true })
    }
  }, [before, field])
}

/** The form for the name of a new playlist. */
export function TitleForm({ label, submit, onSubmit, onCancel }: Props) {
  const [title, setTitle] = useState('')
  const [errorMessage, setErrorMessage] = useState('')
  const [busy, setBusy] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useRestoreFocus(field)

  const showError = (message: string) => {
    setErrorMessage(message)
    setBusy(false)
    field.current?.focus()
  }
  const save = async (event: FormEvent) => {
    event.preventDefault()
    if (busy) return
    if (!title.trim()) return showError(texts.enterAName)
    setBusy(true)
    setErrorMessage('')
    try {
      await onSubmit(title.trim())
      setBusy(false)
    } catch (error) {
      showError(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
    }
  }
  return (
    <form className={css.form} onSubmit={(event) => void save(event)}>
      <label className="sr" htmlFor={id}>
        {label}
      </label>
      <input
        ref={field}
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the field appears on request
        autoFocus
        className={css.field}
        value={title}
        maxLength={playlists.PLAYLIST_TITLE_LENGTH}
        placeholder={label}
        autoComplete="off"
        aria-invalid={errorMessage ? true : undefined}
        aria-describedby={errorMessage ? `${id}-why` : undefined}
        onChange={({ target }) => setTitle(target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape' || !onCancel) return
          event.preventDefault()
          event.stopPropagation()
          onCancel()
        }}
      />
      <Button type="submit" variant="primary" busy={busy}>
        {submit}
      </Button>
      {onCancel && <Button onClick={onCancel}>{texts.cancel}</Button>}
      {errorMessage && (
        <p id={`${id}-why`} role="alert" className={css.error}>
          {errorMessage}
        </p>
      )}
    </form>
  )
}
