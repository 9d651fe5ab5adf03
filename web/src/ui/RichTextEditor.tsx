import { useLayoutEffect, useRef, useState } from 'react'
import Squire from 'squire-rte'
import { cleanFragment } from './cleanPastedHtml.ts'
import css from './RichText.module.css'
import { LinkForm } from './RichTextLink.tsx'
import { type Marks, marksOf, NO_MARKS, RichTextTools } from './RichTextTools.tsx'
import { trimTrailingBlanks } from './richText.ts'
import { useLatest } from './useLatest.ts'
import wordsCss from './Words.module.css'

export type EditorProps = {
  labelledBy: string
  describedBy: string | undefined
  isInvalid: boolean
  minRows: number
  placeholder: string | undefined
  value: string
  onChange: (html: string) => void
  onFiles?: ((files: File[]) => void) | undefined
  insertion?: Insertion | undefined
  autoFocus: boolean | undefined
}

/** Content that is chosen elsewhere and inserted at the caret: with its button, Ctrl + / and, on an empty line, /. */
export type Insertion = {
  label: string
  /** Calls `answer` with HTML, or with undefined if nothing was chosen; the focus returns to the text either way. */
  open: (answer: (html: string | undefined) => void) => void
}

/** Shortcuts for formats without a button, and one that belongs to the browser. */
const DISABLED_SHORTCUTS = ['Shift-5', 'Shift-6', 'd', 'Shift-7']

