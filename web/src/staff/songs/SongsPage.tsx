import { staffSongs } from '@dubplate/contract'
import { Button, Group, NativeSelect, Text, UnstyledButton } from '@mantine/core'
import { IconHistory, IconMusicOff, IconUpload } from '@tabler/icons-react'
import { useNavigate } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { rowCount } from '../../admin/cappedCount.ts'
import { MainCell } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { KeyHints } from '../../admin/KeyHints.tsx'
import { ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { count } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { BulkActions } from './BulkActions.tsx'
import { CoverImage } from './CoverImage.tsx'
import { useCells } from './cellStates.ts'
import { Reanalyses } from './Reanalyses.tsx'
import { filtersOf, SECTIONS, SongFilters } from './SongFilters.tsx'
import { SongPanel } from './SongPanel.tsx'
import { useSongSelection } from './selection.ts'
import { type Song, undoEdit } from './songActions.ts'
import { SONG_COLUMNS, SongStatus } from './songColumns.tsx'
import { formatTempo } from './songFields.ts'
import * as texts from './texts.ts'
import { useSongGrid } from './useSongGrid.ts'
import { useUndoKeys } from './useUndoKeys.ts'

const GenreDialog = lazyOnDemand(() => import('./GenreDialog.tsx').then((code) => code.GenreDialog))
const RecentEdits = lazyOnDemand(() => import('./RecentEdits.tsx').then((code) => code.RecentEdits))

const STATE_NAMES: Record<(typeof staffSongs.STAFF_SONG_STATES)[number], string> = {
  all: texts.all,
  published: texts.published,
  unpublished: texts.unpublished,
  draft: texts.draft,
}

const PAGE_SIZES = [staffSongs.STAFF_SONGS_PER_PAGE, 200, staffSongs.MAX_STAFF_SONGS_PER_PAGE]

const idOf = ({ entity_id }: Song) => entity_id

/** All songs of the pool, in every state, edited in place. */
export function SongsPage() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    size: positiveInteger,
    find: trimmedText,
    state: oneOf(['published', 'unpublished', 'draft'] as const),
    lacks: oneOf(staffSongs.LACKS),
    genre: positiveInteger,
    section: oneOf(SECTIONS),
    sort: oneOf(staffSongs.STAFF_SONG_SORTS),
  })
  const { page = 1, find, state, lacks, genre, section, sort = '-added' } = search
  const size = PAGE_SIZES.find((each) => each === search.size) ?? staffSongs.STAFF_SONGS_PER_PAGE
  const filters = filtersOf(search)
  const query = useApiQuery(staffSongs.getSongs, { ...filters, sort, page, per_page: size }, { keepPrevious: true })
  const { data } = query
  const { data: counts } = useApiQuery(staffSongs.countSongs, filters, { keepPrevious: true })
  const { row: open, tableProps, panelProps } = useOpenRow(data?.songs, idOf)
  const [areEditsOpen, setEditsOpen] = useState(false)
  const [genresOf, setGenresOf] = useState<Song>()
  const selection = useSongSelection(data?.songs)
  const grid = useSongGrid({
    songs: data?.songs ?? [],
    onOpen: tableProps.onOpen,
    onClose: open && panelProps.onClose,
    onEditGenres: setGenresOf,
  })
  const navigate = useNavigate()
  useUndoKeys()
  const closeEdits = () => setEditsOpen(false)
  // The row is marked before the panel is rendered, which makes the table narrower.
  const shown = useDeferredValue(open)
  const panel = shown ? (
    <SidePanel label={shown.title} {...panelProps}>
      <SongPanel song={shown} panelProps={panelProps} />
    </SidePanel>
  ) : (
    areEditsOpen && (
      <SidePanel label={texts.recentEdits} onClose={closeEdits}>
        <RecentEdits />
      </SidePanel>
    )
  )
  return (
    <TablePage
      total={data?.pagination}
      actions={
        <Group gap="sm">
          <Button variant="default" leftSection={<IconHistory size={16} />} onClick={() => setEditsOpen(!areEditsOpen)}>
            {texts.recentEdits}
          </Button>
          <Button leftSection={<IconUpload size={16} />} onClick={() => void navigate({ to: '/staff/import' })}>
            {texts.importSongs}
          </Button>
        </Group>
      }
      top={
        <>
          <ViewTabs
            label={texts.songStatus}
            views={staffSongs.STAFF_SONG_STATES.map((value) => ({
              value,
              name: STATE_NAMES[value],
              count: counts?.states[value],
            }))}
            current={filters.state}
            onChange={(value) => change({ state: value === 'all' ? undefined : value })}
          />
          <Reanalyses />
        </>
      }
      panel={panel}
    >
      <ResourceTable
        name={texts.songs}
        columns={SONG_COLUMNS}
        rows={data?.songs}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadSongs}
        idOf={idOf}
        labelOf={({ title }) => title}
        narrowRow={(song) => ({
          start: <MainCell picture={<CoverImage song={song} size_px={32} />} title={song.title} text={song.artist} />,
          end: (
            <>
              <SongStatus song={song} />
              <span>
                {formatTempo(song)} {song.song_key && <KeyBadge songKey={song.song_key} />}
              </span>
            </>
          ),
        })}
        {...tableProps}
        grid={grid}
        selection={selection}
        bulkActions={() => <BulkActions filters={filters} total={rowCount(data?.pagination)} />}
        sort={sort}
        onSort={(sort) => change({ sort: sort === '-added' ? undefined : sort })}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByArtistTitleAlbum}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            <SongFilters search={search} counts={counts} onChange={change} />
          </TableToolbar>
        }
        footer={
          <>
            <NativeSelect
              size="xs"
              flex="none"
              aria-label={texts.songsPerPage}
              value={size}
              data={PAGE_SIZES.map((value) => ({
                value: String(value),
                label: format(texts.perPage, { n: count(value) }),
              }))}
              onChange={({ currentTarget: { value } }) =>
                change({ size: Number(value) === staffSongs.STAFF_SONGS_PER_PAGE ? undefined : Number(value) })
              }
            />
            <LastSaved />
          </>
        }
        empty={emptyState({
          icon: <IconMusicOff size={24} />,
          none: { title: texts.noSongsYet, text: texts.importedAndUploadedSongsAppear },
          noMatches: { title: texts.noMatchingSongs, text: texts.searchMatchesTheStartOf },
          isFiltered: [find, state, lacks, genre, section].some((value) => value !== undefined),
        })}
      />
      {genresOf && <GenreDialog song={genresOf} onClose={() => setGenresOf(undefined)} />}
    </TablePage>
  )
}

