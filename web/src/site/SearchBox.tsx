import { IconSearch } from '@tabler/icons-react'
import { useMatch, useNavigate } from '@tanstack/react-router'
import {
  type ComponentType,
  type FormEvent,
  type KeyboardEvent,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import { MIN_SEARCH_LENGTH, TOO_SHORT } from '../catalogue/searchAddress.ts'
import { sameSection } from '../catalogue/useSection.ts'
import { rememberSearch } from './recentSearches.ts'
import css from './SearchBox.module.css'
import type { Shown, SuggestionsProps } from './SearchSuggestions.tsx'
import * as texts from './texts.ts'

const useResults = () => useMatch({ from: '/search/result/{-$term}', shouldThrow: false })

/** Goes to the results. The filters that are set there are kept while one stays there. */
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

/** What is typed and where the caret stands; both change together when a suggestion completes a piece. */
function useTyping() {
  const results = useResults()
  const term = results && (results.params.term ?? '')
  const input = useRef<HTMLInputElement>(null)
  const [typed, setTyped] = useState({ text: term ?? '', caret: 0 })
  const wantedCaret = useRef<number>(undefined)
  useEffect(() => {
    if (term !== undefined) setTyped({ text: term, caret: term.length })
  }, [term])
  useLayoutEffect(() => {
    if (wantedCaret.current === undefined) return
    input.current?.setSelectionRange(wantedCaret.current, wantedCaret.current)
    wantedCaret.current = undefined
  })
  const read = ({ value, selectionStart }: HTMLInputElement) =>
    setTyped({ text: value, caret: selectionStart ?? value.length })
  const write = (text: string, caret: number) => {
    wantedCaret.current = caret
    setTyped({ text, caret })
  }
  return { input, typed, read, write }
}

/** The suggestions, fetched when the box is first used. Without them (offline) the box still searches. */
function useSuggestions() {
  const [Suggestions, setSuggestions] = useState<ComponentType<SuggestionsProps>>()
  const fetchThem = () =>
    void import('./SearchSuggestions.tsx').then(
      (code) => setSuggestions(() => code.SearchSuggestions),
      () => undefined,
    )
  return [Suggestions, fetchThem] as const
}

/** A phone's keyboard covers half of what was found. */
const isTouched = () => matchMedia('(pointer: coarse)').matches

/** The search of the header: Enter goes to the results, suggestions on the way there. */
export function SearchBox() {
  const searchFor = useSearchFor()
  const { input, typed, read, write } = useTyping()
  const [Suggestions, fetchSuggestions] = useSuggestions()
  const [isOpen, setOpen] = useState(false)
  const [shown, setShown] = useState<Shown>()
  const [complaint, setComplaint] = useState('')
  const answerKey = useRef<(event: KeyboardEvent) => void>(undefined)
  const close = () => setOpen(false)
  const search = (text: string) => {
    const wanted = text.trim()
    close()
    if (wanted.length < MIN_SEARCH_LENGTH) return setComplaint(TOO_SHORT)
    if (isTouched()) input.current?.blur()
    searchFor(wanted)
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    search(typed.text)
  }
  const open = () => {
    fetchSuggestions()
    setOpen(true)
  }
  const pressed = (event: KeyboardEvent<HTMLInputElement>) => {
    answerKey.current?.(event)
    if (event.defaultPrevented || event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown' && !isOpen) open()
    if (event.key !== 'Escape') return
    // The browser would empty the box; what was typed stays.
    event.preventDefault()
    event.currentTarget.blur()
  }
  const list = isOpen ? shown : undefined
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
          aria-invalid={!!complaint || undefined}
          aria-describedby={complaint ? 'q-complaint' : list?.helpId}
          placeholder={texts.searchSongsArtistsGenres}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="search"
          maxLength={200}
          value={typed.text}
          onFocus={open}
          onClick={open}
          onBlur={() => {
            setComplaint('')
            close()
          }}
          onChange={(event) => {
            read(event.target)
            setComplaint('')
            setOpen(true)
          }}
          onSelect={(event) => read(event.currentTarget)}
          onKeyDown={pressed}
        />
        <kbd aria-hidden>/</kbd>
      </form>
      {complaint && (
        <p id="q-complaint" role="alert" className={css.complaint}>
          {complaint}
        </p>
      )}
      {isOpen && Suggestions && (
        <Suggestions
          {...typed}
          answerKey={answerKey}
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
