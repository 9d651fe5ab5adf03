import type { catalogue } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { type CSSProperties, useState } from 'react'
import { Trouble } from '../platform/errors.tsx'
import { bpmRange, plural } from '../platform/format.ts'
import { imageAt } from '../platform/media.ts'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { SectionHead } from '../ui/SectionHead.tsx'
import css from './ChartAside.module.css'
import { KeyBadge } from './KeyBadge.tsx'
import { openSongMenu } from './songMenu.ts'

type Props = {
  title: string
  songs: catalogue.RankedSong[] | undefined
  error: Error | null
  retry: () => void
  /** How many rows are shown before the rest is asked for. */
  first: number
  /** Said when there is nothing to rank. */
  empty: string
}

/** A ranked list beside the page, with the room it needs while it is on its way. */
export function ChartAside({ title, songs, error, retry, first, empty }: Props) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? songs : songs?.slice(0, first)
  const rest = (songs?.length ?? 0) - first
  return (
    <section>
      <SectionHead title={title}>
        {rest > 0 && !isWhole && (
          <button type="button" onClick={() => setWhole(true)}>
            All {songs?.length}
          </button>
        )}
      </SectionHead>
      {error && !songs ? (
        <Trouble error={error} what="This chart" retry={retry} />
      ) : (
        <ol className={css.list} style={{ '--n': songs ? shown?.length : first } as CSSProperties} aria-busy={!songs}>
          {shown?.map((song) => (
            <ChartRow key={song.entity_id} song={song} list={songs ?? []} />
          ))}
        </ol>
      )}
      {songs?.length === 0 && <p className={css.empty}>{empty}</p>}
    </section>
  )
}

const playableEntry = (song: catalogue.Song) => {
  const version = song.version.find(({ available }) => available)
  return version ? [{ song, version }] : []
}

function ChartRow({ song, list }: { song: catalogue.RankedSong; list: catalogue.Song[] }) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.song.entity_id === song.entity_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const [entry] = playableEntry(song)
  const play = () => {
    if (isCurrent) playerActions.toggle()
    else if (entry) playerActions.play(entry, { list: list.flatMap(playableEntry) })
  }
  return (
    <li
      className={css.row}
      data-current={isCurrent || undefined}
      onContextMenu={(event) => {
        event.preventDefault()
        openSongMenu(song, event.currentTarget, { x: event.clientX, y: event.clientY })
      }}
    >
      <span className={`${css.rank} num`} title={song.downloads ? plural(song.downloads, 'download') : undefined}>
        {song.rank}
      </span>
      <button
        type="button"
        className={css.play}
        disabled={!entry}
        aria-label={`${isPlaying ? 'Pause' : 'Play'} ${song.title} by ${song.artist}`}
        onClick={play}
      >
        <img src={imageAt(song.image, 96)} alt="" width={40} height={40} loading="lazy" decoding="async" />
        {isPlaying ? <IconPlayerPauseFilled size={16} /> : <IconPlayerPlayFilled size={16} />}
      </button>
      <span className={css.words}>
        <Link to="/song/$entityId" params={{ entityId: song.entity_id }} className={css.title} title={song.title}>
          {song.title}
        </Link>
        <small title={song.artist}>{song.artist}</small>
      </span>
      <span className={`${css.bpm} num`}>{bpmRange(song.min_bpm, song.max_bpm)}</span>
      <KeyBadge songKey={song.song_key} />
    </li>
  )
}
