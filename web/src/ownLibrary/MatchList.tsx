import { ownLibrary, type ReplyOf } from '@dubplate/contract'
import { IconCheck, IconListCheck, IconMoodEmpty, IconSearchOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { type RefObject, useRef } from 'react'
import { format, rich } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { SearchField } from '../ui/SearchField.tsx'
import { useDecisions } from './decisions.ts'
import css from './Matches.module.css'
import { MatchRow, type RowActions } from './MatchRow.tsx'
import * as texts from './texts.ts'
import { useReviewKeys } from './useReviewKeys.ts'

type Props = { state: ownLibrary.MatchState; libraries: ownLibrary.OwnLibrary[] }

/** The files of the libraries in one state, with what can be decided about them. */
export function MatchList({ state, libraries }: Props) {
  const { page = 1, library, find = '' } = useSearch({ from: '/dj-library' })
  const navigate = useNavigate({ from: '/dj-library' })
  const input = { library_id: library, state, search: find, page }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(ownLibrary.getMatches, input, { keepPrevious: true })
  return (
    <>
      <div className={css.filters}>
        <SearchField
          key={state}
          label={texts.titleArtistOrFileName}
          value={find}
          onSearch={(text) =>
            void navigate({ search: (search) => ({ ...search, find: text, page: undefined }), resetScroll: false })
          }
        />
        {libraries.length > 1 && <LibraryChoice libraries={libraries} chosen={library} />}
      </div>
      {data ? (
        <Matches
          key={JSON.stringify([state, library, find, page])}
          state={state}
          reply={data}
          isStale={isPlaceholderData}
          isFiltered={find !== '' || library !== undefined}
        />
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadFiles} retry={() => void refetch()} />
      ) : (
        <MatchSkeleton />
      )}
    </>
  )
}

function LibraryChoice({ libraries, chosen }: { libraries: ownLibrary.OwnLibrary[]; chosen: number | undefined }) {
  const navigate = useNavigate({ from: '/dj-library' })
  const choose = (value: string) =>
    void navigate({
      search: (search) => ({ ...search, library: value ? Number(value) : undefined, page: undefined }),
      resetScroll: false,
    })
  return (
    <select
      className={css.choice}
      aria-label={texts.library}
      value={chosen ?? ''}
      onChange={({ currentTarget }) => choose(currentTarget.value)}
    >
      <option value="">{texts.allLibraries}</option>
      {libraries.map(({ library_id, name }) => (
        <option key={library_id} value={library_id}>
          {name}
        </option>
      ))}
    </select>
  )
}

type MatchesProps = {
  state: ownLibrary.MatchState
  reply: ReplyOf<typeof ownLibrary.getMatches>
  isStale: boolean
  isFiltered: boolean
}

function Matches({ state, reply, isStale, isFiltered }: MatchesProps) {
  const list = useRef<HTMLUListElement>(null)
  const { matches, songs, decide, undoLast } = useDecisions(reply)
  const actions: RowActions = {
    confirm: ({ entry_id }, song, versionId) => {
      const { entity_id } = song
      void decide([{ entry_id, action: 'confirm', entity_id, song_version_id: versionId ?? undefined }], [song])
    },
    reject: ({ entry_id }) => void decide([{ entry_id, action: 'reject' }]),
    undo: ({ entry_id }) => void decide([{ entry_id, action: 'undo' }]),
  }
  useReviewKeys(list, { matches, reject: actions.reject, undoLast })
  if (matches.length === 0) return isStale ? <MatchSkeleton /> : <NoMatches state={state} isFiltered={isFiltered} />
  const undecided = matches.filter((match) => match.state === 'review')
  return (
    <>
      {state === 'review' && <ReviewHead list={list} undecided={undecided} decide={decide} songs={songs} />}
      <KeepFocus>
        <ul ref={list} className={css.matches} aria-label={STATE_LABELS[state]} aria-busy={isStale}>
          {matches.map((match) => (
            <MatchRow key={match.entry_id} match={match} songs={songs} actions={actions} />
          ))}
        </ul>
      </KeepFocus>
      {state === 'review' && undecided.length === 0 ? <NextFiles /> : <Pagination pagination={reply.pagination} />}
    </>
  )
}

const STATE_LABELS: Record<ownLibrary.MatchState, string> = {
  review: texts.filesToReview,
  matched: texts.filesInThePool,
  not_found: texts.filesNotInThePool,
}

type HeadProps = Pick<ReturnType<typeof useDecisions>, 'decide' | 'songs'> & {
  list: RefObject<HTMLUListElement | null>
  undecided: ownLibrary.EntryMatch[]
}

const key = (inside: React.ReactNode) => <kbd>{inside}</kbd>

/** The keys, and the first song of every file at once. */
function ReviewHead({ list, undecided, decide, songs }: HeadProps) {
  const decisions = undecided.flatMap(({ entry_id, candidates }) => {
    const [first] = candidates.filter(({ entity_id }) => songs.has(entity_id))
    if (!first) return []
    const { entity_id, song_version_id } = first
    return { entry_id, action: 'confirm' as const, entity_id, song_version_id: song_version_id ?? undefined }
  })
  const confirmAll = () => {
    void decide(decisions)
    list.current?.querySelector('button')?.focus({ preventScroll: true })
  }
  return (
    <div className={css.reviewHead}>
      <p>{texts.reviewHint}</p>
      <p className={css.keys}>{rich(texts.reviewKeys, { key })}</p>
      {decisions.length > 1 && (
        <Button onClick={confirmAll}>
          <IconCheck size={16} aria-hidden />
          {format(texts.confirmAllOnPage, { count: decisions.length })}
        </Button>
      )}
    </div>
  )
}

/** Every file of the page is decided. */
function NextFiles() {
  const navigate = useNavigate({ from: '/dj-library' })
  const next = async () => {
    await navigate({ search: (search) => ({ ...search, page: undefined }) })
    await queryClient.resetQueries({ queryKey: [ownLibrary.getMatches.path] })
  }
  return (
    <div className={css.next}>
      <p>{texts.pageIsDone}</p>
      <Button variant="primary" onClick={() => void next()}>
        {texts.showNextFiles}
      </Button>
    </div>
  )
}

const EMPTY_TEXTS: Record<ownLibrary.MatchState, [title: string, text: string]> = {
  review: [texts.nothingToReview, texts.nothingToReviewText],
  matched: [texts.nothingMatched, texts.nothingMatchedText],
  not_found: [texts.allFound, texts.allFoundText],
}

function NoMatches({ state, isFiltered }: { state: ownLibrary.MatchState; isFiltered: boolean }) {
  const [title, text] = EMPTY_TEXTS[state]
  const navigate = useNavigate({ from: '/dj-library' })
  if (!isFiltered)
    return (
      <EmptyState icon={state === 'review' ? <IconListCheck size={24} /> : <IconMoodEmpty size={24} />} title={title}>
        {text}
      </EmptyState>
    )
  return (
    <EmptyState
      icon={<IconSearchOff size={24} />}
      title={texts.noFilesMatch}
      action={<Button onClick={() => void navigate({ search: ({ tab }) => ({ tab }) })}>{texts.showAllFiles}</Button>}
    >
      {texts.tryAnotherSearch}
    </EmptyState>
  )
}

export const MatchSkeleton = () => (
  <ul className={css.matches} aria-busy aria-label={texts.loadingFiles}>
    {[...Array(6).keys()].map((n) => (
      <li key={n} className={css.match} aria-hidden>
        <i className={css.skeleton} />
        <i className={css.skeleton} />
      </li>
    ))}
  </ul>
)
