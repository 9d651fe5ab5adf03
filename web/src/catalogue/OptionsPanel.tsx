import { useState } from 'react'
import { count as formatCount } from '../format/format.ts'
import { format } from '../format/message.ts'
import { SearchInput } from '../ui/SearchField.tsx'
import css from './FilterPanels.module.css'
import { type FilterPanelProps, genresChange, genresOf, PANEL_TITLES, type PanelName, partsOf } from './songFilter.ts'
import * as texts from './texts.ts'

type Option = { value: string; label: string; count: number | undefined }

/** With more options than this, they can be searched. */
const MAX_WITHOUT_SEARCH = 11

type ListProps = {
  title: string
  options: Option[]
  chosen: string[]
  more: boolean
  onChange: (chosen: string[]) => void
}

function OptionList({ title, options, chosen, more, onChange }: ListProps) {
  const [search, setSearch] = useState('')
  const wanted = search.trim().toLowerCase()
  const shown = options.filter(({ label }) => label.toLowerCase().includes(wanted))
  const toggle = (value: string) =>
    onChange(chosen.includes(value) ? chosen.filter((each) => each !== value) : [...chosen, value])
  return (
    <div className={css.panel}>
      {options.length > MAX_WITHOUT_SEARCH && (
        <SearchInput label={format(texts.searchOptions, { title })} value={search} onChange={setSearch} />
      )}
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset can't scroll */}
      <div className={css.options} role="group" aria-label={title}>
        {shown.map(({ value, label, count }) => (
          <label key={value}>
            <input type="checkbox" checked={chosen.includes(value)} onChange={() => toggle(value)} />
            <span>{label}</span>{' '}
            {count !== undefined && (
              <i>{more ? format(texts.countOrMore, { count: formatCount(count) }) : formatCount(count)}</i>
            )}
          </label>
        ))}
        {shown.length === 0 && <p>{texts.noOptions}</p>}
      </div>
    </div>
  )
}

/** Options of the reply, and chosen values that it does not contain. */
function withChosen(options: Option[], chosen: string[]): Option[] {
  const missing = chosen.filter((value) => !options.some((option) => option.value === value))
  return [...missing.map((value) => ({ value, label: value.replace('-', '–'), count: undefined })), ...options]
}

/** A list of genres, versions or years with their numbers of songs. */
export function OptionsPanel({
  name,
  address,
  source,
  options,
  isFailed,
  onChange,
}: FilterPanelProps & { name: PanelName }) {
  if (!options) return <p className={css.wait}>{isFailed ? texts.couldntLoadOptions : texts.loading}</p>
  const title = PANEL_TITLES[name]
  const { more } = options
  if (name === 'genres') {
    const list = options.genres.map(({ genre_id, name, count }) => ({ value: String(genre_id), label: name, count }))
    const change = (chosen: string[]) => onChange(genresChange(chosen.map(Number), source))
    return (
      <OptionList
        {...{ title, more }}
        options={list}
        chosen={genresOf(address, source).map(String)}
        onChange={change}
      />
    )
  }
  const list =
    name === 'versions'
      ? options.versions.map(({ version_code, name, count }) => ({ value: version_code, label: name, count }))
      : options.years.map(({ year, count }) => ({ value: String(year), label: String(year), count }))
  const chosen = partsOf(address[name === 'versions' ? 'versions' : 'year'])
  return (
    <OptionList
      {...{ title, more, chosen }}
      options={withChosen(list, chosen)}
      onChange={(next) => onChange({ [name]: next.join() || undefined })}
    />
  )
}
