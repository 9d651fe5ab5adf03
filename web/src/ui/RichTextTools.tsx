import {
  IconArrowBackUp,
  IconArrowForwardUp,
  IconBlockquote,
  IconBold,
  IconItalic,
  IconLink,
  IconList,
  IconListNumbers,
  IconMessages,
} from '@tabler/icons-react'
import { type KeyboardEvent, useState } from 'react'
import type Squire from 'squire-rte'
import { IconButton } from './IconButton.tsx'
import css from './RichText.module.css'
import * as texts from './texts.ts'

/** The formats that can apply at the caret. */
const FORMATS = ['bold', 'italic', 'list', 'numbers', 'quote', 'link'] as const
type Format = (typeof FORMATS)[number]
export type Marks = Record<Format, boolean> & { canUndo: boolean; canRedo: boolean }

export const NO_MARKS: Marks = {
  bold: false,
  italic: false,
  list: false,
  numbers: false,
  quote: false,
  link: false,
  canUndo: false,
  canRedo: false,
}

export function marksOf(squire: Squire): Record<Format, boolean> {
  const { commonAncestorContainer: node } = squire.getSelection()
  const element = node instanceof Element ? node : node.parentElement
  const isInTag = (tag: string) => {
    const around = element?.closest(tag)
    return !!around && squire.getRoot().contains(around) && around !== squire.getRoot()
  }
  const list = element?.closest('ul, ol')
  return {
    bold: squire.hasFormat('B'),
    italic: squire.hasFormat('I'),
    list: isInTag('ul') && list?.localName === 'ul',
    numbers: isInTag('ol') && list?.localName === 'ol',
    quote: isInTag('blockquote'),
    link: squire.hasFormat('A'),
  }
}

type Tool = {
  format: Format
  label: string
  shortcut: string
  icon: typeof IconBold
  onPress: (squire: Squire, isActive: boolean) => void
}

const TOOLS: Tool[] = [
  {
    format: 'bold',
    label: texts.bold,
    shortcut: texts.ctrlB,
    icon: IconBold,
    onPress: (squireEditor, isActive) => (isActive ? squireEditor.removeBold() : squireEditor.bold()),
  },
  {
    format: 'italic',
    label: texts.italic,
    shortcut: texts.ctrlI,
    icon: IconItalic,
    onPress: (squireEditor, isActive) => (isActive ? squireEditor.removeItalic() : squireEditor.italic()),
  },
  {
    format: 'list',
    label: texts.bulletedList,
    shortcut: texts.bulletListShortcut,
    icon: IconList,
    onPress: (squireEditor, isActive) => (isActive ? squireEditor.removeList() : squireEditor.makeUnorderedList()),
  },
  {
    format: 'numbers',
    label: texts.numberedList,
    shortcut: texts.numberedListShortcut,
    icon: IconListNumbers,
    onPress: (squireEditor, isActive) => (isActive ? squireEditor.removeList() : squireEditor.makeOrderedList()),
  },
  {
    format: 'quote',
    label: texts.quote,
    shortcut: texts.quoteShortcut,
    icon: IconBlockquote,
    onPress: (squireEditor, isActive) =>
      isActive ? squireEditor.decreaseQuoteLevel() : squireEditor.increaseQuoteLevel(),
  },
]

type Props = {
  squire: Squire | undefined
  marks: Marks
  isLinking: boolean
  onLink: () => void
  /** Content that can be inserted, in addition to links. */
  insertion?: { label: string; onPress: () => void } | undefined
}

/** The toolbar above the text. Tab reaches one button, the arrow keys move to the others. */
export function RichTextTools({ squire, marks, isLinking, onLink, insertion }: Props) {
  const [at, setAt] = useState(0)
  const tab = (index: number) => ({ tabIndex: index === at ? 0 : -1, onFocus: () => setAt(index) })
  const onPress = (action: (squire: Squire) => void) => () => {
    if (!squire) return
    action(squire)
    squire.focus()
  }
  const link = TOOLS.length
  const undo = link + (insertion ? 2 : 1)
  return (
    <div
      role="toolbar"
      aria-label={texts.formatting}
      className={css.tools}
      onKeyDown={handleArrowKeys}
      // Keeps the caret and the selection in the text.
      onMouseDown={(event) => event.preventDefault()}
    >
      {TOOLS.map(({ format, label, shortcut, icon: Icon, onPress: action }, index) => (
        <IconButton
          key={format}
          label={label}
          shortcut={shortcut}
          aria-pressed={marks[format]}
          className={css.tool}
          {...tab(index)}
          onClick={onPress((squireEditor) => action(squireEditor, marks[format]))}
        >
          <Icon size={18} />
        </IconButton>
      ))}
      <IconButton
        label={texts.link}
        shortcut={texts.linkShortcut}
        aria-pressed={marks.link}
        aria-expanded={isLinking}
        className={css.tool}
        {...tab(link)}
        onClick={onLink}
      >
        <IconLink size={18} />
      </IconButton>
      {insertion && (
        <IconButton
          label={insertion.label}
          shortcut={texts.insertShortcut}
          aria-haspopup="dialog"
          className={css.tool}
          {...tab(link + 1)}
          onClick={insertion.onPress}
        >
          <IconMessages size={18} />
        </IconButton>
      )}
      <i className={css.gap} />
      <IconButton
        label={texts.undo}
        shortcut={texts.undoShortcut}
        className={css.tool}
        aria-disabled={!marks.canUndo}
        {...tab(undo)}
        onClick={onPress((squireEditor) => squireEditor.undo())}
      >
        <IconArrowBackUp size={18} />
      </IconButton>
      <IconButton
        label={texts.redo}
        shortcut={texts.redoShortcut}
        className={css.tool}
        aria-disabled={!marks.canRedo}
        {...tab(undo + 1)}
        onClick={onPress((squireEditor) => squireEditor.redo())}
      >
        <IconArrowForwardUp size={18} />
      </IconButton>
    </div>
  )
}

const STEPS: Record<string, number> = { ArrowRight: 1, ArrowLeft: -1 }

function handleArrowKeys(event: KeyboardEvent<HTMLElement>) {
  const buttons = [...event.currentTarget.querySelectorAll('button')]
  const at = buttons.indexOf(document.activeElement as HTMLButtonElement)
  const step = STEPS[event.key]
  const to = step ? (at + step + buttons.length) % buttons.length : { Home: 0, End: buttons.length - 1 }[event.key]
  if (to === undefined) return
  event.preventDefault()
  buttons[to]?.focus()
}
