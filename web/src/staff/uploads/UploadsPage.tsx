import { review } from '@dubplate/contract'
import { Button } from '@mantine/core'
import { IconCheck, IconExternalLink, IconMusicUp, IconPencil, IconPlayerPlay, IconX } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useMemo, useState } from 'react'
import { AgoCell, MainCell } from '../../admin/cells.tsx'
import { emptyState } from '../../admin/emptyState.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import type { RowAction } from '../../admin/RowMenu.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatBpmRange } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { pausePreview } from '../../uploads/preview.ts'
import { PlayUpload, togglePlay } from './PlayUpload.tsx'
import * as texts from './texts.ts'
import { UploadPanel } from './UploadPanel.tsx'
import { UploadProblems } from './UploadProblems.tsx'
import { decisionsOn, EMPTY, REASONS, STATE_NAMES, STATES, type UploadRow } from './uploadStates.ts'
import { useDecisions } from './useDecisions.ts'

const ReasonDialog = lazyOnDemand(() => import('../../admin/ReasonDialog.tsx').then((code) => code.ReasonDialog))

const SongCell = ({ song }: { song: UploadRow }) => (
  <MainCell picture={<PlayUpload song={song} />} title={song.title} text={song.artist} />
)

const VersionsCell = ({ search_version_term, is_edit, is_listed, listed_entity_id, status }: UploadRow) => (
  <MainCell
    title={search_version_term || texts.noVersionsYet}
    text={
      <>
        {is_edit && status === 'in_review' && texts.editToAPublishedSong}{' '}
        {is_listed && listed_entity_id !== null && (
          <Link to="/song/$entityId" params={{ entityId: listed_entity_id }}>
            {texts.published}
          </Link>
        )}
      </>
    }
  />
)

/** Why the last decision failed, why the song was declined, or what is wrong with it. */
const ProblemsCell = ({ failure, status, reason, faults }: UploadRow) => {
  if (failure)
    return (
      <b role="alert" title={failure} style={{ color: 'var(--danger)' }}>
        {failure}
      </b>
    )
  if (status === 'declined' && reason) return <span title={reason}>{format(texts.declinedReason, { reason })}</span>
  return <UploadProblems faults={faults} />
}

const SubmittedCell = ({ submitted_at, created_at }: UploadRow) => <AgoCell at={submitted_at ?? created_at} />

const COLUMNS: Column<UploadRow>[] = [
  { id: 'song', header: texts.song, width: 'auto', cell: (song) => <SongCell song={song} /> },
  { id: 'problems', header: texts.problems, width: 280, showFrom: 620, cell: ProblemsCell },
  { id: 'versions', header: texts.versions, width: 190, showFrom: 860, cell: VersionsCell },
  {
    id: 'bpm',
    header: texts.bpm,
    width: 76,
    isNumeric: true,
    showFrom: 940,
    cell: ({ min_bpm, max_bpm }) => formatBpmRange(min_bpm, max_bpm),
  },
  { id: 'key', header: texts.key, width: 66, showFrom: 940, cell: ({ song_key }) => <KeyBadge songKey={song_key} /> },
  { id: 'uploader', header: texts.uploader, width: 140, showFrom: 1080, cell: ({ uploader }) => uploader.dj_name },
  { id: 'submitted', header: texts.submitted, width: 112, isNumeric: true, showFrom: 740, cell: SubmittedCell },
]

const idOf = ({ entity_id }: Pick<UploadRow, 'entity_id'>) => entity_id

