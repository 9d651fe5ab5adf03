import type { catalogue } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { DownloadButton } from '../downloads/DownloadButton.tsx'
import { formatDuration } from '../platform/format.ts'
import { format } from '../platform/message.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import * as texts from './texts.ts'
import css from './VersionChip.module.css'

type Props = { song: catalogue.Song; version: catalogue.Version; onPlay: (version: catalogue.Version) => void }

/** One version of a song: its preview on the left, its download on the right with a tick for each download used. */
export function VersionChip({ song, version, onPlay }: Props) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.version.song_version_id === version.song_version_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const name = `${version.version_label}, ${song.title}`
  if (!version.available) {
    return (
      <span className={css.missing} title={texts.thisVersionIsCurrentlyUnavailable}>
        {version.version_label}
        <span className="sr"> {format(texts.ofIsCurrentlyUnavailable, { title: song.title })}</span>
      </span>
    )
  }
  return (
    <span className={css.chip} data-current={isCurrent || undefined}>
      <button
        type="button"
        className={css.play}
        aria-label={`${isPlaying ? 'Pause' : 'Preview'} ${name}`}
        title={`${isPlaying ? 'Pause' : 'Preview'} (${formatDuration(version.duration_seconds)})`}
        onClick={() => onPlay(version)}
      >
        {isPlaying ? <IconPlayerPauseFilled size={10} /> : <IconPlayerPlayFilled size={10} />}
        {version.version_label}
      </button>
      <DownloadButton
        versionId={version.song_version_id}
        limit={version.download.length}
        name={name}
        className={css.get}
      />
    </span>
  )
}
