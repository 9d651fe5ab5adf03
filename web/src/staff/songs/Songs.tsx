import { songsDesk } from '@dubplate/contract'
import { IconMusicOff } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { Trouble } from '../../platform/errors.tsx'
import { useAsk } from '../../platform/queries.ts'
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

/** All songs of the pool, of every state, to be corrected. */
export const StaffSongs = () => (
  <StaffPage title="Songs" forRole="curator">
    <Desk />
  </StaffPage>
)

function Desk() {
  const address = useSearch({ from: '/staff/songs' })
  const filters = filtersOf(address)
  const { page = 1, sort = 'newest' } = address
  const asked = useAsk(songsDesk.getSongs, { ...filters, order: sort, page }, { keepPrevious: true })
  const { data, error, isPlaceholderData, refetch } = asked
  return (
    <>
      <SongFilters address={address} />
      <Reanalyses />
      {error && !data && <Trouble error={error} what="songs" retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.songs.length === 0 && <NoSongs isNarrowed={isNarrowed(address)} />}
      {data && data.songs.length > 0 && (
        <>
          <SongTable songs={data.songs} isBusy={isPlaceholderData} />
          <LastSaved />
          <SelectionBar filters={filters} total={data.pagination.totalCount} />
          <Pagination pagination={data.pagination} />
          <p className={keys.keys}>
            Shortcuts: arrow keys move · <kbd>Enter</kbd> or <kbd>F2</kbd> edit · <kbd>Esc</kbd> cancel · <kbd>Tab</kbd>{' '}
            save and next · <kbd>Space</kbd> <kbd>Shift</kbd>+<kbd>↓</kbd> select · <kbd>Ctrl</kbd>+<kbd>Z</kbd> undo ·{' '}
            <kbd>Ctrl</kbd>+<kbd>Shift</kbd>+<kbd>Z</kbd> redo
          </p>
        </>
      )}
      <RecentEdits />
    </>
  )
}

/** The value that was saved last, with the button that takes it back: a toast for each cell would cover the table. */
function LastSaved() {
  const last = useCells((cells) => cells.last)
  const undo = async () => {
    if (last && (await undoEdit(last.song_edit_id))) useCells.setState({ last: undefined })
  }
  return (
    <p className={css.last} role="status">
      {last && (
        <>
          <span>
            {last.what} of “{last.title}” saved
          </span>{' '}
          <button type="button" className={css.undo} onClick={() => void undo()}>
            Undo
          </button>
        </>
      )}
    </p>
  )
}

const NoSongs = ({ isNarrowed }: { isNarrowed: boolean }) => (
  <EmptyState icon={<IconMusicOff size={24} />} title={isNarrowed ? 'No matching songs' : 'No songs yet'}>
    {isNarrowed
      ? 'Search matches the start of words. Try a different search or clear the filters.'
      : 'Imported and uploaded songs appear here.'}
  </EmptyState>
)

const ROWS = 14

const ToCome = () => (
  <div className={table.scroll} aria-busy role="status" aria-label="Loading songs…">
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
      <div key={i} className={table.bone} aria-hidden />
    ))}
  </div>
)
