// biome-ignore-all lint/a11y/useSemanticElements: a real table cannot be laid out as these rows are on a phone
// biome-ignore-all lint/a11y/useFocusableInteractive: the focus goes to the controls inside
import type { downloads, Pagination } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { fullDay } from '../platform/days.ts'
import { bpmRange, count, exactDate } from '../platform/format.ts'
import { DownloadButton } from './DownloadButton.tsx'
import css from './RescueRows.module.css'
import * as texts from './texts.ts'

type Props = {
  rows: downloads.Rescued[]
  pagination: Pagination
  /** The next page is on its way; this is still the one before. */
  isStale: boolean
  canDownload: boolean
}

/** Downloads, the last one first. */
export const RescueRows = ({ rows, pagination: { page, perPageLimit }, isStale, canDownload }: Props) => (
  <div className={css.table} role="table" aria-label={texts.downloads} aria-busy={isStale || undefined}>
    <div role="rowgroup">
      <div role="row" className={css.head}>
        <Head area="index" text="#" />
        <Head area="title" text={texts.title} />
        <Head area="artist" text={texts.artist} />
        <Head area="file" text={texts.download} isHidden />
        <Head area="bpm" text={texts.bpm} />
        <Head area="key" text={texts.key} />
        <Head area="date" text={texts.date} />
        <Head area="version" text={texts.version} />
      </div>
    </div>
    <div role="rowgroup">
      {rows.map((row, n) => (
        <Row
          key={`${row.version.song_version_id} ${row.created_at}`}
          row={row}
          index={(page - 1) * perPageLimit + n + 1}
          canDownload={canDownload}
        />
      ))}
    </div>
  </div>
)

const Head = ({ area, text, isHidden }: { area: string; text: string; isHidden?: boolean }) => (
  <div role="columnheader" className={css[area]}>
    {isHidden ? <span className="sr">{text}</span> : text}
  </div>
)

type RowProps = { row: downloads.Rescued; index: number; canDownload: boolean }

function Row({ row, index, canDownload }: RowProps) {
  const { title, artist, version, min_bpm, max_bpm, song_key, created_at, available } = row
  return (
    <div role="row" className={css.row} data-testid="rescue-row">
      <div role="cell" className={`${css.index} num`}>
        {count(index)}
      </div>
      <Title row={row} />
      <div role="cell" className={css.artist} title={artist}>
        {artist}
      </div>
      <div role="cell" className={css.file}>
        {canDownload && available && (
          <DownloadButton
            versionId={version.song_version_id}
            limit={row.limit}
            name={`${version.version_label}, ${title}`}
            isOpen={row.can_fetch_free}
            className={css.get}
          />
        )}
      </div>
      <div role="cell" className={`${css.bpm} num`}>
        {bpmRange(min_bpm, max_bpm)}
      </div>
      <div role="cell" className={css.key}>
        <KeyBadge songKey={song_key} />
      </div>
      <div role="cell" className={`${css.date} num`}>
        <time dateTime={created_at} title={exactDate(created_at)}>
          {fullDay(created_at)}
        </time>
      </div>
      <div role="cell" className={css.version} title={version.version_label}>
        {version.version_label}
      </div>
    </div>
  )
}

/** Why there is nothing to fetch, or why it may be fetched although it seems to be done with. */
const noteOf = ({ listed, available, is_corrected }: downloads.Rescued) => {
  if (!available) return listed ? texts.currentlyUnavailable : texts.noLongerAvailable
  if (is_corrected) return texts.tagsCorrectedDownloadAgainFor
  return listed ? undefined : texts.unpublishedYouCanStillDownload
}

function Title({ row }: { row: downloads.Rescued }) {
  const { title, entity_id, listed } = row
  const note = noteOf(row)
  return (
    <div role="cell" className={css.title}>
      {listed ? (
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
const BONES = 14

/** The list while it is on its way, in its height. */
export const RescueBones = () => (
  <div className={css.table} aria-busy>
    <div className={css.head} />
    {[...Array(BONES).keys()].map((n) => (
      <div key={n} className={css.bone} />
    ))}
  </div>
)
