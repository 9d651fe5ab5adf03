import type { catalogue } from '@dubplate/contract'
import { useEffect, useRef } from 'react'
import { createPortal } from 'react-dom'
import { formatBpmRange, formatBytes, formatDuration } from '../format/format.ts'
import { format } from '../format/message.ts'
import { playerActions } from '../player/store.ts'
import menu from '../ui/Menu.module.css'
import { useCloseOnOutsideClick, usePosition } from '../ui/Menu.tsx'
import css from './AllVersions.module.css'
import { KeyBadge } from './KeyBadge.tsx'
import { closeSongMenu, type OpenVersions } from './songMenu.ts'
import * as texts from './texts.ts'
import { VersionChip } from './VersionChip.tsx'
import { hasDifferentTempos, tempoOf } from './versionTempo.ts'

type TempoProps = { song: catalogue.Song; version: catalogue.Version }

function VersionTempo({ song, version }: TempoProps) {
  if (!hasDifferentTempos(song)) return null
  const { min_bpm, max_bpm, song_key } = tempoOf(song, version)
  return (
    <span className={css.versionTempo}>
      <span className="num" title={texts.bpmLabel}>
        {formatBpmRange(min_bpm, max_bpm)}
      </span>
      <KeyBadge songKey={song_key} />
    </span>
  )
}

/** All versions of a song with their length and size: over the page, on a phone a sheet at the bottom. */
export function AllVersions({ song, at, opener, onPlay }: OpenVersions) {
  const container = useRef<HTMLDivElement>(null)
  usePosition(container, at)
  useCloseOnOutsideClick(container, opener, closeSongMenu)
  useEffect(() => container.current?.querySelector('button')?.focus({ preventScroll: true }), [])
  const play = onPlay ?? ((version) => playerActions.play({ song, version }))
  return createPortal(
    <>
      <div className={`${menu.shade} ${css.versionsShade}`} />
      <div
        ref={container}
        role="dialog"
        aria-label={format(texts.versionsOf, { title: song.title })}
        className={`${menu.menu} ${css.allVersions}`}
        data-all-versions
        data-tempos={hasDifferentTempos(song) || undefined}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return
          event.preventDefault()
          closeSongMenu()
          opener.focus({ preventScroll: true })
        }}
      >
        <p className={menu.title}>{song.title}</p>
        {song.version.map((version) => (
          <div key={version.song_version_id}>
            <VersionChip song={song} version={version} onPlay={play} />
            <VersionTempo song={song} version={version} />
            <span className="num">{formatDuration(version.duration_seconds)}</span>
            <span className="num">{version.bytes === null ? '' : formatBytes(version.bytes)}</span>
          </div>
        ))}
      </div>
    </>,
    document.getElementById('main') ?? document.body,
  )
}
