import { IconSearch } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useState } from 'react'
import css from './SearchField.module.css'

const SEARCH_DEBOUNCE_MS = 250

type Props = { label: string; value: string; onSearch: (text: string | undefined) => void }

/** Searches a moment after the last key press. */
export function SearchField({ label, value, onSearch }: Props) {
  const [text, setText] = useState(value)
  const search = useEffectEvent(onSearch)
  useEffect(() => {
    if (text.trim() === value) return
    const timer = setTimeout(() => search(text.trim() || undefined), SEARCH_DEBOUNCE_MS)
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
