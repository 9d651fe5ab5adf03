import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import css from './SearchField.module.css'

const SEARCH_DEBOUNCE_MS = 250

type Props = { label: string; value: string; onSearch: (text: string | undefined) => void }

/** Searches a moment after the last key press. A search that is changed elsewhere, as by Back, replaces the text. */
export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const [seen, setSeen] = useState(value)
  /** The searches of this field that have not become its value yet: more may be typed until then. */
  const [sent, setSent] = useState<readonly string[]>([])
  if (value !== seen) {
    const at = sent.indexOf(value)
    setSeen(value)
    setSent(sent.slice(at < 0 ? sent.length : at + 1))
    if (at < 0) setText(value)
  }
  const search = useEffectEvent((find: string) => {
    setSent([...sent, find])
    onSearch(find || undefined)
  })
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => search(text.trim()), SEARCH_DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [text, value])
  return <SearchInput label={label} value={text} onChange={setText} />
}

type InputProps = { label: string; value: string; onChange: (text: string) => void; maxLength?: number }

/** The input field of a search. */
export const SearchInput = ({ label, value, onChange, maxLength }: InputProps) => (
  <label className={css.field}>
    <IconSearch size={16} aria-hidden />
    <span className="sr">{label}</span>
    <input
      type="search"
      placeholder={label}
      maxLength={maxLength}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value)}
    />
  </label>
)
