import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useParams } from '@tanstack/react-router'
import { type FormEvent, useEffect, useState } from 'react'
import css from './SearchBox.module.css'

export const MIN_SEARCH_LENGTH = 3
export const TOO_SHORT = `Type at least ${MIN_SEARCH_LENGTH} characters to search.`

/** The search of the header: Enter goes to the results, with the filters that are set there kept. */
export function SearchBox() {
  const navigate = useNavigate()
  const { term } = useParams({ strict: false })
  const [words, setWords] = useState(term ?? '')
  const [complaint, setComplaint] = useState('')
  useEffect(() => {
    if (term !== undefined) setWords(term)
  }, [term])
  const submit = (event: FormEvent) => {
    event.preventDefault()
    const wanted = words.trim()
    if (wanted.length < MIN_SEARCH_LENGTH) return setComplaint(TOO_SHORT)
    void navigate({ to: '/search/result/{-$term}', params: { term: wanted } })
  }
  return (
    <search className={css.box}>
      <form className={css.search} onSubmit={submit}>
        <IconSearch size={17} aria-hidden />
        <input
          id="q"
          type="search"
          aria-label="Search songs and artists"
          aria-keyshortcuts="/"
          aria-invalid={!!complaint || undefined}
          aria-describedby={complaint ? 'q-complaint' : undefined}
          placeholder="Search songs and artists"
          autoComplete="off"
          enterKeyHint="search"
          maxLength={200}
          value={words}
          onBlur={() => setComplaint('')}
          onChange={(event) => {
            setWords(event.target.value)
            setComplaint('')
          }}
          onKeyDown={(event) => event.key === 'Escape' && event.currentTarget.blur()}
        />
        <kbd aria-hidden>/</kbd>
      </form>
      {complaint && (
        <p id="q-complaint" role="alert" className={css.complaint}>
          {complaint}
        </p>
      )}
    </search>
  )
}
