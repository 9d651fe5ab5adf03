import { playlists } from '@dubplate/contract'
import { type FormEvent, type RefObject, useEffect, useId, useRef, useState } from 'react'
import { Button } from '../ui/Button.tsx'
import { useAction } from '../ui/useAction.ts'
import css from './TitleForm.module.css'
import * as texts from './texts.ts'

type Props = {
  label: string
  submitLabel: string
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
export function TitleForm({ label, submitLabel, onSubmit, onCancel }: Props) {
  const [title, setTitle] = useState('')
  const [errorMessage, setErrorMessage] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const id = useId()
  useRestoreFocus(field)

  const showError = (message: string) => {
    setErrorMessage(message)
    field.current?.focus()
  }
  const [save, isBusy] = useAction(async () => {
    if (!title.trim()) return showError(texts.enterAName)
    setErrorMessage('')
    try {
      await onSubmit(title.trim())
    } catch (error) {
      showError(error instanceof Error ? error.message : texts.somethingWentWrongTryAgain)
    }
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save()
  }
  return (
    <form className={css.form} onSubmit={submit}>
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
      <Button type="submit" variant="primary" busy={isBusy}>
        {submitLabel}
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
