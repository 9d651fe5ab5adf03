// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are on a phone
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import { uploadedSongs } from '@dubplate/contract'
import { Group, Skeleton, Text } from '@mantine/core'
import { IconChartBar, IconPencil, IconRefresh, IconTrash } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { SortHeader, type Sorting } from '../catalogue/SortHeader.tsx'
import { formatDate } from '../format/dates.ts'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { usePool } from '../platform/pool.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { lazyOnDemand } from '../ui/lazyOnDemand.tsx'
import { TextButton } from './elements.tsx'
import { StateMark } from './SongStatus.tsx'
import { statusExplanation, truncate } from './songDisplay.ts'
import * as texts from './texts.ts'
import css from './UploadRows.module.css'
import { useFocusAfter } from './useFocusAfter.ts'

const SongFigures = lazyOnDemand(() => import('./SongFigures.tsx').then(({ SongFigures }) => SongFigures))

export type UploadOrder = 'title' | 'artist' | 'expire_date'

type Song = uploadedSongs.UploadedSong

type Props = {
  songs: Song[]
  /** True while the next page is loading and the previous one is still shown. */
  isStale: boolean
  sorting: Sorting<UploadOrder>
}

/** A member's own songs, each with its actions. */
export function UploadRows({ songs, isStale, sorting }: Props) {
  const [pendingAction, setPendingAction] = useState<{ song: Song; what: 'renew' | 'delete'; at: number }>()
  const table = useRef<HTMLDivElement>(null)
  const moveFocusAfter = useFocusAfter(table, '[data-delete]')
  return (
    <>
      <div
        ref={table}
        role="table"
        aria-label={texts.uploadedSongs}
        aria-busy={isStale || undefined}
        style={{ opacity: isStale ? 0.6 : undefined }}
      >
        <div role="rowgroup">
          <div role="row" className={css.head}>
            <SortHeader order="title" text={texts.title} className={css.title} sorting={sorting} />
            <SortHeader order="artist" text={texts.artist} className={css.artist} sorting={sorting} />
            <div role="columnheader" className={css.faults}>
              {texts.corruptVersions}
            </div>
            <div role="columnheader" className={css.status}>
              {texts.status}
            </div>
            <SortHeader order="expire_date" text={texts.expires} className={css.date} sorting={sorting} />
            <div role="columnheader" className={css.actions}>
              <span className="sr">{texts.actions}</span>
            </div>
          </div>
        </div>
        {songs.map((song, at) => (
          <UploadRow key={song.entity_id} song={song} onAction={(what) => setPendingAction({ song, what, at })} />
        ))}
      </div>
      {pendingAction && (
        <SongActionDialog
          song={pendingAction.song}
          what={pendingAction.what}
          onClose={() => {
            setPendingAction(undefined)
            moveFocusAfter(pendingAction.at)
          }}
        />
      )}
    </>
  )
}

