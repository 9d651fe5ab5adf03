import { useEffect, useRef, useState } from 'react'
import Squire from 'squire-rte'
import { cleanFragment } from './cleanPastedHtml.ts'
import css from './RichText.module.css'
import { LinkForm } from './RichTextLink.tsx'
import { type Marks, marksOf, NO_MARKS, RichTextTools } from './RichTextTools.tsx'
import { trimTrailingBlanks } from './richText.ts'
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

/** Something that is chosen elsewhere and put in where the caret is: by its button, Ctrl + / and, on an empty line, /. */
export type Insertion = {
  label: string
  /** Answered with HTML, or with nothing where nothing was chosen; the focus goes back to the words either way. */
  open: (answer: (html: string | undefined) => void) => void
}

/** Formats that the server takes out again, and a key that is the browser's own. */
const DISABLED_SHORTCUTS = ['Shift-5', 'Shift-6', 'd', 'u', 'Shift-7']

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
      {/* biome-ignore lint/a11y/useSemanticElements: a text with formatting has no element of its own */}
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

/** The editor in a box, for as long as the box is there. */
function useSquire(root: React.RefObject<HTMLDivElement | null>, props: EditorProps, openLinkForm: () => void) {
  const [squire, setSquire] = useState<Squire>()
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const [isBlank, setBlank] = useState(true)
  const now = useRef({ ...props, openLinkForm })
  now.current = { ...props, openLinkForm }
  const lastValue = useRef<string>(undefined)

  useEffect(() => {
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
      now.current.onChange(html)
    }
    editor.addEventListener('input', handleChange)
    for (const event of ['pathChange', 'select', 'cursor']) editor.addEventListener(event, updateMarks)
    editor.addEventListener('undoStateChange', (event) => {
      const { canUndo, canRedo } = (event as CustomEvent<{ canUndo: boolean; canRedo: boolean }>).detail
      setMarks((previous) => ({ ...previous, canUndo, canRedo }))
    })
    const handlePaste = (event: ClipboardEvent) => pasteFiles(event, now.current.onFiles)
    container.addEventListener('paste', handlePaste, true)
    setKeys(editor, container, () => now.current.openLinkForm())
    setInsertionKeys(editor, container, () => now.current.insertion)
    setSquire(editor)
    if (now.current.autoFocus) editor.focus()
    return () => {
      container.removeEventListener('paste', handlePaste, true)
      editor.destroy()
      // Another one in this box begins with what is meant to be in it.
      lastValue.current = undefined
    }
  }, [root])

  useEffect(() => {
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
  // Tab goes on to the next field, as everywhere.
  editor.setKeyHandler('Tab', null).setKeyHandler('Shift-Tab', null)
  const runAndStop = (action: () => void) => (_: Squire, event: KeyboardEvent) => {
    event.preventDefault()
    action()
  }
  for (const control of ['Ctrl-', 'Meta-']) {
    for (const key of DISABLED_SHORTCUTS) editor.setKeyHandler(control + key, null)
    editor.setKeyHandler(`${control}k`, runAndStop(openLinkForm))
    editor.setKeyHandler(
      `${control}Enter`,
      runAndStop(() => container.closest('form')?.requestSubmit()),
    )
  }
}

/** Puts in what is chosen; `otherwise` is typed where nothing is. */
function insertFrom(insertion: Insertion, editor: Squire, fallbackHtml = '') {
  insertion.open((html) => {
    editor.focus()
    if (html !== undefined) editor.insertHTML(html)
    else if (fallbackHtml) editor.insertPlainText(fallbackHtml, false)
  })
}

/** A / on a line with words is a / like any. */
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

/** Files in the clipboard that come without words: a picture of the screen, or what was copied from a folder. */
function pasteFiles(event: ClipboardEvent, onFiles: EditorProps['onFiles']) {
  const { files, types } = event.clipboardData ?? {}
  if (!files?.length || types?.includes('text/plain') || types?.includes('text/rtf')) return
  event.preventDefault()
  event.stopPropagation()
  onFiles?.([...files])
}

const MARGIN_PX = 8

/** A line that the editor itself made is not scrolled to by the browser. */
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
