import { useId, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import css from './Composer.module.css'
import * as texts from './texts.ts'

/** Adds songs by pasted links or ids, such as from a message. */
export function PasteSongs({ onPaste }: { onPaste: (text: string) => Promise<void> }) {
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  const [text, setText] = useState('')
  const add = async () => {
    await onPaste(text)
    setText('')
    setOpen(false)
  }
  if (!isOpen)
    return (
      <button type="button" className={css.pasteOpener} onClick={() => setOpen(true)}>
        {texts.pasteSongLinks}
      </button>
    )
  return (
    <div className={css.paste}>
      <label htmlFor={id}>{texts.songLinksOrIds}</label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: the user has just opened it
        autoFocus
        rows={4}
        className={fieldStyles.control}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className={css.pasteDoes}>
        <Button variant="primary" disabled={text.trim() === ''} onClick={() => void add()}>
          {texts.addSongs}
        </Button>
        <Button onClick={() => setOpen(false)}>{texts.cancel}</Button>
      </p>
    </div>
  )
}
