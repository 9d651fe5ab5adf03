// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are on a phone
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { downloads, Pagination } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatDate } from '../format/dates.ts'
import { count, formatBpmRange, formatExactDate } from '../format/format.ts'
import { DownloadButton } from './DownloadButton.tsx'
import css from './RescueRows.module.css'
import * as texts from './texts.ts'

type Props = {
  rows: downloads.DownloadedVersion[]
  pagination: Pagination
  /** True while the next page is loading and the previous one is still shown. */
  isStale: boolean
  canDownload: boolean
}

/** Downloads, newest first. */
export const RescueRows = ({ rows, pagination: { page, perPageLimit }, isStale, canDownload }: Props) => (
  <div className={css.table} role="table" aria-label={texts.downloads} aria-busy={isStale || undefined}>
    <div role="rowgroup">
      <div role="row" className={css.head}>
        <ColumnHeader area="index" text="#" />
        <ColumnHeader area="title" text={texts.title} />
        <ColumnHeader area="artist" text={texts.artist} />
        <ColumnHeader area="file" text={texts.download} isHidden />
        <ColumnHeader area="bpm" text={texts.bpm} />
        <ColumnHeader area="key" text={texts.key} />
        <ColumnHeader area="date" text={texts.date} />
        <ColumnHeader area="version" text={texts.version} />
      </div>
    </div>
    <div role="rowgroup">
      {rows.map((row, n) => (
        <DownloadRow
          key={`${row.version.song_version_id} ${row.created_at}`}
          row={row}
          index={(page - 1) * perPageLimit + n + 1}
          canDownload={canDownload}
        />
      ))}
    </div>
  </div>
)

const ColumnHeader = ({ area, text, isHidden }: { area: string; text: string; isHidden?: boolean }) => (
  <div role="columnheader" className={css[area]}>
    {isHidden ? <span className="sr">{text}</span> : text}
  </div>
)

type RowProps = { row: downloads.DownloadedVersion; index: number; canDownload: boolean }

function DownloadRow({ row, index, canDownload }: RowProps) {
  const { title, artist, version, min_bpm, max_bpm, song_key, created_at, available } = row
  return (
    <div role="row" className={css.row} data-testid="rescue-row">
      <div role="cell" className={`${css.index} num`}>
        {count(index)}
      </div>
      <SongTitle row={row} />
      <div role="cell" className={css.artist} title={artist}>
        {artist}
      </div>
      <div role="cell" className={css.file}>
        {canDownload && available && (
          <DownloadButton
            versionId={version.song_version_id}
            limit={row.limit}
            version={version.version_label}
            title={title}
            isOpen={row.can_fetch_free}
            isRepeat
            className={css.get}
          />
        )}
      </div>
      <div role="cell" className={`${css.bpm} num`}>
        {formatBpmRange(min_bpm, max_bpm)}
      </div>
      <div role="cell" className={css.key}>
        <KeyBadge songKey={song_key} />
      </div>
      <div role="cell" className={`${css.date} num`}>
        <time dateTime={created_at} title={formatExactDate(created_at)}>
          {formatDate(created_at)}
        </time>
      </div>
      <div role="cell" className={css.version} title={version.version_label}>
        {version.version_label}
      </div>
    </div>
  )
}

/** Why a version cannot be downloaded, or why it can be although its downloads are used. */
const noteText = ({ listed: isListed, available, is_corrected }: downloads.DownloadedVersion) => {
  if (!available) return isListed ? texts.currentlyUnavailable : texts.noLongerAvailable
  if (is_corrected) return texts.tagsCorrected
  return isListed ? undefined : texts.unpublishedYouCanStillDownload
}

function SongTitle({ row }: { row: downloads.DownloadedVersion }) {
  const { title, entity_id, listed: isListed } = row
  const note = noteText(row)
  return (
    <div role="cell" className={css.title}>
      {isListed ? (
        <Link to="/song/$entityId" params={{ entityId: entity_id }} className={css.name} title={title}>
          {title}
        </Link>
      ) : (
        <span className={css.name} title={title}>
          {title}
        </span>
      )}
      {note && (
        <small className={css.note} title={note}>
          {note}
        </small>
      )}
    </div>
  )
}

/** As many as fill a screen. */
const SKELETON_ROWS = 14

/** Placeholder at the height of the list while it loads. */
export const RescueSkeleton = () => (
  <div className={css.table} aria-busy>
    <div className={css.head} />
    {[...Array(SKELETON_ROWS).keys()].map((n) => (
      <div key={n} className={css.bone} />
    ))}
  </div>
)
