import type { catalogue } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import css from './Matches.module.css'
import { PlayCover } from './PlayCover.tsx'

type Props = {
  song: catalogue.Song
  version: catalogue.Version | undefined /** More about it. */
  children?: ReactNode
}

/** A song of the pool: a cover that plays the version, title and artist. */
export const SongFacts = ({ song, version, children }: Props) => (
  <>
    <PlayCover song={song} version={version} />
    <div className={css.song}>
      <Link to="/song/$entityId" params={{ entityId: song.entity_id }} className="ellipsis" title={song.title}>
        {song.title}
      </Link>
      <span className="ellipsis" title={song.artist}>
        {song.artist}
      </span>
      {children}
    </div>
  </>
)
