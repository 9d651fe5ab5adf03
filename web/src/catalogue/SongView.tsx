import { catalogue, type ReplyOf, songDetails } from '@dubplate/contract'
import {
  IconBasketFilled,
  IconBasketPlus,
  IconDots,
  IconHeart,
  IconHeartFilled,
  IconLink,
  IconPlayerPauseFilled,
  IconPlayerPlayFilled,
} from '@tabler/icons-react'
import { Link, Navigate, useLocation, useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useRef } from 'react'
import { formatBpmRange, formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { toggleCrate, toggleFavourite, useLibrary } from '../library/library.ts'
import { preferredVersion } from '../library/preferredVersion.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { InlineError } from '../platform/InlineError.tsx'
import { imageAt } from '../platform/media.ts'
import page from '../platform/Page.module.css'
import { Page, useTabTitle } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { hasDifferences, VersionDifferences } from '../quality/VersionDifferences.tsx'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { artistLink, labelLink } from './addresses.ts'
import { KeyBadge } from './KeyBadge.tsx'
import { MixList } from './MixesWith.tsx'
import { playVersion, SongVersions } from './SongVersions.tsx'
import css from './SongView.module.css'
import { copySongLink } from './songLink.ts'
import { openSongMenu } from './songMenu.ts'
import * as texts from './texts.ts'
import { keysOf } from './versionTempo.ts'

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
          <div className={css.versions}>
            {[0, 1, 2].map((n) => (
              <i key={n} className={css.version} />
            ))}
          </div>
        </>
      )}
    </Page>
  )
}

function SongPageContent({ song }: { song: catalogue.Song }) {
  useTabTitle(`${song.title} – ${song.artist}`)
  const details = useApiQuery(songDetails.getSongDetails, { entity_id: song.entity_id })
  return (
    <div className={page.page}>
      <div className={css.head}>
        <img className={css.cover} src={imageAt(song.image, 320)} alt="" width={184} height={184} />
        <div className={css.words}>
          <h1>{song.title}</h1>
          <Link {...artistLink(song.artist)} className={css.artist}>
            {song.artist}
          </Link>
          <Facts song={song} />
          <Actions song={song} />
        </div>
      </div>
      <SongVersions song={song} files={details.data?.versions} />
      {details.data && <CleanEdits song={song} comparisons={details.data.comparisons} />}
      {details.error && (
        <InlineError error={details.error} title={texts.couldntLoadDetails} retry={() => void details.refetch()} />
      )}
      {details.data && <Credits song={song} details={details.data} />}
      {details.data && <Appearances appearances={details.data.appearances} />}
      {/* Below the details, which would move it when they arrive. */}
      {!details.isPending && <MixesSection song={song} />}
    </div>
  )
}

/** Where the Clean versions differ from the Dirty ones. */
function CleanEdits({ song, comparisons }: { song: catalogue.Song; comparisons: Details['comparisons'] }) {
  const play = (songVersionId: number, seconds: number) => {
    const version = song.version.find(({ song_version_id }) => song_version_id === songVersionId)
    if (version?.available) playVersion(song, version, seconds)
  }
  if (!hasDifferences({ comparisons, audience: 'member' })) return null
  return (
    <section className={css.cleanEdits} aria-labelledby="clean-edits">
      <SectionHead id="clean-edits" title={texts.cleanEdits} />
      <VersionDifferences comparisons={comparisons} audience="member" onPlay={play} />
    </section>
  )
}

