import { catalogue } from '@dubplate/contract'
import { Link, Navigate, useLocation, useParams } from '@tanstack/react-router'
import { useEffect, useMemo, useRef } from 'react'
import { formatBpmRange, formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { imageAt } from '../platform/media.ts'
import page from '../platform/Page.module.css'
import { Page, useTabTitle } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import { MixList } from './MixesWith.tsx'
import { SongList, SongListSkeleton } from './SongList.tsx'
import css from './SongView.module.css'
import * as texts from './texts.ts'

/** The screen of one song, which its title and copied links lead to. */
export function SongView() {
  const { entityId } = useParams({ from: '/song/$entityId' })
  const { data, error, refetch } = useApiQuery(catalogue.getSong, { entity_id: entityId })
  if (data && data.song.entity_id !== entityId)
    return <Navigate to="/song/$entityId" params={{ entityId: data.song.entity_id }} replace />
  if (data) return <SongPageContent song={data.song} />
  return (
    <Page title={error ? texts.song : undefined}>
      {error ? (
        <ErrorState error={error} title={texts.couldntLoadThisSong} retry={() => void refetch()} />
      ) : (
        <>
          <div className={css.head} aria-busy>
            <i className={css.cover} />
            <span className={css.words}>
              <i />
              <i />
              <i />
            </span>
          </div>
          <SongListSkeleton rows={1} />
        </>
      )}
    </Page>
  )
}

function SongPageContent({ song }: { song: catalogue.Song }) {
  useTabTitle(`${song.title} – ${song.artist}`)
  const ownList = useMemo(() => [song], [song])
  return (
    <div className={page.page}>
      <div className={css.head}>
        <img className={css.cover} src={imageAt(song.image, 320)} alt="" width={184} height={184} />
        <div className={css.words}>
          <h1>{song.title}</h1>
          <Link to="/search/result/{-$term}" search={{ artist: song.artist }} className={css.artist}>
            {song.artist}
          </Link>
          <Facts song={song} />
        </div>
      </div>
      <SongList songs={ownList} label={song.title} />
      <MixesSection song={song} />
    </div>
  )
}

const MIXES_HEADING_ID = 'mixes'

/** The section that “Mixes with” leads to by its hash. */
function MixesSection({ song }: { song: catalogue.Song }) {
  const isLinkTarget = useLocation({ select: ({ hash }) => hash === MIXES_HEADING_ID })
  const section = useRef<HTMLElement>(null)
  useEffect(() => {
    if (isLinkTarget) section.current?.scrollIntoView({ block: 'start' })
  }, [isLinkTarget])
  return (
    <section ref={section} className={css.mixes} aria-labelledby={MIXES_HEADING_ID}>
      <SectionHead id={MIXES_HEADING_ID} title={texts.mixesWellWith} />
      <MixList song={song} rows={5} />
    </section>
  )
}

const Facts = ({ song }: { song: catalogue.Song }) => (
  <p className={css.facts}>
    <span className="num">{format(texts.bpm, { bpmRange: formatBpmRange(song.min_bpm, song.max_bpm) })}</span>
    <KeyBadge songKey={song.song_key} />
    {song.genres.map(({ genre_id, name }) => (
      <Link key={genre_id} to="/genres/view/$genreId" params={{ genreId: genre_id }} className={css.link}>
        {name}
      </Link>
    ))}
    {song.year && <span className="num">{song.year}</span>}
    <time dateTime={song.created_at} title={formatExactDate(song.created_at)}>
      {format(texts.added, { created_at: formatShortDate(song.created_at) })}
    </time>
  </p>
)