function UploadRow({ song, onAction }: { song: Song; onAction: (what: 'renew' | 'delete') => void }) {
  const [isOpen, setOpen] = useState(false)
  const { entity_id, title, artist, status, expire_date, is_listed, listed_entity_id } = song
  const why = statusExplanation(song)
  return (
    <div role="rowgroup" className={css.group}>
      <div role="row" className={css.row} data-testid="upload-row">
        <Text role="cell" className={css.title} fw={580} truncate title={title}>
          {listed_entity_id !== null && is_listed ? (
            <Link to="/song/$entityId" params={{ entityId: listed_entity_id }}>
              {title}
            </Link>
          ) : (
            title
          )}
        </Text>
        <Text role="cell" className={css.artist} c="var(--text-2)" truncate title={artist}>
          {artist}
        </Text>
        <div role="cell" className={css.faults}>
          <Faults song={song} />
        </div>
        <div role="cell" className={css.status}>
          <StateMark status={status} />
          {why && <CollapsedText text={why} />}
        </div>
        <Text role="cell" className={`${css.date} num`} size="sm" c="var(--text-2)">
          <time dateTime={expire_date} title={formatExactDate(expire_date)}>
            {formatDate(expire_date)}
          </time>
        </Text>
        <Group role="cell" className={css.actions} gap={0} wrap="nowrap" justify="flex-end">
          <IconButton
            label={format(texts.statisticsFor, { title })}
            aria-expanded={isOpen}
            className={css.action}
            onClick={() => setOpen(!isOpen)}
          >
            <IconChartBar size={17} />
          </IconButton>
          <IconButton label={format(texts.renew, { title })} className={css.action} onClick={() => onAction('renew')}>
            <IconRefresh size={17} />
          </IconButton>
          <Link
            to="/uploads/edit-song/$entityId"
            params={{ entityId: entity_id }}
            className={css.action}
            aria-label={format(texts.edit, { title })}
            title={format(texts.edit, { title })}
          >
            <IconPencil size={17} />
          </Link>
          <IconButton
            label={format(texts.deleteSongLabel, { title })}
            data-delete
            className={css.action}
            onClick={() => onAction('delete')}
          >
            <IconTrash size={17} />
          </IconButton>
        </Group>
      </div>
      {isOpen && (
        <div role="row" className={css.figures}>
          <div role="cell" aria-colspan={6}>
            <SongFigures entityId={entity_id} title={title} />
          </div>
        </div>
      )}
    </div>
  )
}

function Faults({ song: { corrupt_version, faults } }: { song: Song }) {
  if (!corrupt_version) return <span className={css.none}>–</span>
  const isBlocked = faults.some(({ blocks }) => blocks)
  return <CollapsedText text={corrupt_version} colour={isBlocked ? 'var(--danger)' : 'var(--warn)'} />
}

function CollapsedText({ text, colour = 'var(--text-2)' }: { text: string; colour?: string }) {
  const [isOpen, setOpen] = useState(false)
  const preview = truncate(text)
  return (
    <Text span className={css.words} size="xs" c={colour}>
      {isOpen ? text : preview}
      {preview !== text && (
        <>
          {' '}
          <TextButton c="var(--text)" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.showLess : texts.showMore}
          </TextButton>
        </>
      )}
    </Text>
  )
}

const LISTS = [uploadedSongs.getUploadedSongs]

type SongActionDialogProps = { song: Song; what: 'renew' | 'delete'; onClose: () => void }

function SongActionDialog({ song: { entity_id, title, artist, is_listed }, what, onClose }: SongActionDialogProps) {
  const { upload_days } = usePool()
  const renew = useApiMutation(uploadedSongs.renewSong, {
    invalidates: LISTS,
    success: ({ expire_date }) => ({
      message: format(texts.renewedUntil, { title, expire_date: formatDate(expire_date) }),
    }),
  })
  const remove = useApiMutation(uploadedSongs.deleteSong, {
    invalidates: LISTS,
    success: () => ({ message: format(texts.deleted, { title }) }),
  })
  const name = format(texts.songAndArtist, { artist, title })
  if (what === 'renew') {
    return (
      <ConfirmDialog
        title={texts.areYouSureYouWant}
        what={format(texts.willBeAvailableForAnother, { name, upload_days })}
        confirmLabel={texts.renewSong}
        onConfirm={() => renew.mutateAsync({ entity_id })}
        onClose={onClose}
      />
    )
  }
  return (
    <ConfirmDialog
      title={texts.removeSongConfirmation}
      what={format(is_listed ? texts.willBeUnpublishedImmediatelyMembers : texts.songAndFilesWillBeDeleted, { name })}
      confirmLabel={texts.deleteSong}
      isDanger
      onConfirm={() => remove.mutateAsync({ entity_id })}
      onClose={onClose}
    />
  )
}

/** Placeholder at the height of the list while it loads. */
export const UploadSkeleton = () => (
  <div aria-busy>
    {[...Array(10).keys()].map((n) => (
      <Skeleton key={n} height={22} my={17} />
    ))}
  </div>
)