/** The actions for the whole song. */
function Actions({ song }: { song: catalogue.Song }) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.song.entity_id === song.entity_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const favourite = useLibrary(({ favourites }) => favourites.has(song.entity_id))
  const inCrate = useLibrary(({ crateSongs }) => crateSongs.has(song.entity_id))
  const version = preferredVersion(song)
  const { title, artist } = song
  const play = () => {
    if (isCurrent) playerActions.toggle()
    else if (version) playVersion(song, version)
  }
  return (
    <div className={css.actions}>
      <Button
        variant="primary"
        disabled={!version}
        aria-label={format(isPlaying ? texts.pauseSong : texts.playSong, { title, artist })}
        onClick={play}
      >
        {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
        {isPlaying ? texts.pauseButton : texts.play}
      </Button>
      <Button
        aria-label={format(inCrate ? texts.removeFromCrateLabel : texts.addToCrateLabel, { title })}
        onClick={() => void toggleCrate(song)}
      >
        {inCrate ? <IconBasketFilled size={16} /> : <IconBasketPlus size={16} />}
        {inCrate ? texts.removeFromCrate : texts.addToCrate}
      </Button>
      <IconButton
        label={format(favourite ? texts.removeFromFavouritesLabel : texts.addToFavouritesLabel, { title })}
        data-active={favourite || undefined}
        onClick={() => void toggleFavourite(song.entity_id, title)}
      >
        {favourite ? <IconHeartFilled size={18} /> : <IconHeart size={18} />}
      </IconButton>
      <IconButton label={texts.copyLink} onClick={() => void copySongLink(song)}>
        <IconLink size={18} />
      </IconButton>
      <IconButton
        label={format(texts.moreOptionsFor, { title })}
        aria-haspopup="menu"
        onClick={(event) => openSongMenu(song, event.currentTarget)}
      >
        <IconDots size={18} />
      </IconButton>
    </div>
  )
}

type Details = ReplyOf<typeof songDetails.getSongDetails>

/** Label, album, remixer, year and ISRC, as far as they are known. */
function Credits({ song, details }: { song: catalogue.Song; details: Details }) {
  const credits: [name: string, value: ReactNode][] = [
    [
      texts.label,
      details.label && (
        <Link {...labelLink(details.label)} className={css.link}>
          {details.label}
        </Link>
      ),
    ],
    [texts.album, details.album],
    [texts.remixer, details.remixer && <SearchLink term={details.remixer}>{details.remixer}</SearchLink>],
    [texts.released, song.year],
    [texts.isrc, details.isrc],
  ]
  const known = credits.filter(([, value]) => value)
  if (known.length === 0) return null
  return (
    <dl className={css.credits}>
      {known.map(([name, value]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}

const SearchLink = ({ term, children }: { term: string; children: ReactNode }) => (
  <Link to="/search/result/{-$term}" params={{ term }} className={css.link}>
    {children}
  </Link>
)

const CHART_NAMES = {
  daily: texts.dailyChartInText,
  weekly: texts.weeklyChartInText,
  monthly: texts.monthlyChartInText,
}

/** Links to the charts and lists that the song is in. */
function Appearances({ appearances }: { appearances: songDetails.Appearance[] }) {
  if (appearances.length === 0) return null
  return (
    <section className={css.appearances} aria-labelledby="appearances">
      <SectionHead id="appearances" title={texts.appearsIn} />
      <ul>
        {appearances.map((each) => (
          <li key={each.kind === 'chart' ? each.chart_type : `${each.kind} ${each.id}`}>
            <AppearanceLink appearance={each} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function AppearanceLink({ appearance: each }: { appearance: songDetails.Appearance }) {
  switch (each.kind) {
    case 'chart':
      return (
        <Link to="/charts" search={{ chart: each.chart_type }}>
          {format(texts.chartRank, { rank: each.rank, chart: CHART_NAMES[each.chart_type] })}
        </Link>
      )
    case 'top20':
      return (
        <Link to="/top20/songs/$trackId" params={{ trackId: each.id }}>
          {format(texts.top20Rank, { rank: each.rank, title: each.title })}
        </Link>
      )
    case 'spotlight':
      return (
        <Link to="/spotlight/view/$listId" params={{ listId: each.id }}>
          {each.title}
        </Link>
      )
    case 'playlist':
      return (
        <Link to="/playlist/$playlistId" params={{ playlistId: each.id }}>
          {each.title}
        </Link>
      )
  }
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
    {keysOf(song).map((key) => (
      <KeyBadge key={key} songKey={key} />
    ))}
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
