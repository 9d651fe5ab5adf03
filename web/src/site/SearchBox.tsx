import { IconSearch } from '@tabler/icons-react'
import { useMatch, useNavigate } from '@tanstack/react-router'
import { type FormEvent, type KeyboardEvent, useLayoutEffect, useRef, useState } from 'react'
import { isLongEnough, TOO_SHORT_MESSAGE } from '../catalogue/searchAddress.ts'
import { sameSection } from '../catalogue/useSection.ts'
import { lazyOptional } from '../ui/lazyOnDemand.tsx'
import css from './Header.module.css'
import { rememberSearch } from './recentSearches.ts'
import type { SuggestionsState } from './SearchSuggestions.tsx'
import * as texts from './texts.ts'

const useResults = () => useMatch({ from: '/search/result/{-$term}', shouldThrow: false })

/** Opens the results. Filters set on the results screen are kept while it is open. */
function useSearchFor() {
  const navigate = useNavigate()
  const results = useResults()
  return (term: string) => {
    rememberSearch(term)
    void navigate({
      to: '/search/result/{-$term}',
      params: { term },
      search: results ? { ...results.search, page: undefined, dialog: undefined } : sameSection(),
    })
  }
}

/** The text and the position of the caret; both change together when a suggestion completes a term. */
function useTyping() {
  const results = useResults()
  const term = results && (results.params.term ?? '')
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ term, text: term ?? '', caret: 0 })
  if (term !== typed.term) setTyped({ term, text: term ?? typed.text, caret: term?.length ?? typed.caret })
  const wantedCaret = useRef<number>(undefined)
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = undefined
  })
  const read = ({ value, selectionStart }: HTMLInputElement) =>
    setTyped({ term, text: value, caret: selectionStart ?? value.length })
  const write = (text: string, caret: number) => {
    wantedCaret.current = caret
    setTyped({ term, text, caret })
  }
  return { input, typed, read, write }
}

/** Loaded when the box is first used. Without them (offline) the box still searches. */
const Suggestions = lazyOptional(() =>
  import('./SearchSuggestions.tsx').then(({ SearchSuggestions }) => SearchSuggestions),
)

/** On a phone, the keyboard covers half of the results. */
const isTouchDevice = () => matchMedia('(pointer: coarse)').matches

/** The search box of the header: Enter opens the results, with suggestions while typing. */
export function SearchBox() {
  const searchFor = useSearchFor()
  const { input, typed, read, write } = useTyping()
  const [isOpen, setOpen] = useState(false)
  const [visible, setShown] = useState<SuggestionsState>()
  const [validationError, setValidationError] = useState('')
  const onKeyRef = useRef<(event: KeyboardEvent) => void>(undefined)
  const close = () => setOpen(false)
  const search = (text: string) => {
    const query = text.trim()
    close()
    if (!isLongEnough(query)) return setValidationError(TOO_SHORT_MESSAGE)
    if (isTouchDevice()) input.current?.blur()
    searchFor(query)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(typed.text)
  }
  const open = () => setOpen(true)
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    onKeyRef.current?.(event)
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' && !isOpen) open()
    if (event.key !== 'Escape') return
    // The browser would clear the box; the text is kept.
    event.preventDefault()
    event.currentTarget.blur()
  }
  const list = isOpen ? visible : undefined
  return (
    <search className={css.box}>
      <form className={css.search} onSubmit={submit}>
        <IconSearch size={17} aria-hidden />
        <input
          ref={input}
          id="q"
          type="search"
          role="combobox"
          aria-label={texts.searchSongsArtistsGenres}
          aria-keyshortcuts="/"
          aria-autocomplete="list"
          aria-haspopup="listbox"
          aria-expanded={list?.listId !== undefined}
          aria-controls={list?.listId}
          aria-activedescendant={list?.optionId}
          aria-invalid={!!validationError || undefined}
          aria-describedby={validationError ? 'q-error' : list?.helpId}
          placeholder={texts.searchSongsArtistsGenres}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={typed.text}
          onFocus={open}
          onClick={open}
          onBlur={() => {
            setValidationError('')
            close()
          }}
          onChange={(event) => {
            read(event.target)
            setValidationError('')
            setOpen(true)
          }}
          onSelect={(event) => read(event.currentTarget)}
          onKeyDown={pressed}
        />
        <kbd aria-hidden>/</kbd>
      </form>
      {validationError && (
        <p id="q-error" role="alert" className={css.error}>
          {validationError}
        </p>
      )}
      {isOpen && (
        <Suggestions
          {...typed}
          answerKey={onKeyRef}
          onShow={setShown}
          onComplete={write}
          onSearch={(term) => {
            write(term, term.length)
            search(term)
          }}
          onClose={close}
        />
      )}
    </search>
  )
}
