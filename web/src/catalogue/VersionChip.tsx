import type { catalogue } from '@dubplate/contract'
import { IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { DownloadButton } from '../downloads/DownloadButton.tsx'
import { formatDuration } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import * as texts from './texts.ts'
import css from './VersionChip.module.css'

type Props = { song: catalogue.Song; version: catalogue.Version; onPlay: (version: catalogue.Version) => void }

/** One version of a song: its preview on the left, its download on the right with a tick for each download used. */
export function VersionChip({ song, version, onPlay }: Props) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.version.song_version_id === version.song_version_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const name = format(texts.versionOfSong, { version: version.version_label, title: song.title })
  if (!version.available) {
    return (
      <span className={css.missing} title={texts.thisVersionIsCurrentlyUnavailable}>
        {rich(texts.ofIsCurrentlyUnavailable, {
          version: version.version_label,
          title: song.title,
          hidden: (inside) => <span className="sr">{inside}</span>,
        })}
      </span>
    )
  }
  return (
    <span className={css.chip} data-current={isCurrent || undefined}>
      <button
        type="button"
        className={css.play}
        aria-label={format(isPlaying ? texts.pauseLabel : texts.previewLabel, { name })}
        title={format(isPlaying ? texts.pauseWithDuration : texts.previewWithDuration, {
          duration: formatDuration(version.duration_seconds),
        })}
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
