import { type KeyboardEvent, useId, useState } from 'react'
import type Squire from 'squire-rte'
import { Button } from './Button.tsx'
import css from './RichText.module.css'
import { normaliseLinkUrl } from './richText.ts'
import * as texts from './texts.ts'

/** The URL of the link at the caret. */
function linkAt(squire: Squire): string {
  const { commonAncestorContainer: node, startContainer } = squire.getSelection()
  const link = [node, startContainer].map((each) => (each instanceof Element ? each : each.parentElement)?.closest('a'))
  return link.find((each) => each && squire.getRoot().contains(each))?.getAttribute('href') ?? ''
}

/**
 * Sets the link of the selected text, or inserts a new one. Not a `<form>`, because it is inside one: Enter must not
 * submit that.
 */
export function LinkForm({ squire, onClose }: { squire: Squire; onClose: () => void }) {
  const id = useId()
  const [initialUrl] = useState(() => linkAt(squire))
  const [typed, setTyped] = useState(initialUrl)
  const [validationError, setValidationError] = useState('')
  const applyLink = () => {
    const url = normaliseLinkUrl(typed)
    if (!url) return setValidationError(texts.enterAUrlSuchAs)
    onClose()
    squire.makeLink(url)
    // What is typed next continues after the link instead of replacing it.
    const range = squire.getSelection()
    range.collapse(false)
    squire.setSelection(range)
  }
  const removeLink = () => {
    onClose()
    squire.removeLink()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Escape') onClose()
    else if (event.key === 'Enter' && (event.target as Element).matches('input')) applyLink()
    else return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: handles Enter and Escape of the field in it
    <div className={css.link} onKeyDown={handleKeyDown}>
      <input
        // biome-ignore lint/a11y/noAutofocus: the field appears on request
        autoFocus
        type="text"
        inputMode="url"
        autoComplete="off"
        aria-label={texts.linkUrl}
        placeholder="https://"
        value={typed}
        aria-invalid={validationError !== '' || undefined}
        aria-describedby={validationError ? id : undefined}
        onChange={(event) => setTyped(event.target.value)}
      />
      <Button onClick={applyLink}>{texts.saveLink}</Button>
      {initialUrl && <Button onClick={removeLink}>{texts.removeLink}</Button>}
      <Button onClick={onClose}>{texts.cancel}</Button>
      {validationError && (
        <p id={id} role="alert" className={css.error}>
          {validationError}
        </p>
      )}
    </div>
  )
}
