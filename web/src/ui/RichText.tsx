import { type ComponentType, type DragEvent, useEffect, useId, useRef, useState } from 'react'
import css from './RichText.module.css'
import type { EditorProps, Insertion } from './RichTextEditor.tsx'
import { htmlOfText, textOfHtml } from './richText.ts'
import { useLatest } from './useLatest.ts'

type Props = {
  label: string
  /** HTML; '' if it has no text. A value that differs from the last `onChange` replaces the content. */
  value: string
  onChange: (html: string) => void
  /** The error message. */
  error?: string | undefined
  /** Shown below the field. */
  hint?: string | undefined
  placeholder?: string | undefined
  /** Called with files that are dropped on the field or pasted into it; without it they are ignored. */
  onFiles?: ((files: File[]) => void) | undefined
  /** Content that can be inserted at the caret. */
  insertion?: Insertion | undefined
  /** The height of the empty field in lines. */
  minRows?: number | undefined
  /** Takes the focus when it is first shown. */
  autoFocus?: boolean | undefined
}

let Loaded: ComponentType<EditorProps> | undefined

const load = async () => {
  Loaded ??= (await import('./RichTextEditor.tsx')).RichTextEditor
}

/** The editor, once its code has loaded. Offline it may never load: a plain field is used then. */
function useEditor() {
  const [Editor, setEditor] = useState(() => Loaded)
  useEffect(() => {
    if (!Loaded)
      void load().then(
        () => setEditor(() => Loaded),
        () => undefined,
      )
  }, [])
  return Editor
}

/**
 * A rich text field with HTML: bold, italic, lists, links, quotes. Ctrl + Enter submits its form. Until the editor's
 * code has loaded it is a plain field, which is not replaced while someone types in it.
 */
export function RichText({
  label,
  value,
  onChange,
  error,
  hint,
  placeholder,
  onFiles,
  insertion,
  minRows = 6,
  autoFocus,
}: Props) {
  const id = useId()
  const container = useRef<HTMLDivElement>(null)
  const [isTyping, setTyping] = useState(false)
  const [isFocused, setFocused] = useState(false)
  const isOver = useFileDrop(container, onFiles)
  const Editor = useEditor()
  const describedByIds = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined
  const shared = {
    labelledBy: `${id}-label`,
    describedBy: describedByIds,
    isInvalid: !!error,
    minRows,
    placeholder,
    value,
    onChange,
  }
  return (
    <div className={css.field}>
      {/* biome-ignore lint/a11y/noStaticElementInteractions: a label; the keyboard focuses the field itself */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above */}
      <span
        id={`${id}-label`}
        className={css.label}
        onClick={() => container.current?.querySelector<HTMLElement>('[aria-multiline], textarea')?.focus()}
      >
        {label}
      </span>
      <div ref={container} className={css.frame} data-wrong={error ? true : undefined} data-over={isOver || undefined}>
        {Editor && !isTyping ? (
          // eslint-disable-next-line react-hooks/static-components -- one component, once its code has loaded
          <Editor {...shared} onFiles={onFiles} insertion={insertion} autoFocus={autoFocus || isFocused} />
        ) : (
          <PlainField {...shared} autoFocus={autoFocus} onTyping={setTyping} onFocusChange={setFocused} />
        )}
      </div>
      {error && (
        <p id={`${id}-error`} className={css.error} role="alert">
          {error}
        </p>
      )}
      {hint && (
        <p id={`${id}-hint`} className={css.hint}>
          {hint}
        </p>
      )}
    </div>
  )
}

type PlainProps = Omit<EditorProps, 'onFiles' | 'insertion'> & {
  /** True from the first character until the focus leaves. */
  onTyping: (isTyping: boolean) => void
  onFocusChange: (isFocused: boolean) => void
}

function PlainField(props: PlainProps) {
  const {
    value,
    onChange,
    onTyping,
    onFocusChange,
    labelledBy,
    describedBy,
    isInvalid,
    minRows,
    placeholder,
    autoFocus,
  } = props
  const [text, setText] = useState(() => textOfHtml(value))
  const lastSentValue = useRef(value)
  useEffect(() => {
    // Sent or restored: the value was not typed here.
    if (value !== lastSentValue.current) setText(textOfHtml(value))
    lastSentValue.current = value
  }, [value])
  const change = (typed: string) => {
    setText(typed)
    onTyping(true)
    lastSentValue.current = htmlOfText(typed)
    onChange(lastSentValue.current)
  }
  return (
    <>
      <div className={css.tools} aria-hidden />
      <textarea
        className={css.plain}
        // biome-ignore lint/a11y/noAutofocus: the field appears on request
        autoFocus={autoFocus}
        rows={minRows}
        value={text}
        placeholder={placeholder}
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        onChange={(event) => change(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
          event.preventDefault()
          event.currentTarget.form?.requestSubmit()
        }}
        onFocus={() => onFocusChange(true)}
        onBlur={() => {
          onTyping(false)
          onFocusChange(false)
        }}
      />
    </>
  )
}

/** Handles files dropped on a container. Runs before the editor, which would insert the text that comes with them. */
function useFileDrop(container: React.RefObject<HTMLDivElement | null>, onFiles: Props['onFiles']) {
  const [isOver, setOver] = useState(false)
  const onFilesRef = useLatest(onFiles)
  useEffect(() => {
    const element = container.current
    if (!element) return
    const hasFiles = ({ dataTransfer }: Pick<DragEvent | globalThis.DragEvent, 'dataTransfer'>) =>
      dataTransfer?.types.includes('Files') ?? false
    const handleDragOver = (event: globalThis.DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      setOver(onFilesRef.current !== undefined)
    }
    const handleDragLeave = (event: globalThis.DragEvent) => {
      if (!element.contains(event.relatedTarget as Node | null)) setOver(false)
    }
    const handleDrop = (event: globalThis.DragEvent) => {
      setOver(false)
      if (!hasFiles(event)) return
      event.preventDefault()
      event.stopPropagation()
      onFilesRef.current?.([...(event.dataTransfer?.files ?? [])])
    }
    element.addEventListener('dragover', handleDragOver, true)
    element.addEventListener('dragleave', handleDragLeave)
    element.addEventListener('drop', handleDrop, true)
    return () => {
      element.removeEventListener('dragover', handleDragOver, true)
      element.removeEventListener('dragleave', handleDragLeave)
      element.removeEventListener('drop', handleDrop, true)
    }
  }, [container, onFilesRef])
  return isOver
}
