import { catalogue, type ReplyOf } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { RefusalError } from '../platform/api.ts'
import { plural } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { useAsk } from '../platform/queries.ts'
import { SaveSearch } from '../searches/SaveSearch.tsx'
import { queryOf } from '../searches/searchQuery.ts'
import { useOpenSearch } from '../searches/useOpenSearch.ts'
import { Chips } from '../ui/Chips.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Page } from '../ui/Page.tsx'
import type { SearchAddress } from './addresses.ts'
import { GenreChips } from './GenreChips.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SearchFilters } from './SearchFilters.tsx'
import { SearchNothing } from './SearchNothing.tsx'
import { SearchUnderstood } from './SearchUnderstood.tsx'
import { SectionChoice } from './SectionChoice.tsx'
import { inputOf, isAskable, TOO_SHORT, versionsOf } from './searchAddress.ts'
import { withoutPiece } from './searchTerm.ts'
import { type ListSection, sectionInput } from './section.ts'
import { countOf } from './sectionWords.ts'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

type Found = ReplyOf<typeof catalogue.searchSongs>

/** How many there are, and how many of them only come close. */
function describe({ songs, pagination: { totalCount, more }, exact_count }: Found, section: ListSection): string {
  const all = `${more ? `${texts.moreThan} ` : ''}${countOf(totalCount, section)}`
  if (songs.length === 0 || exact_count >= totalCount) return all
  if (exact_count === 0 && songs[0]?.found.words === 'exact') return format(texts.atHalfOrDoubleTempo, { all })
  if (exact_count === 0)
    return `No exact matches. Showing ${more ? 'more than ' : ''}${plural(totalCount, 'similar result')}.`
  return format(texts.exact, { all, exact_count })
}

const LONGEST_TITLE = 40

/** The whole of it stands in the search box. */
const shortened = (words: string) =>
  words.length > LONGEST_TITLE ? `${words.slice(0, LONGEST_TITLE).trimEnd()}…` : words

const noteOf = (answer: Found | undefined, section: ListSection, isSearching: boolean) =>
  answer ? describe(answer, section) : isSearching ? 'Searching…' : ''

/** A value of the search language that makes no sense: the sentence says which. */
const misreadOf = (error: Error | null) =>
  error instanceof RefusalError && ['invalid_filter', 'query_too_short'].includes(error.code) ? error : undefined

/** Searches for another term with the filters as they are; nothing at all leads to the empty search. */
function useTerm() {
  const navigate = useNavigate({ from: '/search/result/{-$term}' })
  return (term: string) =>
    void navigate({
      to: '/search/result/{-$term}',
      params: { term: term || undefined },
      search: (search) => ({ ...search, page: undefined }),
      resetScroll: false,
    })
}

export function SearchResults() {
  const { term = '' } = useParams({ from: '/search/result/{-$term}' })
  const address = useSearch({ from: '/search/result/{-$term}' })
  const { section } = useSection()
  const { change, sortBy } = useListAddress()
  const searchFor = useTerm()
  const words = term.trim()
  const when = isAskable(words, address)
  const asked = useAsk(catalogue.searchSongs, inputOf(words, address), { when, keepPrevious: true })
  const found = when ? asked.data : undefined
  const answer = asked.isPlaceholderData ? undefined : found
  const misread = when ? misreadOf(asked.error) : undefined
  const genres =
    useAsk(catalogue.getSongGenres, sectionInput(section), { when: !when || misread !== undefined }).data?.genres ?? []
  const understood = answer?.understood ?? []
  const query = queryOf(words, address)
  const { saved, since } = useOpenSearch(query, answer !== undefined)
  return (
    <Page
      title={words ? format(texts.resultsFor, { shortened: shortened(words) }) : 'Search'}
      note={noteOf(answer, section, asked.isFetching && when)}
      actions={
        <>
          <SectionChoice label={texts.sectionSearched} />
          {when && !misread && <SaveSearch query={query} saved={saved} />}
        </>
      }
    >
      <SearchUnderstood
        term={words}
        understood={understood}
        onTakeOut={(source) => searchFor(withoutPiece(words, source))}
      />
      <SearchFilters address={address} onApply={change} />
      <GenreChips genres={found?.genres ?? genres} chosen={address.genre} onChoose={(genre) => change({ genre })} />
      {when && !misread && <VersionChips versions={found?.versions ?? []} address={address} onChange={change} />}
      {when && !misread && (
        <PagedSongs
          asked={asked}
          label={texts.searchResults}
          sorting={{ sort: address, onSort: sortBy }}
          newSince={since}
          empty={<SearchNothing term={words} address={address} understood={understood} onSearch={searchFor} />}
        />
      )}
      {misread && (
        <EmptyState alert icon={<IconSearch size={24} />} title={misread.message}>
          {texts.changeOrRemoveItIn}
        </EmptyState>
      )}
      {!when && (
        <EmptyState icon={<IconSearch size={24} />} title={words ? TOO_SHORT : texts.searchTheCatalogue}>
          {texts.enterATitleOrArtist}
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
  const toggle = (code: string) => {
    const next = chosen.includes(code) ? chosen.filter((each) => each !== code) : [...chosen, code]
    onChange({ versions: code && next.length ? next.join(',') : undefined })
  }
  const choices = versions.map(({ version_code, name }) => ({ value: version_code, label: name }))
  return (
    <Chips
      label={texts.versions}
      choices={[{ value: '', label: texts.allVersions }, ...choices]}
      chosen={chosen.length ? chosen : ['']}
      onChoose={toggle}
    />
  )
}
