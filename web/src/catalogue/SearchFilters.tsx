import { camelotOrder, KEYS } from '@dubplate/contract'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { Button } from '../ui/Button.tsx'
import type { SearchAddress } from './addresses.ts'
import { writeKey } from './mixing.ts'
import css from './SearchFilters.module.css'

const KEYS_IN_ORDER = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b))

const FIELDS = [
  { name: 'title', label: 'Title', placeholder: '', mode: 'text' },
  { name: 'artist', label: 'Artist', placeholder: '', mode: 'text' },
  { name: 'bpm', label: 'BPM', placeholder: '120-126', mode: 'text' },
  { name: 'year', label: 'Year', placeholder: '2024', mode: 'numeric' },
] as const

type Filters = Pick<SearchAddress, 'title' | 'artist' | 'bpm' | 'year' | 'key'>

type Props = { address: SearchAddress; onApply: (filters: Filters) => void }

/** What can be asked of songs beside words. What is typed counts from “Apply filter” on, and is in the address then. */
export function SearchFilters({ address, onApply }: Props) {
  const applied: Filters = {
    title: address.title,
    artist: address.artist,
    bpm: address.bpm,
    year: address.year,
    key: address.key,
  }
  // Another address (back, a link) brings its own filters; typing goes on from those.
  return <Fields key={JSON.stringify(applied)} applied={applied} onApply={onApply} />
}

function Fields({ applied, onApply }: { applied: Filters; onApply: (filters: Filters) => void }) {
  const notation = usePreferences((preferences) => preferences.notation)
  const [typed, setTyped] = useState(applied)
  const isAny = Object.values(applied).some(Boolean)
  const [isOpen, setOpen] = useState(isAny)
  const type = (name: keyof Filters, value: string) => setTyped({ ...typed, [name]: value || undefined })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply(typed)
  }
  return (
    <form className={css.filters} onSubmit={submit} aria-label="Filters" data-open={isOpen || undefined}>
      <Button className={css.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconAdjustmentsHorizontal size={17} aria-hidden />
        Filters
      </Button>
      {FIELDS.map(({ name, label, placeholder, mode }) => (
        <label key={name} className={css.field} data-name={name}>
          {label}
          <input
            value={typed[name] ?? ''}
            placeholder={placeholder}
            inputMode={mode}
            maxLength={name === 'year' ? 4 : 200}
            autoComplete="off"
            onChange={(event) => type(name, event.target.value)}
          />
        </label>
      ))}
      <label className={css.field} data-name="key">
        Key
        <select value={typed.key ?? ''} onChange={(event) => type('key', event.target.value)}>
          <option value="">Any</option>
          {KEYS_IN_ORDER.map((key) => (
            <option key={key} value={key}>
              {writeKey(key, notation)}
            </option>
          ))}
        </select>
      </label>
      <Button type="submit" className={css.apply}>
        Apply filter
      </Button>
      {isAny && (
        <Button
          className={css.clear}
          onClick={() =>
            onApply({ title: undefined, artist: undefined, bpm: undefined, year: undefined, key: undefined })
          }
        >
          Clear
        </Button>
      )}
    </form>
  )
}
