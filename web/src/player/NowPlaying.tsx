import { Link } from '@tanstack/react-router'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { formatBpmRange } from '../format/format.ts'
import { format } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { KeepButtons } from './KeepButtons.tsx'
import css from './NowPlaying.module.css'
import type { Entry } from './queue.ts'
import * as texts from './texts.ts'

/** The playing song: cover, title, artist, version, BPM and key. On a phone all of it opens the sheet. */
export function NowPlaying({ entry, onOpen }: { entry: Entry | undefined; onOpen: () => void }) {
  if (!entry) return <NothingPlaying />
  const { song, version } = entry
  return (
    <div className={css.now}>
      <img key={song.image} className={css.cover} src={imageAt(song.image, 320)} alt="" width={72} height={72} />
      <div className={css.meta}>
        <SongLinks entry={entry} />
        <Tags entry={entry} />
      </div>
      <button
        type="button"
        className={css.open}
        aria-label={format(texts.openPlayer, { title: song.title })}
        onClick={onOpen}
      />
      <div className={css.keeping}>
        <KeepButtons key={version.song_version_id} entry={entry} />
      </div>
    </div>
  )
}

type Follow = { entry: Entry; onFollow?: () => void }

/** The title links to the song, the artist to all their songs. */
export const SongLinks = ({ entry: { song }, onFollow }: Follow) => (
  <>
    <Link
      to="/song/$entityId"
      params={{ entityId: song.entity_id }}
      className={css.title}
      title={song.title}
      onClick={onFollow}
    >
      {song.title}
    </Link>
    <Link
      to="/search/result/{-$term}"
      search={{ artist: song.artist }}
      className={css.artist}
      title={song.artist}
      onClick={onFollow}
    >
      {song.artist}
    </Link>
  </>
)

export function Tags({ entry: { song, version } }: { entry: Entry }) {
  return (
    <span className={css.tags}>
      <span className={css.version} title={version.version_label}>
        {version.version_label}
      </span>
      <span className="num" title={texts.bpm}>
        {formatBpmRange(song.min_bpm, song.max_bpm)}
      </span>
      <KeyBadge songKey={song.song_key} />
    </span>
  )
}

const NothingPlaying = () => (
  <div className={css.now}>
    <div className={css.cover} />
    <div className={css.meta}>
      <span className={css.title}>{texts.nothingPlaying}</span>
      <span className={css.artist}>{texts.chooseASongToPreview}</span>
    </div>
  </div>
)
