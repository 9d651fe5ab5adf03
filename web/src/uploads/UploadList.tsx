import { type ReplyOf, uploadedSongs } from '@dubplate/contract'
import { Stack } from '@mantine/core'
import { IconPlus, IconUpload } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import type { Sort } from '../catalogue/SortHeader.tsx'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { useMarkSeen } from '../notices/useMarkSeen.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { Chips } from '../ui/Chips.tsx'
import { NoResultsInRange } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { MemberPage } from './MemberPage.tsx'
import { SendingList } from './SendingList.tsx'
import { STATE_NAMES } from './songDisplay.ts'
import * as texts from './texts.ts'
import { type UploadOrder, UploadRows, UploadSkeleton } from './UploadRows.tsx'
import { useUploadWatch } from './useUploadWatch.ts'

/** The songs a member has uploaded, with their states. */
export const UploadList = () => (
  <MemberPage title={texts.uploadSongList} actions={<AddSongButton />}>
    <UploadedSongs />
  </MemberPage>
)

const AddSongButton = ({ text = texts.addNew }: { text?: string }) => (
  <Link to="/uploads/new" className={button.button} data-look="primary">
    <IconPlus size={16} aria-hidden />
    {text}
  </Link>
)

type UploadedSongsReply = ReplyOf<typeof uploadedSongs.getUploadedSongs>

function UploadedSongs() {
  const { page = 1, status, sort, dir } = useSearch({ from: '/uploads/index' })
  const navigate = useNavigate({ from: '/uploads/index' })
  const input = { page, status, order: sort, orderDir: dir }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(uploadedSongs.getUploadedSongs, input, {
    keepPrevious: true,
  })
  useMarkSeen(data)
  useUploadWatch(data?.data.some((song) => song.status === 'analysing') ?? false)
  const isPageOutOfRange = data?.data.length === 0 && data.pagination.totalCount > 0 && !isPlaceholderData
  useEffect(() => {
    // The only song on the last page has just been deleted.
    if (isPageOutOfRange) void navigate({ search: (previous) => ({ ...previous, page: undefined }), replace: true })
  }, [isPageOutOfRange, navigate])
  const onSort = ({ order, dir }: Sort<UploadOrder>) =>
    void navigate({ search: ({ status }) => ({ status, sort: order, dir }), resetScroll: false })
  return (
    <Stack gap="lg">
      <StatusFilter counts={data?.counts} chosen={status} />
      <SendingList />
      {data && !isPageOutOfRange ? (
        <UploadResults
          data={data}
          isFiltered={status !== undefined}
          isStale={isPlaceholderData}
          sorting={{ sort: { ...(sort ? { order: sort } : {}), ...(dir ? { dir } : {}) }, onSort }}
        />
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadYourUploads} retry={() => void refetch()} />
      ) : (
        <UploadSkeleton />
      )}
    </Stack>
  )
}

type StatusFilterProps = {
  counts: UploadedSongsReply['counts'] | undefined
  chosen: uploadedSongs.SongState | undefined
}

/** The states as filters, each with its number of songs. */
function StatusFilter({ counts, chosen }: StatusFilterProps) {
  const navigate = useNavigate({ from: '/uploads/index' })
  const all = counts && Object.values(counts).reduce((sum, n) => sum + n, 0)
  const label = (name: string, n: number | undefined) =>
    n === undefined ? name : format(texts.filterWithCount, { name, count: count(n) })
  return (
    <Chips
      label={texts.status}
      choices={[
        { value: undefined, label: label(texts.all, all) },
        ...uploadedSongs.SONG_STATES.map((state) => ({
          value: state,
          label: label(STATE_NAMES[state], counts && (counts[state] ?? 0)),
        })),
      ]}
      chosen={chosen}
      onChoose={(status) => void navigate({ search: ({ sort, dir }) => ({ status, sort, dir }), resetScroll: false })}
    />
  )
}

type UploadResultsProps = {
  data: UploadedSongsReply
  isFiltered: boolean
  isStale: boolean
  sorting: React.ComponentProps<typeof UploadRows>['sorting']
}

function UploadResults({ data: { data: songs, pagination }, isFiltered, isStale, sorting }: UploadResultsProps) {
  if (songs.length > 0) {
    return (
      <>
        <UploadRows songs={songs} isStale={isStale} sorting={sorting} />
        <Pagination pagination={pagination} />
      </>
    )
  }
  if (isFiltered) {
    return (
      <NoResultsInRange icon={<IconUpload size={24} />} title={texts.noSongsWithThisStatus}>
        {texts.chooseAnotherStatusOrShow}
      </NoResultsInRange>
    )
  }
  return (
    <EmptyState
      icon={<IconUpload size={24} />}
      title={texts.noSongsYet}
      action={<AddSongButton text={texts.addYourFirstSong} />}
    >
      {texts.uploadASongToGet}
    </EmptyState>
  )
}
