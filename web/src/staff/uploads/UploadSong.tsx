import { catalogue, type review, type uploadedSongs } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { KeyBadge } from '../../catalogue/KeyBadge.tsx'
import { formatDate } from '../../platform/dates.ts'
import { formatBpmRange, formatExactDate } from '../../platform/format.ts'
import { formatList } from '../../platform/formatList.ts'
import { rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { SourceMark } from '../../uploads/Field.tsx'
import * as texts from './texts.ts'
import css from './UploadSong.module.css'
import { UploadVersion } from './UploadVersion.tsx'
import { DECIDED, nearness, sectionName } from './uploadStates.ts'

/** An open song: its values, what would change, its versions, and other songs with the same recording. */
export function UploadSong({ whole: { song, versions, differences, twins, history } }: { whole: review.ReviewedSong }) {
  return (
    <div className={css.song}>
      {song.is_edit && <Differences differences={differences} />}
      <Values song={song} />
      <Twins twins={twins} />
      <ol className={css.versions} aria-label={texts.versions}>
        {versions.map((slot, n) => (
          <UploadVersion key={slot.song_version_id} slot={slot} number={n + 1} faults={faultsOfSong(song, slot)} />
        ))}
      </ol>
      <History history={history} />
    </div>
  )
}

/**
 * Problems that only show in comparison with the other versions, such as a different length; those of the file itself
 * are shown elsewhere.
 */
const faultsOfSong = ({ faults }: review.ReviewedSong['song'], { name, file }: uploadedSongs.Slot) =>
  faults.filter(
    ({ version_label, code }) => version_label === name && !file.analysis.faults.some((fault) => fault.code === code),
  )

function Differences({ differences }: Pick<review.ReviewedSong, 'differences'>) {
  if (differences.length === 0) return <p className={css.note}>{texts.noChangesToThePublished}</p>
  return (
    <section className={css.part}>
      <h3>{texts.changesToThePublishedVersion}</h3>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">{texts.field}</th>
              <th scope="col">{texts.current}</th>
              <th scope="col">{texts.newLabel}</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, before, after }) => (
              <tr key={`${field} ${before} ${after}`}>
                <th scope="row">{field}</th>
                <td>{before === null ? <i>{texts.none}</i> : <del>{before}</del>}</td>
                <td>{after === null ? <i>{texts.removed}</i> : <ins>{after}</ins>}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  )
}

function Values({ song }: Pick<review.ReviewedSong, 'song'>) {
  const { sources, title, artist, year, song_key, min_bpm, max_bpm, song_section_id, expire_date } = song
  return (
    <dl className={css.values}>
      <Value name={texts.title} source={sources.title}>
        {title}
      </Value>
      <Value name={texts.artist} source={sources.artist}>
        {artist}
      </Value>
      <Value name={texts.year} source={sources.year}>
        {year ?? '–'}
      </Value>
      <Value name={texts.bpm} source={sources.bpm}>
        {formatBpmRange(min_bpm, max_bpm)}
      </Value>
      <Value name={texts.key} source={sources.song_key}>
        <KeyBadge songKey={song_key} />
      </Value>
      <Value name={texts.genres} source={sources.genres}>
        <GenreNames ids={song.genres} />
      </Value>
      <Value name={texts.section}>{sectionName(song_section_id)}</Value>
      <Value name={texts.expires}>{formatDate(expire_date)}</Value>
    </dl>
  )
}

type ValueProps = { name: string; source?: uploadedSongs.Source; children: ReactNode }

const Value = ({ name, source, children }: ValueProps) => (
  <div>
    <dt>{name}</dt>
    <dd>
      {children} <SourceMark source={source} />
    </dd>
  </div>
)

function GenreNames({ ids }: { ids: readonly number[] }) {
  const { data } = useApiQuery(catalogue.getGenresWithCount, {})
  const all = data?.genres.flatMap((main) => [main, ...main.subgenre]) ?? []
  const names = all.filter(({ genre_id }) => ids.includes(genre_id)).map(({ name }) => name)
  return formatList(names) || '–'
}

function Twins({ twins }: Pick<review.ReviewedSong, 'twins'>) {
  if (twins.length === 0) return null
  return (
    <section className={css.twins}>
      <h3>{texts.possibleDuplicates}</h3>
      <ul>
        {twins.map((twin) => (
          <li key={`${twin.version_label} ${twin.entity_id} ${twin.duplicate_label}`}>
            <Twin twin={twin} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function Twin({ twin }: { twin: review.UploadDuplicate }) {
  const { version_label, artist, title, duplicate_label, entity_id } = twin
  const song = (inside: ReactNode) => (
    <Link to="/song/$entityId" params={{ entityId: entity_id }}>
      {inside}
    </Link>
  )
  const percent = nearness(twin)
  return percent === undefined
    ? rich(texts.identicalFileTo, { version_label, artist, title, duplicate_label, song })
    : rich(texts.sameRecordingAs, { version_label, percent, artist, title, duplicate_label, song })
}

function History({ history }: Pick<review.ReviewedSong, 'history'>) {
  if (history.length === 0) return null
  return (
    <section className={css.part}>
      <h3>{texts.history}</h3>
      <ol className={css.history}>
        {history.map(({ at, by, decision, reason }) => (
          <li key={`${at} ${decision}`}>
            <Decided decision={decision} by={by} at={at} reason={reason} />
          </li>
        ))}
      </ol>
    </section>
  )
}

function Decided({ decision, by, at, reason }: review.ReviewedSong['history'][number]) {
  const values = {
    by,
    at: formatDate(at),
    time: (inside: ReactNode) => (
      <time dateTime={at} title={formatExactDate(at)}>
        {inside}
      </time>
    ),
  }
  const { plain, because } = DECIDED[decision]
  return reason ? rich(because, { ...values, reason }) : rich(plain, values)
}
