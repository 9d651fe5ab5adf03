import { catalogue, type review, type uploadedSongs } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { fullDay } from '../platform/days.ts'
import { bpmRange, exactDate } from '../platform/format.ts'
import { useAsk } from '../platform/queries.ts'
import { SourceMark } from '../uploads/Field.tsx'
import css from './UploadSong.module.css'
import { UploadVersion } from './UploadVersion.tsx'
import { DECIDED, nearness, sectionName } from './uploadWords.ts'

/** A song, open: what it is, what would change, its versions to be heard, what else has the same recording. */
export function UploadSong({ whole: { song, versions, differences, twins, history } }: { whole: review.ReviewedSong }) {
  return (
    <div className={css.song}>
      {song.is_edit && <Differences differences={differences} />}
      <Values song={song} />
      <Twins twins={twins} />
      <ol className={css.versions} aria-label="Versions">
        {versions.map((slot, n) => (
          <UploadVersion key={slot.song_version_id} slot={slot} number={n + 1} faults={faultsOfSong(song, slot)} />
        ))}
      </ol>
      <History history={history} />
    </div>
  )
}

/** What is wrong with a version only beside its sisters, such as its length: the file itself does not tell. */
const faultsOfSong = ({ faults }: review.ReviewedSong['song'], { name, file }: uploadedSongs.Slot) =>
  faults.filter(
    ({ version_label, code }) => version_label === name && !file.analysis.faults.some((fault) => fault.code === code),
  )

function Differences({ differences }: Pick<review.ReviewedSong, 'differences'>) {
  if (differences.length === 0) return <p className={css.note}>No changes to the published version</p>
  return (
    <section className={css.part}>
      <h3>Changes to the published version</h3>
      <div className={css.scroll}>
        <table className={css.table}>
          <thead>
            <tr>
              <th scope="col">Field</th>
              <th scope="col">Current</th>
              <th scope="col">New</th>
            </tr>
          </thead>
          <tbody>
            {differences.map(({ field, before, after }) => (
              <tr key={`${field} ${before} ${after}`}>
                <th scope="row">{field}</th>
                <td>{before === null ? <i>none</i> : <del>{before}</del>}</td>
                <td>{after === null ? <i>removed</i> : <ins>{after}</ins>}</td>
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
      <Value name="Title" source={sources.title}>
        {title}
      </Value>
      <Value name="Artist" source={sources.artist}>
        {artist}
      </Value>
      <Value name="Year" source={sources.year}>
        {year ?? '–'}
      </Value>
      <Value name="BPM" source={sources.bpm}>
        {bpmRange(min_bpm, max_bpm)}
      </Value>
      <Value name="Key" source={sources.song_key}>
        <KeyBadge songKey={song_key} />
      </Value>
      <Value name="Genres" source={sources.genres}>
        <GenreNames ids={song.genres} />
      </Value>
      <Value name="Section">{sectionName(song_section_id)}</Value>
      <Value name="Expires">{fullDay(expire_date)}</Value>
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
  const { data } = useAsk(catalogue.getGenresWithCount, {})
  const all = data?.genres.flatMap((main) => [main, ...main.subgenre]) ?? []
  const names = all.filter(({ genre_id }) => ids.includes(genre_id)).map(({ name }) => name)
  return names.join(', ') || '–'
}

function Twins({ twins }: Pick<review.ReviewedSong, 'twins'>) {
  if (twins.length === 0) return null
  return (
    <section className={css.twins}>
      <h3>Possible duplicates</h3>
      <ul>
        {twins.map((twin) => (
          <li key={`${twin.version_label} ${twin.entity_id} ${twin.twin_label}`}>
            {twin.version_label}: {nearness(twin)}{' '}
            <Link to="/song/$entityId" params={{ entityId: twin.entity_id }}>
              {' '}
              {twin.artist} – {twin.title}{' '}
            </Link>{' '}
            ({twin.twin_label})
          </li>
        ))}
      </ul>
    </section>
  )
}

function History({ history }: Pick<review.ReviewedSong, 'history'>) {
  if (history.length === 0) return null
  return (
    <section className={css.part}>
      <h3>History</h3>
      <ol className={css.history}>
        {history.map(({ at, by, decision, reason }) => (
          <li key={`${at} ${decision}`}>
            {DECIDED[decision]} by {by},{' '}
            <time dateTime={at} title={exactDate(at)}>
              {fullDay(at)}
            </time>
            {reason && `: ${reason}`}
          </li>
        ))}
      </ol>
    </section>
  )
}
