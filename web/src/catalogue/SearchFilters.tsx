import { camelot, camelotOrder, KEYS, parseKey } from '@dubplate/contract'
import { IconAdjustmentsHorizontal } from '@tabler/icons-react'
import { type FormEvent, useState } from 'react'
import { usePreferences } from '../platform/preferences.ts'
import { useSession } from '../platform/session.ts'
import { Button } from '../ui/Button.tsx'
import type { SearchAddress } from './addresses.ts'
import { formatKey } from './mixing.ts'
import css from './SearchFilters.module.css'
import * as texts from './texts.ts'

const KEYS_IN_ORDER = [...KEYS].sort((a, b) => camelotOrder(a) - camelotOrder(b))

const FIELDS = [
  { name: 'title', label: texts.title, placeholder: '' },
  { name: 'artist', label: texts.artist, placeholder: '' },
  { name: 'bpm', label: texts.bpmLabel, placeholder: '120-126' },
  { name: 'year', label: texts.year, placeholder: '1990-1999' },
] as const

const NO_FILTER_VALUES = {
  title: undefined,
  artist: undefined,
  bpm: undefined,
  year: undefined,
  key: undefined,
  fresh: undefined,
} satisfies Record<string, undefined>

type Filters = { [name in keyof typeof NO_FILTER_VALUES]: SearchAddress[name] | undefined }

type Props = { address: SearchAddress; onApply: (filters: Filters) => void }

/** The filters of a search. They take effect with “Apply Filter”, which puts them into the URL. */
export function SearchFilters({ address: searchAddress, onApply }: Props) {
  const { title, artist, bpm, year, key, fresh } = searchAddress
  const applied: Filters = { title, artist, bpm, year, key, fresh }
  // Another URL (Back, or a link) brings its own filters and resets the fields.
  return <Fields key={JSON.stringify(applied)} applied={applied} onApply={onApply} />
}

function Fields({ applied, onApply }: { applied: Filters; onApply: (filters: Filters) => void }) {
  const isMember = useSession((session) => session.token !== null)
  const [typed, setTyped] = useState(applied)
  const isAny = Object.values(applied).some(Boolean)
  const [isOpen, setOpen] = useState(isAny)
  const type = (name: keyof Filters, value: string) => setTyped({ ...typed, [name]: value || undefined })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onApply(typed)
  }
  return (
    <form className={css.filters} onSubmit={submit} aria-label={texts.filters} data-open={isOpen || undefined}>
      <Button className={css.opener} aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <IconAdjustmentsHorizontal size={17} aria-hidden />
        {texts.filters}
      </Button>
      {FIELDS.map(({ name, label, placeholder }) => (
        <label key={name} className={css.field} data-name={name}>
          {label}
          <input
            value={typed[name] ?? ''}
            placeholder={placeholder}
            maxLength={200}
            autoComplete="off"
            onChange={(event) => type(name, event.target.value)}
          />
        </label>
      ))}
      <KeyField value={typed.key} onChange={(key) => type('key', key)} />
      <div className={css.foot}>
        <MixingCheck value={typed.key} onChange={(key) => type('key', key)} />
        {isMember && (
          <label className={css.check}>
            <input
              type="checkbox"
              checked={typed.fresh === 1}
              onChange={(event) => setTyped({ ...typed, fresh: event.target.checked ? 1 : undefined })}
            />
            {texts.notDownloadedYet}
          </label>
        )}
        <Button type="submit">{texts.applyFilter}</Button>
        {isAny && <Button onClick={() => onApply(NO_FILTER_VALUES)}>{texts.clearFilters}</Button>}
      </div>
    </form>
  )
}

type KeyProps = { value: string | undefined; onChange: (value: string) => void }

/** The key in the URL: `8A`, or `~8A` to include compatible keys. */
function readKey(value = '') {
  const keyText = value.replace(/^~/, '')
  const key = parseKey(keyText)
  return { mixes: value.startsWith('~'), key, chosen: key ? camelot(key) : keyText }
}

function KeyField({ value, onChange }: KeyProps) {
  const notation = usePreferences((preferences) => preferences.notation)
  const { mixes, key, chosen } = readKey(value)
  const choose = (next: string) => onChange(next && mixes ? `~${next}` : next)
  return (
    <label className={css.field} data-name="key">
      {texts.key}
      <select value={chosen} onChange={(event) => choose(event.target.value)}>
        <option value="">{texts.any}</option>
        {/* A URL may name several keys, which the list of single keys does not contain. */}
        {chosen && !key && <option value={chosen}>{chosen}</option>}
        {KEYS_IN_ORDER.map((each) => (
          <option key={each} value={camelot(each)}>
            {formatKey(each, notation)}
          </option>
        ))}
      </select>
    </label>
  )
}

function MixingCheck({ value, onChange }: KeyProps) {
  const { mixes, chosen } = readKey(value)
  return (
    <label className={css.check} data-off={!chosen || undefined}>
      <input
        type="checkbox"
        checked={mixes}
        disabled={!chosen}
        onChange={(event) => onChange(event.target.checked ? `~${chosen}` : chosen)}
      />
      {texts.includeCompatibleKeys}
    </label>
  )
}