export function RichTextEditor(props: EditorProps) {
  const { labelledBy, describedBy, isInvalid, minRows, placeholder, value } = props
  const root = useRef<HTMLDivElement>(null)
  const [isLinking, setLinking] = useState(false)
  const { squire, marks, isBlank } = useSquire(root, props, () => setLinking(true))
  const { insertion } = props
  return (
    <>
      <RichTextTools
        squire={squire}
        marks={marks}
        onLink={() => setLinking((is) => !is)}
        isLinking={isLinking}
        insertion={insertion && { label: insertion.label, onPress: () => squire && insertFrom(insertion, squire) }}
      />
      {isLinking && squire && (
        <LinkForm
          squire={squire}
          onClose={() => {
            setLinking(false)
            squire.focus()
          }}
        />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: there is no native element for rich text */}
      <div
        ref={root}
        role="textbox"
        tabIndex={0}
        aria-multiline
        aria-labelledby={labelledBy}
        aria-describedby={describedBy}
        aria-invalid={isInvalid || undefined}
        aria-placeholder={placeholder}
        data-placeholder={isBlank && value === '' ? placeholder : undefined}
        className={`${css.words} ${wordsCss.words}`}
        style={{ '--rows': minRows } as React.CSSProperties}
      />
    </>
  )
}

/**
 * The editor in a container, while the container exists. It starts in the same task in which it replaces the plain
 * field (hence layout effects): what is typed in between would go to no field.
 */
function useSquire(root: React.RefObject<HTMLDivElement | null>, props: EditorProps, openLinkForm: () => void) {
  const [squire, setSquire] = useState<Squire>()
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const [isBlank, setBlank] = useState(true)
  const nowRef = useLatest({ ...props, openLinkForm })
  const lastValue = useRef<string>(undefined)

  useLayoutEffect(() => {
    const container = root.current
    if (!container) return
    const editor = new Squire(container, {
      blockTag: 'P',
      sanitizeToDOMFragment: cleanFragment,
      didError: console.error,
    })
    const updateMarks = () => setMarks((previous) => ({ ...previous, ...marksOf(editor) }))
    const handleChange = () => {
      setBlank(container.children.length < 2 && container.matches(':not(:has(li, blockquote, pre))'))
      updateMarks()
      keepCaretInView(editor, container)
      const html = trimTrailingBlanks(editor.getHTML())
      if (html === lastValue.current) return
      lastValue.current = html
      nowRef.current.onChange(html)
    }
    editor.addEventListener('input', handleChange)
    for (const event of ['pathChange', 'select', 'cursor']) editor.addEventListener(event, updateMarks)
    editor.addEventListener('undoStateChange', (event) => {
      const { canUndo, canRedo } = (event as CustomEvent<{ canUndo: boolean; canRedo: boolean }>).detail
      setMarks((previous) => ({ ...previous, canUndo, canRedo }))
    })
    const handlePaste = (event: ClipboardEvent) => pasteFiles(event, nowRef.current.onFiles)
    container.addEventListener('paste', handlePaste, true)
    setKeys(editor, container, () => nowRef.current.openLinkForm())
    setInsertionKeys(editor, container, () => nowRef.current.insertion)
    setSquire(editor)
    if (nowRef.current.autoFocus) editor.focus()
    return () => {
      container.removeEventListener('paste', handlePaste, true)
      editor.destroy()
      // A new editor in this container starts with the given value.
      lastValue.current = undefined
    }
  }, [root, nowRef])

  useLayoutEffect(() => {
    if (!squire || props.value === lastValue.current) return
    lastValue.current = props.value
    squire.setHTML(props.value)
    squire.moveCursorToEnd()
    setBlank(props.value === '')
    setMarks({ ...NO_MARKS, ...marksOf(squire) })
  }, [squire, props.value])
  return { squire, marks, isBlank }
}

function setKeys(editor: Squire, container: HTMLElement, openLinkForm: () => void) {
  // Tab moves to the next field, as everywhere.
  editor.setKeyHandler('Tab', null).setKeyHandler('Shift-Tab', null)
  const runAndStop = (action: () => void) => (_: Squire, event: KeyboardEvent) => {
    event.preventDefault()
    action()
  }
  for (const control of ['Ctrl-', 'Meta-']) {
    for (const key of DISABLED_SHORTCUTS) editor.setKeyHandler(control + key, null)
    // Without a handler, the browser itself would underline.
    editor.setKeyHandler(
      `${control}u`,
      runAndStop(() => undefined),
    )
    editor.setKeyHandler(`${control}k`, runAndStop(openLinkForm))
    editor.setKeyHandler(
      `${control}Enter`,
      runAndStop(() => container.closest('form')?.requestSubmit()),
    )
  }
}

/** Inserts the chosen content; `fallbackHtml` if nothing was chosen. */
function insertFrom(insertion: Insertion, editor: Squire, fallbackHtml = '') {
  insertion.open((html) => {
    editor.focus()
    if (html !== undefined) editor.insertHTML(html)
    else if (fallbackHtml) editor.insertPlainText(fallbackHtml, false)
  })
}

/** On a line with text, / is an ordinary character. */
function setInsertionKeys(editor: Squire, container: HTMLElement, current: () => Insertion | undefined) {
  container.addEventListener('keydown', (event) => {
    const insertion = current()
    if (event.key !== '/' || event.altKey || event.isComposing || !insertion) return
    const isShortcut = event.ctrlKey || event.metaKey
    if (!isShortcut && !isOnEmptyLine(editor, container)) return
    event.preventDefault()
    event.stopPropagation()
    insertFrom(insertion, editor, isShortcut ? '' : '/')
  })
}

function isOnEmptyLine(editor: Squire, container: HTMLElement): boolean {
  const { collapsed, startContainer } = editor.getSelection()
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
  const lineElement = element?.closest('p, li, blockquote, pre') ?? container
  return collapsed && container.contains(lineElement) && (lineElement.textContent ?? '').trim() === ''
}

/** Files in the clipboard that come without text: a screenshot, or files copied from a folder. */
function pasteFiles(event: ClipboardEvent, onFiles: EditorProps['onFiles']) {
  const { files, types } = event.clipboardData ?? {}
  if (!files?.length || types?.includes('text/plain') || types?.includes('text/rtf')) return
  event.preventDefault()
  event.stopPropagation()
  onFiles?.([...files])
}

const MARGIN_PX = 8

/** The browser does not scroll to a line that the editor itself created. */
function keepCaretInView(editor: Squire, container: HTMLElement) {
  if (!container.contains(document.activeElement)) return
  const caret = editor.getCursorPosition()
  if (caret.height === 0) return
  const containerRect = container.getBoundingClientRect()
  if (caret.bottom > containerRect.bottom) container.scrollTop += caret.bottom - containerRect.bottom + MARGIN_PX
  const { scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const overflow =
    Math.min(caret.bottom, containerRect.bottom) - (innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0))
  if (overflow > 0) scrollBy(0, overflow + MARGIN_PX)
}