const KEYS = [
  { keys: ['Enter'], label: texts.editKey },
  { keys: ['Space'], label: texts.selectKey },
  { keys: ['Ctrl', 'Enter'], label: texts.openKey },
  { keys: ['Ctrl', 'Z'], label: texts.undoKey },
]

/**
 * The last saved value with its undo button, because a toast for each cell would cover the table. Until then, what the
 * keys do.
 */
function LastSaved() {
  const last = useCells((cells) => cells.last)
  const undo = async () => {
    if (last && (await undoEdit(last.song_edit_id))) useCells.setState({ last: undefined })
  }
  return (
    <Group wrap="nowrap" gap="sm" style={{ overflow: 'hidden', whiteSpace: 'nowrap' }}>
      {!last && <KeyHints hints={KEYS} />}
      <Group role="status" wrap="nowrap" gap={0} miw={0}>
        {last && (
          <>
            <Text truncate fz="inherit">
              {format(texts.ofSaved, { what: last.what, title: last.title })}
            </Text>
            <UnstyledButton
              flex="none"
              fz="inherit"
              fw={560}
              c="var(--accent-ink)"
              mih={24}
              px={6}
              onClick={() => void undo()}
            >
              {texts.undo}
            </UnstyledButton>
          </>
        )}
      </Group>
    </Group>
  )
}
