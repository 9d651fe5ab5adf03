import { catalogue } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useParams, useSearch } from '@tanstack/react-router'
import { plural } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { MIN_SEARCH_LENGTH, TOO_SHORT } from '../site/SearchBox.tsx'
import { Button } from '../ui/Button.tsx'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import { orderInput, type SearchAddress } from './addresses.ts'
import { GenreChips } from './GenreChips.tsx'
import { NoSongs } from './NoSongs.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { useListAddress } from './useListAddress.ts'

const versionsOf = ({ versions }: SearchAddress) => versions?.split(',').filter(Boolean) ?? []

function inputOf(term: string, address: SearchAddress) {
  return {
    searchTerm: term,
    page: address.page ?? 1,
    genre_id: address.genre,
    versions: versionsOf(address),
    SongEntitySearch: {
      title: address.title ?? '',
      artist: address.artist ?? '',
      bpm: address.bpm ?? '',
      song_key: address.key ?? '',
      year: address.year ?? '',
    },
    ...orderInput(address),
  }
}

const hasFilter = ({ title, artist, bpm, key, year, genre, versions }: SearchAddress) =>
  [title, artist, bpm, key, year, genre, versions].some(Boolean)

type Found = { totalCount: number; more: boolean; similar: boolean }

function describe({ totalCount, more, similar }: Found): string {
  const songs = `${more ? 'More than ' : ''}${plural(totalCount, 'song')}`
  return similar ? `${songs}, read forgivingly: nothing matched exactly` : songs
}

export function SearchResults() {
  const { term = '' } = useParams({ from: '/search/result/{-$term}' })
  const address = useSearch({ from: '/search/result/{-$term}' })
  const { change, sortBy } = useListAddress()
  const words = term.trim()
  const isAskable = words.length >= MIN_SEARCH_LENGTH || (words === '' && hasFilter(address))
  const asked = useAsk(catalogue.searchSongs, inputOf(words, address), { when: isAskable, keepPrevious: true })
  const found = isAskable ? asked.data : undefined
  const note = found ? describe({ ...found.pagination, similar: found.similar && found.songs.length > 0 }) : ''
  return (
    <Page title={words ? `Results for “${words}”` : 'Search'} note={note}>
      <SearchFilters address={address} onApply={change} />
      {found && found.genres.length > 0 && (
        <GenreChips genres={found.genres} chosen={address.genre} onChoose={(genre) => change({ genre })} />
      )}
      {found && <VersionChips versions={found.versions} address={address} onChange={change} />}
      {isAskable ? (
        <PagedSongs
          asked={asked}
          label="Search results"
          sorting={{ sort: address, onSort: sortBy }}
          empty={<NothingFound words={words} address={address} />}
        />
      ) : (
        <EmptyState icon={<IconSearch size={24} />} title={words ? TOO_SHORT : 'What are you looking for?'}>
          Type a title or an artist above, or narrow the whole pool with the filters.
        </EmptyState>
      )}
    </Page>
  )
}

type VersionChipsProps = {
  versions: { version_code: string; name: string }[]
  address: SearchAddress
  onChange: (changes: { versions: string | undefined }) => void
}

/** Several versions may be chosen; “All” is none of them. */
function VersionChips({ versions, address, onChange }: VersionChipsProps) {
  const chosen = versionsOf(address)
  if (versions.length === 0) return null
  const toggle = (code: string) => {
    const next = chosen.includes(code) ? chosen.filter((each) => each !== code) : [...chosen, code]
    onChange({ versions: code && next.length ? next.join(',') : undefined })
  }
  const choices = versions.map(({ version_code, name }) => ({ value: version_code, label: name }))
  return (
    <Chips
      label="Versions"
      choices={[{ value: '', label: 'All versions' }, ...choices]}
      chosen={chosen.length ? chosen : ['']}
      onChoose={toggle}
    />
  )
}

function NothingFound({ words, address }: { words: string; address: SearchAddress }) {
  const { change } = useListAddress()
  if ((address.page ?? 1) > 1) return <NoSongs page={address.page}>There is nothing on this page.</NoSongs>
  const clear = () =>
    change({
      title: undefined,
      artist: undefined,
      bpm: undefined,
      key: undefined,
      year: undefined,
      genre: undefined,
      versions: undefined,
    })
  return (
    <EmptyState
      icon={<IconSearch size={24} />}
      title={words ? `Nothing found for “${words}”` : 'Nothing found'}
      action={hasFilter(address) && <Button onClick={clear}>Search without filters</Button>}
    >
      {hasFilter(address)
        ? 'The filters may be too narrow.'
        : 'Try fewer words, or only the artist. Spelling mistakes are forgiven to a point.'}
    </EmptyState>
  )
}
