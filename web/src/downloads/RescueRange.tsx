import { useNavigate, useSearch } from '@tanstack/react-router'
import type { FormEvent } from 'react'
import { Button } from '../ui/Button.tsx'
import { DayRange } from '../ui/DayRange.tsx'
import { SearchInput } from '../ui/SearchField.tsx'
import { useEditableCopy } from '../ui/useEditableCopy.ts'
import css from './DownloadRescue.module.css'
import * as texts from './texts.ts'

/**
 * Filters by year, by two dates and by words of a title or artist. The filters are stored in the URL; a change returns
 * to page 1.
 */
export function RescueRange() {
  const { from, to, find } = useSearch({ from: '/download-rescue' })
  const navigate = useNavigate({ from: '/download-rescue' })
  return (
    <DayRange
      range={{ from, to }}
      onChange={(range, replace) =>
        void navigate({ search: ({ find }) => ({ find, ...range }), replace, resetScroll: false })
      }
    >
      <RescueSearch
        text={find}
        onSearch={(find) => void navigate({ search: ({ from, to }) => ({ from, to, find }), resetScroll: false })}
      />
    </DayRange>
  )
}

type SearchProps = { text: string | undefined; onSearch: (text: string | undefined) => void }

function RescueSearch({ text = '', onSearch }: SearchProps) {
  const [typed, setTyped] = useEditableCopy(text)
  const search = (event: FormEvent) => {
    event.preventDefault()
    onSearch(typed.trim() || undefined)
  }
  return (
    <search>
      <form className={css.search} onSubmit={search}>
        <SearchInput label={texts.titleOrArtist} maxLength={200} value={typed} onChange={setTyped} />
        <Button type="submit">{texts.search}</Button>
      </form>
    </search>
  )
}
