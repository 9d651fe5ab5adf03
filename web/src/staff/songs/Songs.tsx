import { staffSongs } from '@dubplate/contract'
import { IconMusicOff } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import keys from '../Keys.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { useCells } from './cellStates.ts'
import { Reanalyses } from './Reanalyses.tsx'
import { RecentEdits } from './RecentEdits.tsx'
import { SelectionBar } from './SelectionBar.tsx'
import { SongFilters } from './SongFilters.tsx'
import css from './Songs.module.css'
import table from './SongTable.module.css'
import { SongTable } from './SongTable.tsx'
import { filtersOf, isNarrowed } from './songAddress.ts'
import { undoEdit } from './songDeeds.ts'
import * as texts from './texts.ts'

/** All songs of the pool, in every state, for editing. */
export const StaffSongs = () => (
  <StaffPage title={texts.songs}>
    <Desk />
  </StaffPage>
)

function Desk() {
  const address = useSearch({ from: '/staff/songs' })
  const filters = filtersOf(address)
  const { page = 1, sort = 'newest' } = address
  const asked = useApiQuery(staffSongs.getSongs, { ...filters, order: sort, page }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  return (
    <>
      <SongFilters address={address} />
      <Reanalyses />
      {error && !data && <ErrorState error={error} subject={texts.songsInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.songs.length === 0 && <NoSongs isNarrowed={isNarrowed(address)} />}
      {data && data.songs.length > 0 && (
        <>
          <SongTable songs={data.songs} isBusy={isPlaceholderData} />
          <LastSaved />
          <SelectionBar filters={filters} total={data.pagination.totalCount} />
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            {rich(texts.shortcutsArrowKeysMoveEnter, {
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
              kbd11: (inside) => <kbd>{inside}</kbd>,
              kbd12: (inside) => <kbd>{inside}</kbd>,
            })}
          </p>
        </>
      )}
      <RecentEdits />
    </>
  )
}

/** The last saved value with its undo button: a toast for each cell would cover the table. */
function LastSaved() {
  const last = useCells((cells) => cells.last)
  const undo = async () => {
    if (last && (await undoEdit(last.song_edit_id))) useCells.setState({ last: undefined })
  }
  return (
    <p className={css.last} role="status">
      {last && (
        <>
          <span>{format(texts.ofSaved, { what: last.what, title: last.title })}</span>{' '}
          <button type="button" className={css.undo} onClick={() => void undo()}>
            {texts.undo}
          </button>
        </>
      )}
    </p>
  )
}

const NoSongs = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={<IconMusicOff size={24} />} title={isNarrowed ? texts.noMatchingSongs : texts.noSongsYet}>
    {isNarrowed ? texts.searchMatchesTheStartOf : texts.importedAndUploadedSongsAppear}
  </EmptyState>
)

const ROWS = 14

const ToCome = () => (
  <div className={table.scroll} aria-busy role="status" aria-label={texts.loadingSongs}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <div key={i} className={table.bone} aria-hidden />
    ))}
  </div>
)
