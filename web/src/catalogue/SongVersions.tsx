import type { catalogue, songDetails } from '@dubplate/contract'
import { IconBasketFilled, IconPlayerPauseFilled, IconPlayerPlayFilled, IconPlus } from '@tabler/icons-react'
import { DownloadButton } from '../downloads/DownloadButton.tsx'
import { VersionFormats } from '../downloads/VersionFormats.tsx'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { toggleCrate, useLibrary } from '../library/library.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import { currentEntry, playerActions, usePlayer } from '../player/store.ts'
import { SealBadge } from '../quality/SealBadge.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import { KeyBadge } from './KeyBadge.tsx'
import { MiniWave } from './MiniWave.tsx'
import css from './SongView.module.css'
import * as texts from './texts.ts'
import { tempoOf } from './versionTempo.ts'

type Props = { song: catalogue.Song /** Undefined while they load. */; files: songDetails.VersionFile[] | undefined }

/** The versions of a song, one large row each: its own waveform, length, tempo, key and file. */
export const SongVersions = ({ song, files }: Props) => (
  <ul
    className={css.versions}
    data-formats={files?.some(({ conversions }) => conversions.length > 0) || undefined}
    aria-label={format(texts.versionsOf, { title: song.title })}
  >
    {song.version.map((version) => (
      <VersionRow
        key={version.song_version_id}
        song={song}
        version={version}
        file={files?.find(({ song_version_id }) => song_version_id === version.song_version_id)}
      />
    ))}
  </ul>
)

type RowProps = { song: catalogue.Song; version: catalogue.Version; file: songDetails.VersionFile | undefined }

function VersionRow({ song, version, file }: RowProps) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.version.song_version_id === version.song_version_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const inCrate = useLibrary(({ crateVersions }) => crateVersions.has(version.song_version_id))
  const name = format(texts.versionOfSong, { version: version.version_label, title: song.title })
  const play = (at?: number) => playVersion(song, version, at)
  const { min_bpm, max_bpm, song_key } = tempoOf(song, version)
  if (!version.available) {
    return (
      <li className={css.version} data-unavailable>
        <span className={css.versionName}>
          <b>{version.version_label}</b>
          <small>{texts.thisVersionIsCurrentlyUnavailable}</small>
        </span>
      </li>
    )
  }
  return (
    <li className={css.version} data-current={isCurrent || undefined}>
      <IconButton
        data-row-play
        className={css.versionPlay}
        label={format(isPlaying ? texts.pauseLabel : texts.previewLabel, { name })}
        onClick={() => (isCurrent ? playerActions.toggle() : play())}
      >
        {isPlaying ? <IconPlayerPauseFilled size={18} /> : <IconPlayerPlayFilled size={18} />}
      </IconButton>
      <span className={css.versionName}>
        <b>
          <OwnedMark versionId={version.song_version_id} />
          {version.version_label}
        </b>
        <small className="num">{describeFile(file)}</small>
      </span>
      <span className={css.versionSeal}>
        {file && (
          <SealBadge
            seal={file.seal}
            name={version.version_label}
            target={{ song_version_id: version.song_version_id }}
            audience="member"
          />
        )}
      </span>
      <span className={css.versionWave}>
        <MiniWave wave={file?.wave ?? ''} onSeek={(fraction) => play(fraction * version.duration_seconds)} />
      </span>
      <span className={`${css.versionLength} num`}>{formatDuration(version.duration_seconds)}</span>
      <span className={`${css.versionBpm} num`}>{formatBpmRange(min_bpm, max_bpm)}</span>
      <KeyBadge songKey={song_key} />
      <IconButton
        label={format(inCrate ? texts.removeVersionFromCrate : texts.addVersionToCrate, { name })}
        aria-pressed={inCrate}
        data-active={inCrate || undefined}
        onClick={() => void toggleCrate(song, version)}
      >
        {inCrate ? <IconBasketFilled size={17} /> : <IconPlus size={17} />}
      </IconButton>
      <DownloadButton
        versionId={version.song_version_id}
        limit={version.download.length}
        version={version.version_label}
        title={song.title}
        song={song}
        className={css.versionDownload}
      />
      {file?.format && file.conversions.length > 0 && (
        <VersionFormats
          versionId={version.song_version_id}
          version={version.version_label}
          title={song.title}
          song={song}
          original={file.format.toUpperCase()}
          conversions={file.conversions}
          limit={version.download.length}
          className={css.versionFormats}
        />
      )}
    </li>
  )
}

/** `MP3 · 8.4 MB` */
const describeFile = (file: songDetails.VersionFile | undefined): string =>
  [file?.format?.toUpperCase(), file?.bytes && formatBytes(file.bytes)].filter(Boolean).join(' · ')

/** Plays a version, with the other versions after it. */
export function playVersion(song: catalogue.Song, version: catalogue.Version, at?: number) {
  const list = song.version.filter(({ available }) => available).map((version) => ({ song, version }))
  playerActions.play({ song, version }, { list, at })
}
