import { PLACEHOLDERS, type Placeholder } from '@dubplate/contract/schemas/file-paths'
import { Stack, TextInput } from '@mantine/core'
import { type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { format } from '../format/message.ts'
import css from './Booth.module.css'
import type { ProfileFormState } from './ProfileForm.tsx'
import { PLACEHOLDER_NAMES } from './profileNames.ts'
import * as texts from './texts.ts'

type Props = {
  form: ProfileFormState
  name: 'folder_template' | 'file_template' | 'comment_template'
  label: string
  hint: string
  placeholder?: string
}

/** A template, with buttons that insert the values of a song at the cursor. */
export function TemplateField({ form, name, label, hint, placeholder }: Props) {
  const input = useRef<HTMLInputElement>(null)
  const wasFocused = useRef(false)
  const caret = useRef<number>(undefined)
  // The browser moves the cursor to the end of a value that a script has changed.
  useLayoutEffect(() => {
    if (caret.current !== undefined) input.current?.setSelectionRange(caret.current, caret.current)
    caret.current = undefined
  })
  const insert = (inserted: Placeholder) => {
    const value = form.getValues()[name]
    const { selectionStart, selectionEnd } = input.current!
    // A field that never had the focus has no cursor yet.
    const [start, end] = wasFocused.current ? [selectionStart!, selectionEnd!] : [value.length, value.length]
    caret.current = start + inserted.length + 2
    form.setValues({ [name]: `${value.slice(0, start)}{${inserted}}${value.slice(end)}` })
  }
  return (
    <Stack gap="sm">
      <TextInput
        ref={input}
        className={css.code}
        label={label}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        placeholder={placeholder}
        // The form’s own handler is `onFocus`.
        onFocusCapture={() => {
          wasFocused.current = true
        }}
        {...form.field(name, hint)}
      />
      <PlaceholderButtons label={format(texts.insertInto, { label })} onInsert={insert} />
    </Stack>
  )
}

/** One stop of the Tab key; the arrow keys move between the buttons. */
function PlaceholderButtons({ label, onInsert }: { label: string; onInsert: (placeholder: Placeholder) => void }) {
  const [current, setCurrent] = useState(0)
  const moveFocus = (event: KeyboardEvent<HTMLElement>) => {
    const next = { ArrowRight: current + 1, ArrowLeft: current - 1, Home: 0, End: -1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const buttons = [...event.currentTarget.querySelectorAll('button')]
    buttons.at(next % buttons.length)?.focus()
  }
  return (
    <div role="toolbar" aria-label={label} className={css.placeholders} onKeyDown={moveFocus}>
      {PLACEHOLDERS.map((placeholder, index) => (
        <button
          key={placeholder}
          type="button"
          title={`{${placeholder}}`}
          tabIndex={index === current ? 0 : -1}
          onFocus={() => setCurrent(index)}
          // The focus, and with it the cursor, stays in the field.
          onMouseDown={(event) => event.preventDefault()}
          onClick={() => onInsert(placeholder)}
        >
          {PLACEHOLDER_NAMES[placeholder]}
        </button>
      ))}
    </div>
  )
}
