import type { catalogue } from '@dubplate/contract'
import { IconCheck, IconX } from '@tabler/icons-react'
import { KeyBadge } from '../catalogue/KeyBadge.tsx'
import { SongLine } from '../catalogue/SongLine.tsx'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { OwnedMark } from '../ownLibrary/OwnedMark.tsx'
import css from './Crate.module.css'
import { useLibrary } from './library.ts'
import { PlaylistHandle } from './PlaylistHandle.tsx'
import * as texts from './texts.ts'

type Props = {
  song: catalogue.Song
  /** The songs that play after it. */
  list: catalogue.Song[]
  /** The song can be moved: it has a handle. */
  isMovable: boolean
  toggleVersion: (song: catalogue.Song, version: catalogue.Version) => void
  remove: (song: catalogue.Song) => void
}

/** A song of the crate: a toggle for each of its versions, and the size of those that are on. */
export function CrateRow({ song, list, isMovable, toggleVersion, remove }: Props) {
  const crateVersions = useLibrary((library) => library.crateVersions)
  const chosen = song.version.filter(({ song_version_id }) => crateVersions.has(song_version_id))
  const bytes = chosen.reduce((sum, version) => sum + (version.bytes ?? 0), 0)
  return (
    <SongLine
      song={song}
      list={list}
      lead={isMovable ? <PlaylistHandle song={song} tabIndex={0} /> : undefined}
      row={{ className: css.row, 'data-testid': 'song-row', 'data-row': isMovable || undefined }}
    >
      {/* biome-ignore lint/a11y/useSemanticElements: a fieldset cannot scroll sideways */}
      <div className={css.versions} role="group" aria-label={format(texts.versionsOf, { title: song.title })}>
        {song.version.map((version) => {
          const isOn = chosen.includes(version)
          return (
            <button
              key={version.song_version_id}
              type="button"
              className={css.version}
              aria-pressed={isOn}
              disabled={!isOn && !version.available}
              title={[formatDuration(version.duration_seconds), version.bytes && formatBytes(version.bytes)]
                .filter(Boolean)
                .join(' · ')}
              onClick={() => toggleVersion(song, version)}
            >
              {isOn && <IconCheck size={13} stroke={2.4} aria-hidden />}
              <OwnedMark versionId={version.song_version_id} />
              {version.version_label}
            </button>
          )
        })}
      </div>
      <span className={`${css.bpm} num`} data-range={song.min_bpm !== song.max_bpm || undefined}>
        {formatBpmRange(song.min_bpm, song.max_bpm)}
      </span>
      <span className={css.key}>
        <KeyBadge songKey={song.song_key} />
      </span>
      <span className={`${css.size} num`}>
        <span>{format(texts.fileCount, { count: chosen.length })}</span>
        <span>{bytes > 0 ? formatBytes(bytes) : ''}</span>
      </span>
      <button
        type="button"
        className={css.remove}
        aria-label={format(texts.removeFromCrate, { title: song.title })}
        title={format(texts.removeFromCrate, { title: song.title })}
        onClick={() => remove(song)}
      >
        <IconX size={17} stroke={1.8} />
      </button>
    </SongLine>
  )
}
