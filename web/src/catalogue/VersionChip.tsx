import type { catalogue } from '@dubplate/contract'
import { IconBasketFilled, IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlus } from '@tabler/icons-react'
import { DownloadButton } from '../downloads/DownloadButton.tsx'
import { formatDuration } from '../format/format.ts'
import { format, rich } from '../format/message.ts'
import { toggleCrate, useLibrary } from '../library/library.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { prepareOnPress } from '../player/prepareOnPress.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import * as texts from './texts.ts'
import css from './VersionChip.module.css'

type Props = {
  song: catalogue.Song
  version: catalogue.Version
  onPlay: (version: catalogue.Version) => void
  /** −1 takes the buttons out of the tab order. */
  tabIndex?: number | undefined
}

/** One version of a song: play, add to the crate, download. */
export function VersionChip({ song, version, onPlay, tabIndex }: Props) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.version.song_version_id === version.song_version_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const isInCrate = useLibrary(({ crateVersions }) => crateVersions.has(version.song_version_id))
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
      <OwnedMark versionId={version.song_version_id} />
      <button
        type="button"
        tabIndex={tabIndex}
        className={css.chipPlay}
        aria-label={format(isPlaying ? texts.pauseLabel : texts.previewLabel, { name })}
        title={format(isPlaying ? texts.pauseWithDuration : texts.previewWithDuration, {
          duration: formatDuration(version.duration_seconds),
        })}
        onPointerDown={prepareOnPress({ song, version })}
        onClick={() => onPlay(version)}
      >
        {isPlaying ? <IconPlayerPauseFilled size={10} /> : <IconPlayerPlayFilled size={10} />}
        {version.version_label}
      </button>
      <button
        type="button"
        tabIndex={tabIndex}
        className={css.chipAction}
        data-active={isInCrate || undefined}
        aria-label={format(isInCrate ? texts.removeFromCrateLabel : texts.addToCrateLabel, { title: name })}
        title={isInCrate ? texts.removeFromCrate : texts.addToCrate}
        onClick={() => void toggleCrate(song, version)}
      >
        {isInCrate ? <IconBasketFilled size={13} /> : <IconPlus size={13} />}
      </button>
      <DownloadButton
        versionId={version.song_version_id}
        limit={version.download.length}
        version={version.version_label}
        title={song.title}
        song={song}
        className={css.chipAction}
        tabIndex={tabIndex}
      />
    </span>
  )
}
