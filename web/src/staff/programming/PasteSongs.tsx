import { useId, useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { fieldStyles } from '../../uploads/Field.tsx'
import css from './Composer.module.css'

/** Takes songs by their addresses or numbers, from a message or another window. */
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
        Paste song links…
      </button>
    )
  return (
    <div className={css.paste}>
      <label htmlFor={id}>Song links or IDs</label>
      <textarea
        id={id}
        // biome-ignore lint/a11y/noAutofocus: it was asked for just now
        autoFocus
        rows={4}
        className={fieldStyles.control}
        value={text}
        onChange={({ target }) => setText(target.value)}
      />
      <p className={css.pasteDoes}>
        <Button look="primary" disabled={text.trim() === ''} onClick={() => void add()}>
          Add songs
        </Button>
        <Button onClick={() => setOpen(false)}>Cancel</Button>
      </p>
    </div>
  )
}