/** Review of members' songs: listen, check, publish or decline. */
export function UploadsPage() {
  const { search, change } = useTableSearch({
    page: positiveInteger,
    state: oneOf(STATES),
    find: trimmedText,
  })
  const { page = 1, state = 'in_review', find } = search
  const query = useApiQuery(review.getUploads, { page, status: state, search: find ?? '' }, { keepPrevious: true })
  const { data, isPlaceholderData } = query
  const openUpload = useOpenRow(data?.songs, idOf)
  const { decide, decline, failures, isBusy } = useDecisions(data?.songs, openUpload)
  const rows = useMemo(
    () => data?.songs.map((song): UploadRow => ({ ...song, failure: failures.get(song.entity_id) })),
    [data?.songs, failures],
  )
  const open = rows?.find(({ entity_id }) => entity_id === openUpload.row?.entity_id)
  const [editing, setEditing] = useState<number>()
  const [declining, setDeclining] = useState<readonly UploadRow[]>()
  const navigate = useNavigate()

  // The last song of the last page has just been decided.
  const isBeyondLastPage = data?.songs.length === 0 && data.pagination.totalCount > 0 && !isPlaceholderData
  const goToFirstPage = useEffectEvent(() => change({}, { replace: true }))
  useEffect(() => {
    if (isBeyondLastPage) goToFirstPage()
  }, [isBeyondLastPage])
  useEffect(() => pausePreview, [])

  const canDecide = (decision: 'publish' | 'decline') => (song: UploadRow) =>
    decisionsOn(song.status).includes(decision)
  const edit = (song: UploadRow) => {
    openUpload.tableProps.onOpen(song)
    setEditing(song.entity_id)
  }
  const actions: RowAction<UploadRow>[] = [
    { label: texts.playOrPause, icon: IconPlayerPlay, key: 'p', run: (song) => void togglePlay(song) },
    {
      label: texts.publish,
      icon: IconCheck,
      key: 'a',
      isAvailable: canDecide('publish'),
      run: (song) => void decide([song], 'publish'),
    },
    {
      label: texts.declineMenuItem,
      icon: IconX,
      key: 'd',
      isAvailable: canDecide('decline'),
      run: (song) => setDeclining([song]),
    },
    { label: texts.edit, icon: IconPencil, key: 'e', run: edit },
    {
      label: texts.viewPublishedSong,
      icon: IconExternalLink,
      key: 'o',
      isAvailable: ({ is_listed, listed_entity_id }) => is_listed && listed_entity_id !== null,
      run: ({ listed_entity_id }) =>
        void navigate({ to: '/song/$entityId', params: { entityId: listed_entity_id ?? 0 } }),
    },
  ]
  const decisions = decisionsOn(state)
  return (
    <TablePage
      total={data?.pagination}
      top={
        <ViewTabs
          label={texts.uploadStatus}
          views={STATES.map((value) => ({ value, name: STATE_NAMES[value], count: data?.counts[value] }))}
          current={state}
          onChange={(value) => change({ state: value === 'in_review' ? undefined : value })}
        />
      }
      panel={
        open && (
          <SidePanel label={open.title} {...openUpload.panelProps}>
            <UploadPanel
              song={open}
              actions={actions}
              isEditing={editing === open.entity_id}
              nextId={rows?.[rows.indexOf(open) + 1]?.entity_id}
              panelProps={openUpload.panelProps}
              onCloseForm={() => setEditing(undefined)}
            />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.songs}
        columns={COLUMNS}
        rows={isBeyondLastPage ? undefined : rows}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadUploads}
        idOf={idOf}
        labelOf={({ title }) => title}
        narrowRow={(song) => ({
          start: <SongCell song={song} />,
          end: (
            <>
              <ProblemsCell {...song} />
              <SubmittedCell {...song} />
            </>
          ),
        })}
        rowActions={actions}
        {...(decisions.length > 0 && {
          bulkActions: (selected: UploadRow[]) => (
            <>
              {decisions.includes('publish') && (
                <Button loading={isBusy} onClick={() => void decide(selected, 'publish')}>
                  {format(texts.publishSongs, { count: selected.length })}
                </Button>
              )}
              {decisions.includes('decline') && (
                <Button variant="default" disabled={isBusy} onClick={() => setDeclining(selected)}>
                  {format(texts.declineSongsMenuItem, { count: selected.length })}
                </Button>
              )}
            </>
          ),
        })}
        {...openUpload.tableProps}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByTitleArtistOr}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          />
        }
        empty={emptyState({
          icon: <IconMusicUp size={24} />,
          none: EMPTY[state],
          noMatches: { title: texts.noMatchingSongs, text: texts.tryADifferentSearchOr },
          isFiltered: Boolean(find),
        })}
      />
      {declining && (
        <ReasonDialog
          {...declineTexts(declining)}
          hint={texts.theUploaderWillSeeThis}
          missingMessage={texts.enterAReasonForTheUploader}
          suggestions={REASONS}
          onSend={(reason) => decline(declining, reason)}
          onClose={() => setDeclining(undefined)}
        />
      )}
    </TablePage>
  )
}

function declineTexts(songs: readonly UploadRow[]) {
  const [first, ...others] = songs
  if (first && others.length === 0)
    return {
      title: format(texts.declineQuestion, { title: first.title }),
      draftName: `refuse.${first.entity_id}`,
      verb: texts.decline,
    }
  const count = songs.length
  return {
    title: format(texts.declineSongsQuestion, { count }),
    draftName: 'refuse.several',
    verb: format(texts.declineSongs, { count }),
  }
}
