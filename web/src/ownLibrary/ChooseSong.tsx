import { catalogue } from '@dubplate/contract'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SearchField } from '../ui/SearchField.tsx'
import { Candidate } from './Candidate.tsx'
import css from './Matches.module.css'
import * as texts from './texts.ts'

/** More results than this are found with more words. */
const MAX_SONGS = 5

type Props = {
  /** Names the search: 'Song for “Afterglow”'. */
  label: string
  /** What is searched for at first. */
  term: string
  onConfirm: (song: catalogue.Song, songVersionId: number | null) => void
  onClose: () => void
}

/** Searches the pool for the song that a file is. Escape closes it. */
export function ChooseSong({ label, term: firstTerm, onConfirm, onClose }: Props) {
  const [term, setTerm] = useState(firstTerm)
  const words = term.trim()
  const { data, error, refetch } = useApiQuery(
    catalogue.searchSongs,
    { searchTerm: words },
    { enabled: words !== '', keepPrevious: true },
  )
  const container = useRef<HTMLElement>(null)
  useEffect(() => container.current?.querySelector('input')?.focus(), [])
  const songs = words ? data?.songs.slice(0, MAX_SONGS) : undefined
  const closeOnEscape = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') return
    event.preventDefault()
    onClose()
  }
  return (
    <search ref={container} className={css.choose} aria-label={label} onKeyDown={closeOnEscape}>
      <SearchField label={texts.searchThePool} value={term} onSearch={(text) => setTerm(text ?? '')} />
      {error && !data && <InlineError error={error} title={texts.couldntSearch} retry={() => void refetch()} />}
      {songs?.length === 0 && <p role="status">{texts.noSongFound}</p>}
      <ul aria-busy={words !== '' && !data && !error}>
        {songs?.map((song) => (
          <Candidate
            key={song.entity_id}
            song={song}
            foundVersionId={null}
            onConfirm={(versionId) => onConfirm(song, versionId)}
          />
        ))}
      </ul>
    </search>
  )
}
