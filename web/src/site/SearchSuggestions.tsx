// biome-ignore-all lint/a11y/useFocusableInteractive: the focus stays in the search box, which names the active option
// biome-ignore-all lint/a11y/useSemanticElements: no element has the parts of a list box of more than text
// biome-ignore-all lint/a11y/useKeyWithClickEvents: the search box hears the keys
import { type KeyboardEvent, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { formatKey } from '../catalogue/mixing.ts'
import { format, rich } from '../format/message.ts'
import { usePreferences } from '../platform/preferences.ts'
import css from './SearchSuggestions.module.css'
import { type SuggestionGroup, useSuggestionGroups } from './suggestionGroups.tsx'
import * as texts from './texts.ts'

/** The ids of the elements below the box; undefined when there is nothing to choose or read. */
export type SuggestionsState = { listId: string | undefined; optionId: string | undefined; helpId: string | undefined }

export type SuggestionsProps = {
  text: string
  caret: number
  /** Set to a function that handles the keys of the box; a key it handles is prevented. */
  answerKey: RefObject<((event: KeyboardEvent) => void) | undefined>
  onShow: (visible: SuggestionsState | undefined) => void
  onComplete: (text: string, caret: number) => void
  onSearch: (term: string) => void
  onClose: () => void
}

const LIST_ID = 'q-list'
const HELP_ID = 'q-help'
const idOf = (at: number) => `q-option-${at}`

/** The list below the search box. The focus stays in the box. */
export function SearchSuggestions(props: SuggestionsProps) {
  const { text, answerKey: onKeyRef, onShow, onClose } = props
  const groups = useSuggestionGroups(props)
  const options = groups.flatMap((group) => group.options)
  const [active, setActive] = useActiveOption(text)
  const container = useRef<HTMLDivElement>(null)
  const isEmpty = text.trim() === ''
  const optionId = active >= 0 && active < options.length ? idOf(active) : undefined
  const listId = options.length > 0 ? LIST_ID : undefined
  useEffect(() => {
    onShow({ listId, optionId, helpId: isEmpty ? HELP_ID : undefined })
    return () => onShow(undefined)
  }, [listId, optionId, isEmpty, onShow])
  useEffect(() => {
    if (optionId) container.current?.querySelector(`#${optionId}`)?.scrollIntoView({ block: 'nearest' })
  }, [optionId])

  const pressed = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    const option = options[active]
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step && options.length > 0) setActive(nextIndex(active, step, options.length))
    else if (event.key === 'Enter' && option) option.choose()
    else if (event.key === 'Delete' && option?.remove) option.remove()
    else if (event.key === 'Escape' && option) onClose()
    else return
    event.preventDefault()
  }
  useLayoutEffect(() => {
    onKeyRef.current = pressed
    return () => {
      onKeyRef.current = undefined
    }
  })
  if (!listId && !isEmpty) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a click here must not take the focus from the box
    <div ref={container} className={css.panel} onMouseDown={(event) => event.preventDefault()}>
      {listId && (
        <div id={LIST_ID} role="listbox" aria-label={texts.suggestions} className={css.list}>
          {groups.map((group, at) => (
            <Group
              key={group.title}
              group={group}
              from={groups.slice(0, at).reduce((sum, { options }) => sum + options.length, 0)}
              active={active}
              onHover={setActive}
            />
          ))}
        </div>
      )}
      {isEmpty && <Help />}
      <p role="status" className="sr">
        {format(texts.suggestionCount, { count: options.length })}
      </p>
    </div>
  )
}

/** The index of the active option, -1 for none; typing resets it. */
function useActiveOption(text: string) {
  const [active, setActive] = useState({ at: -1, text })
  const at = active.text === text ? active.at : -1
  return [at, (next: number) => setActive({ at: next, text })] as const
}

/** Wraps around, with a stop in the box itself. */
const nextIndex = (at: number, step: number, count: number) => ((at + 1 + step + count + 1) % (count + 1)) - 1

type GroupProps = { group: SuggestionGroup; from: number; active: number; onHover: (at: number) => void }

const Group = ({ group, from, active, onHover }: GroupProps) => (
  <div role="group" aria-label={group.title} className={css.group}>
    <div aria-hidden className={css.title}>
      {group.title}
    </div>
    {group.options.map(({ key, choose, remove, content }, i) => (
      <div
        key={key}
        id={idOf(from + i)}
        role="option"
        aria-selected={from + i === active}
        className={css.option}
        onClick={choose}
        onPointerMove={() => from + i !== active && onHover(from + i)}
      >
        {content}
        {remove && <Remove onRemove={remove} />}
      </div>
    ))}
  </div>
)

/** For the pointer; the keyboard shortcut is Delete. */
const Remove = ({ onRemove }: { onRemove: () => void }) => (
  <>
    <span className="sr"> {texts.pressDeleteToRemove}</span>
    <span
      aria-hidden
      className={css.remove}
      title={texts.removeFromRecentSearchesDelete}
      onClick={(event) => {
        event.stopPropagation()
        onRemove()
      }}
    >
      ×
    </span>
  </>
)

function Help() {
  const notation = usePreferences((preferences) => preferences.notation)
  const key = formatKey('Am', notation)
  return (
    <div id={HELP_ID} className={css.help}>
      <p>
        {rich(texts.filterAsYouTypeBpm, {
          code: (inside) => <code>{inside}</code>,
          key,
          code2: (inside) => <code>{inside}</code>,
          code3: (inside) => <code>{inside}</code>,
          code4: (inside) => <code>{inside}</code>,
        })}
      </p>
      <p>
        {rich(texts.keyFindsCompatibleKeysTwo, {
          key,
          code: (inside) => <code>{inside}</code>,
          code2: (inside) => <code>{inside}</code>,
        })}
      </p>
    </div>
  )
}
