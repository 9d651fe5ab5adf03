import { IconAlertTriangle, IconArrowUpRight } from '@tabler/icons-react'
import { DateCell, Status, type Tone } from '../../admin/cells.tsx'
import type { Column } from '../../admin/ResourceTable.tsx'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import { sectionName } from '../uploads/uploadStates.ts'
import type { Song } from './songActions.ts'
import { FIELD_NAMES, formatTempo, genresOf } from './songFields.ts'
import * as texts from './texts.ts'

const STATUSES: Record<Song['status'], { text: string; tone: Tone }> = {
  published: { text: texts.published, tone: 'ok' },
  unpublished: { text: texts.unpublished, tone: 'danger' },
  draft: { text: texts.draft, tone: 'neutral' },
}

export const SongStatus = ({ song: { status } }: { song: Song }) => (
  <Status tone={STATUSES[status].tone}>{STATUSES[status].text}</Status>
)

const MISSING: Record<Song['lacks'][number], string> = {
  key: texts.key,
  bpm: texts.bpm,
  art: texts.cover,
  genre: texts.genre,
  year: texts.year,
}

/** What a song has no value for: 'Cover, Key'. */
export const MissingValues = ({ song: { lacks } }: { song: Song }) =>
  lacks.length > 0 && (
    <span style={{ color: 'var(--warn)' }} title={formatList(lacks.map((field) => MISSING[field]))}>
      <IconAlertTriangle size={14} style={{ verticalAlign: -2 }} aria-hidden />{' '}
      {formatList(lacks.map((field) => MISSING[field]))}
    </span>
  )

function Versions({ song: { title, versions } }: { song: Song }) {
  const published = versions.filter(({ status }) => status !== 'unpublished')
  return (
    <button
      type="button"
      tabIndex={-1}
      aria-label={format(texts.versionsOf, { title })}
      title={formatList(published.map(({ version_label }) => version_label))}
    >
      {published.length}
      {published.length < versions.length && ` / ${versions.length}`}
    </button>
  )
}

/** The names of the columns are those of the fields, so that cells can be edited. Buttons open the side panel. */
export const SONG_COLUMNS: Column<Song>[] = [
  {
    id: 'title',
    header: FIELD_NAMES.title,
    width: 'auto',
    sort: 'title',
    cell: ({ title }) => (
      <button type="button" tabIndex={-1} title={title}>
        {title}
      </button>
    ),
  },
  { id: 'artist', header: FIELD_NAMES.artist, width: 150, sort: 'artist', cell: ({ artist }) => artist },
  { id: 'status', header: texts.status, width: 112, cell: (song) => <SongStatus song={song} /> },
  { id: 'genres', header: FIELD_NAMES.genres, width: 130, showFrom: 860, cell: genresOf },
  { id: 'bpm', header: FIELD_NAMES.bpm, width: 84, isNumeric: true, showFrom: 660, sort: 'bpm', cell: formatTempo },
  {
    id: 'song_key',
    header: FIELD_NAMES.song_key,
    width: 66,
    showFrom: 660,
    sort: 'key',
    cell: ({ song_key }) => song_key && <KeyBadge songKey={song_key} />,
  },
  {
    id: 'year',
    header: FIELD_NAMES.year,
    width: 66,
    isNumeric: true,
    showFrom: 1380,
    sort: 'year',
    isDescendingFirst: true,
    cell: ({ year }) => year,
  },
  {
    id: 'versions',
    header: texts.versions,
    width: 84,
    isNumeric: true,
    showFrom: 900,
    cell: (song) => <Versions song={song} />,
  },
  { id: 'album', header: FIELD_NAMES.album, width: 150, isOptional: true, cell: ({ album }) => album },
  { id: 'label', header: FIELD_NAMES.label, width: 130, showFrom: 1240, cell: ({ label }) => label },
  { id: 'remixer', header: FIELD_NAMES.remixer, width: 140, isOptional: true, cell: ({ remixer }) => remixer },
  { id: 'isrc', header: FIELD_NAMES.isrc, width: 140, isOptional: true, cell: ({ isrc }) => isrc },
  {
    id: 'song_section_id',
    header: FIELD_NAMES.song_section_id,
    width: 90,
    isOptional: true,
    cell: ({ song_section_id }) => sectionName(song_section_id),
  },
  {
    id: 'missing',
    header: texts.missing,
    width: 118,
    showFrom: 1000,
    cell: (song) => <MissingValues song={song} />,
  },
  {
    id: 'added',
    header: texts.addedColumn,
    width: 104,
    isNumeric: true,
    showFrom: 1090,
    sort: 'added',
    isDescendingFirst: true,
    cell: ({ created_at }) => <DateCell at={created_at} />,
  },
  {
    id: 'changed',
    header: texts.changed,
    width: 104,
    isNumeric: true,
    isOptional: true,
    sort: 'changed',
    isDescendingFirst: true,
    cell: ({ changed_at }) => changed_at && <DateCell at={changed_at} />,
  },
  {
    id: 'open',
    header: texts.open,
    width: 66,
    cell: ({ entity_id, title }) => (
      // The table follows it: a `Link` takes longer to render than the rest of its row.
      <a
        href={`/staff/songs/${entity_id}`}
        tabIndex={-1}
        aria-label={format(texts.openLabel, { title })}
        title={format(texts.songNumber, { entity_id })}
      >
        <IconArrowUpRight size={16} style={{ display: 'block' }} aria-hidden />
      </a>
    ),
  },
]
