import { review, type uploadedSongs } from '@dubplate/contract'
import { IconMusicUp } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count } from '../../platform/format.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { pausePreview } from '../../uploads/preview.ts'
import keys from '../Keys.module.css'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import * as texts from './texts.ts'
import { UploadQueue } from './UploadQueue.tsx'
import css from './Uploads.module.css'
import { decisionsOn, EMPTY, STATE_NAMES, STATES } from './uploadStates.ts'

/** Review of members' songs: listen, check, publish or decline. */
export const Uploads = () => (
  <StaffPage title={texts.uploadsToReview}>
    <Desk />
  </StaffPage>
)

function Desk() {
  const { page = 1, state = 'in_review', find } = useSearch({ from: '/staff/uploads' })
  const navigate = useNavigate({ from: '/staff/uploads' })
  const asked = useApiQuery(review.getUploads, { page, status: state, search: find ?? '' }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  const nameOf = (each: uploadedSongs.SongState) => {
    const n = data?.counts[each]
    return n === undefined ? STATE_NAMES[each] : `${STATE_NAMES[each]} ${count(n)}`
  }
  const isBeyond = data?.songs.length === 0 && data.pagination.totalCount > 0 && !isPlaceholderData
  useEffect(() => pausePreview, [])
  useEffect(() => {
    // The last song of the last page has just been decided.
    if (isBeyond) void navigate({ search: (was) => ({ ...was, page: undefined }), replace: true })
  }, [isBeyond, navigate])
  return (
    <>
      <div className={lists.bar}>
        <Chips
          label={texts.uploadStatus}
          choices={STATES.map((value) => ({ value, label: nameOf(value) }))}
          chosen={state}
          onChoose={(state) => void navigate({ search: { state: state === 'in_review' ? undefined : state, find } })}
        />
        <SearchField
          label={texts.searchByTitleArtistOr}
          value={find ?? ''}
          onSearch={(find) => void navigate({ search: ({ state }) => ({ state, find }), replace: true })}
        />
      </div>
      {error && !data && <ErrorState error={error} subject={texts.uploadsInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome state={state} />}
      {data?.songs.length === 0 && !isBeyond && <NoSongs state={state} isSearch={!!find} />}
      {data && data.songs.length > 0 && (
        <>
          {/* The selection applies to a single page. */}
          <UploadQueue key={`${state} ${page} ${find}`} songs={data.songs} isStale={isPlaceholderData} />
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsJKMoveP, {
              kbd: (inside) => <kbd>{inside}</kbd>,
              kbd2: (inside) => <kbd>{inside}</kbd>,
              kbd3: (inside) => <kbd>{inside}</kbd>,
              kbd4: (inside) => <kbd>{inside}</kbd>,
              kbd5: (inside) => <kbd>{inside}</kbd>,
              kbd6: (inside) => <kbd>{inside}</kbd>,
              kbd7: (inside) => <kbd>{inside}</kbd>,
              kbd8: (inside) => <kbd>{inside}</kbd>,
              kbd9: (inside) => <kbd>{inside}</kbd>,
              kbd10: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
    </>
  )
}

function NoSongs({ state, isSearch }: { state: uploadedSongs.SongState; isSearch: boolean }) {
  const { title, text } = EMPTY[state]
  return (
    <EmptyState icon={<IconMusicUp size={24} />} title={isSearch ? texts.noMatchingSongs : title}>
      {isSearch ? texts.tryADifferentSearchOr : text}
    </EmptyState>
  )
}

const CARDS = 6

const ToCome = ({ state }: { state: uploadedSongs.SongState }) => (
  <>
    {decisionsOn(state).length > 0 && <div className={css.selection} />}
    <ol className={lists.cards} aria-busy aria-label={texts.loadingSongs}>
      {Array.from({ length: CARDS }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
        <li key={i} className={css.bone} aria-hidden />
      ))}
    </ol>
  </>
)
