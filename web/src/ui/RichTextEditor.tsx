import { useEffect, useRef, useState } from 'react'
import Squire from 'squire-rte'
import { cleanFragment } from './pasted.ts'
import css from './RichText.module.css'
import { LinkForm } from './RichTextLink.tsx'
import { type Marks, marksOf, NO_MARKS, RichTextTools } from './RichTextTools.tsx'
import { withoutEnd } from './richText.ts'
import wordsCss from './Words.module.css'

export type EditorProps = {
  labelledBy: string
  describedBy: string | undefined
  isWrong: boolean
  minRows: number
  placeholder: string | undefined
  value: string
  onChange: (html: string) => void
  onFiles?: ((files: File[]) => void) | undefined
  insertion?: Insertion | undefined
  takesFocus: boolean | undefined
}

/** Something that is chosen elsewhere and put in where the caret is: by its button, Ctrl + / and, on an empty line, /. */
export type Insertion = {
  label: string
  /** Answered with HTML, or with nothing where nothing was chosen; the focus goes back to the words either way. */
  ask: (answer: (html: string | undefined) => void) => void
}

/** Formats that the server takes out again, and a key that is the browser's own. */
const OTHER_FORMATS = ['Shift-5', 'Shift-6', 'd', 'u', 'Shift-7']

export function RichTextEditor(props: EditorProps) {
  const { labelledBy, describedBy, isWrong, minRows, placeholder, value } = props
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
        insertion={insertion && { label: insertion.label, press: () => squire && askFor(insertion, squire) }}
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
        aria-invalid={isWrong || undefined}
        aria-placeholder={placeholder}
        data-placeholder={isBlank && value === '' ? placeholder : undefined}
        className={`${css.words} ${wordsCss.words}`}
        style={{ '--rows': minRows } as React.CSSProperties}
      />
    </>
  )
}

/** The editor in a box, for as long as the box is there. */
function useSquire(root: React.RefObject<HTMLDivElement | null>, props: EditorProps, askForLink: () => void) {
  const [squire, setSquire] = useState<Squire>()
  const [marks, setMarks] = useState<Marks>(NO_MARKS)
  const [isBlank, setBlank] = useState(true)
  const now = useRef({ ...props, askForLink })
  now.current = { ...props, askForLink }
  const told = useRef<string>(undefined)

  useEffect(() => {
    const box = root.current
    if (!box) return
    const editor = new Squire(box, { blockTag: 'P', sanitizeToDOMFragment: cleanFragment, didError: console.error })
    const look = () => setMarks((was) => ({ ...was, ...marksOf(editor) }))
    const changed = () => {
      setBlank(box.children.length < 2 && box.matches(':not(:has(li, blockquote, pre))'))
      look()
      keepCaretInView(editor, box)
      const html = withoutEnd(editor.getHTML())
      if (html === told.current) return
      told.current = html
      now.current.onChange(html)
    }
    editor.addEventListener('input', changed)
    for (const event of ['pathChange', 'select', 'cursor']) editor.addEventListener(event, look)
    editor.addEventListener('undoStateChange', (event) => {
      const { canUndo, canRedo } = (event as CustomEvent<{ canUndo: boolean; canRedo: boolean }>).detail
      setMarks((was) => ({ ...was, canUndo, canRedo }))
    })
    const paste = (event: ClipboardEvent) => pasteFiles(event, now.current.onFiles)
    box.addEventListener('paste', paste, true)
    setKeys(editor, box, () => now.current.askForLink())
    setInsertionKeys(editor, box, () => now.current.insertion)
    setSquire(editor)
    if (now.current.takesFocus) editor.focus()
    return () => {
      box.removeEventListener('paste', paste, true)
      editor.destroy()
      // Another one in this box begins with what is meant to be in it.
      told.current = undefined
    }
  }, [root])

  useEffect(() => {
    if (!squire || props.value === told.current) return
    told.current = props.value
    squire.setHTML(props.value)
    squire.moveCursorToEnd()
    setBlank(props.value === '')
    setMarks({ ...NO_MARKS, ...marksOf(squire) })
  }, [squire, props.value])
  return { squire, marks, isBlank }
}

function setKeys(editor: Squire, box: HTMLElement, askForLink: () => void) {
  // Tab goes on to the next field, as everywhere.
  editor.setKeyHandler('Tab', null).setKeyHandler('Shift-Tab', null)
  const act = (does: () => void) => (_: Squire, event: KeyboardEvent) => {
    event.preventDefault()
    does()
  }
  for (const control of ['Ctrl-', 'Meta-']) {
    for (const key of OTHER_FORMATS) editor.setKeyHandler(control + key, null)
    editor.setKeyHandler(`${control}k`, act(askForLink))
    editor.setKeyHandler(
      `${control}Enter`,
      act(() => box.closest('form')?.requestSubmit()),
    )
  }
}

/** Puts in what is chosen; `otherwise` is typed where nothing is. */
function askFor(insertion: Insertion, editor: Squire, otherwise = '') {
  insertion.ask((html) => {
    editor.focus()
    if (html !== undefined) editor.insertHTML(html)
    else if (otherwise) editor.insertPlainText(otherwise, false)
  })
}

/** A / on a line with words is a / like any. */
function setInsertionKeys(editor: Squire, box: HTMLElement, current: () => Insertion | undefined) {
  box.addEventListener('keydown', (event) => {
    const insertion = current()
    if (event.key !== '/' || event.altKey || event.isComposing || !insertion) return
    const isAsked = event.ctrlKey || event.metaKey
    if (!isAsked && !isOnEmptyLine(editor, box)) return
    event.preventDefault()
    event.stopPropagation()
    askFor(insertion, editor, isAsked ? '' : '/')
  })
}

function isOnEmptyLine(editor: Squire, box: HTMLElement): boolean {
  const { collapsed, startContainer } = editor.getSelection()
  const element = startContainer instanceof Element ? startContainer : startContainer.parentElement
  const line = element?.closest('p, li, blockquote, pre') ?? box
  return collapsed && box.contains(line) && (line.textContent ?? '').trim() === ''
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
function keepCaretInView(editor: Squire, box: HTMLElement) {
  if (!box.contains(document.activeElement)) return
  const caret = editor.getCursorPosition()
  if (caret.height === 0) return
  const inside = box.getBoundingClientRect()
  if (caret.bottom > inside.bottom) box.scrollTop += caret.bottom - inside.bottom + MARGIN_PX
  const { scrollPaddingBottom } = getComputedStyle(document.documentElement)
  const beyond = Math.min(caret.bottom, inside.bottom) - (innerHeight - (Number.parseFloat(scrollPaddingBottom) || 0))
  if (beyond > 0) scrollBy(0, beyond + MARGIN_PX)
}
