import { catalogue, type ReplyOf } from '@dubplate/contract'
import { IconSearch } from '@tabler/icons-react'
import { useNavigate, useParams, useSearch } from '@tanstack/react-router'
import { format } from '../format/message.ts'
import { ApiError } from '../platform/api.ts'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SaveSearch } from '../searches/SaveSearch.tsx'
import { queryOf } from '../searches/searchQuery.ts'
import { useOpenSearch } from '../searches/useOpenSearch.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { FilterBar } from './FilterBar.tsx'
import { NoSearchResults } from './NoSearchResults.tsx'
import { PagedSongs } from './PagedSongs.tsx'
import { SearchUnderstood } from './ParsedSearch.tsx'
import { resultsText } from './resultsText.ts'
import { SectionChoice } from './SectionChoice.tsx'
import { inputOf, isSearchable, TOO_SHORT_MESSAGE } from './searchAddress.ts'
import { searchMarks } from './searchCloseness.ts'
import { withoutTerm } from './searchTerm.ts'
import { type ListSection, sectionInput } from './section.ts'
import { useSongFilter } from './songFilter.ts'
import { DidYouMean, hasCorrections, TopHits } from './TopHits.tsx'
import * as texts from './texts.ts'
import { useListAddress } from './useListAddress.ts'
import { useSection } from './useSection.ts'

type SearchReply = ReplyOf<typeof catalogue.searchSongs>

const MAX_TITLE_LENGTH = 40

/** The search box shows the whole text. */
const truncate = (words: string) =>
  words.length > MAX_TITLE_LENGTH ? `${words.slice(0, MAX_TITLE_LENGTH).trimEnd()}…` : words

/** How closely the results match, if there is more to say than their number, which the filter bar shows. */
const noteText = (searchReply: SearchReply | undefined, section: ListSection) =>
  searchReply && searchReply.exact_count < searchReply.pagination.totalCount
    ? resultsText(searchReply, section)
    : undefined

/** The invalid value in a search; the error message names it. */
const rejectedTermOf = (error: Error | null) =>
  error instanceof ApiError && ['invalid_filter', 'query_too_short'].includes(error.code) ? error : undefined

type SongFilter = ReturnType<typeof useSongFilter>['filter']

/** What a search has no field of its own for; saved searches leave it out. */
const besides = ({ genres, fits, not_in_library, not_owned }: SongFilter) =>
  genres || fits || not_in_library || not_owned ? { filter: { genres, fits, not_in_library, not_owned } } : {}

/** Searches for another term with the same filters; an empty term opens the empty search. */
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
  const searchAddress = useSearch({ from: '/search/result/{-$term}' })
  const { section } = useSection()
  const { sortBy } = useListAddress()
  const { filter } = useSongFilter()
  const searchFor = useTerm()
  const words = term.trim()
  const enabled = isSearchable(words, searchAddress)
  const queryResult = useApiQuery(
    catalogue.searchSongs,
    { ...inputOf(words, searchAddress), ...besides(filter) },
    { enabled, keepPrevious: true },
  )
  const latestReply = enabled ? queryResult.data : undefined
  const searchReply = queryResult.isPlaceholderData ? undefined : latestReply
  const rejectedTerm = enabled ? rejectedTermOf(queryResult.error) : undefined
  const understood = searchReply?.understood ?? []
  const query = queryOf(words, searchAddress)
  const { saved, since } = useOpenSearch(query, searchReply !== undefined)
  return (
    <Page
      title={words ? format(texts.resultsFor, { term: truncate(words) }) : texts.search}
      note={noteText(searchReply, section)}
      actions={
        <>
          <SectionChoice label={texts.sectionSearched} />
          {enabled && !rejectedTerm && <SaveSearch query={query} saved={saved} />}
        </>
      }
    >
      <SearchUnderstood
        term={words}
        parsedTerms={understood}
        onRemove={(source) => searchFor(withoutTerm(words, source))}
      />
      {enabled && <TopHits term={words} isLoading={queryResult.isPending} />}
      {searchReply && searchReply.songs.length > 0 && hasCorrections(searchReply.did_you_mean) && (
        <DidYouMean corrections={searchReply.did_you_mean} />
      )}
      <FilterBar
        source={{ list: 'search', searchTerm: words, ...sectionInput(section) }}
        count={latestReply?.pagination}
      />
      {enabled && !rejectedTerm && (
        <PagedSongs
          queryResult={queryResult}
          label={texts.searchResults}
          sorting={{ sort: searchAddress, onSort: sortBy }}
          newSince={since}
          marks={searchMarks}
          empty={
            <NoSearchResults
              term={words}
              address={searchAddress}
              parsedTerms={understood}
              corrections={searchReply?.did_you_mean}
              onSearch={searchFor}
            />
          }
        />
      )}
      {rejectedTerm && (
        <EmptyState alert icon={<IconSearch size={24} />} title={rejectedTerm.message}>
          {texts.changeInSearchAbove}
        </EmptyState>
      )}
      {!enabled && (
        <EmptyState icon={<IconSearch size={24} />} title={words ? TOO_SHORT_MESSAGE : texts.searchTheCatalogue}>
          {texts.enterATitleOrArtist}
        </EmptyState>
      )}
    </Page>
  )
}
