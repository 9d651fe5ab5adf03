import type { catalogue } from '@dubplate/contract'
import { IconArrowDown, IconCheck, IconPlayerPauseFilled, IconPlayerPlayFilled } from '@tabler/icons-react'
import { downloadVersion, isBusy, useDownloads } from '../downloads/download.ts'
import { duration } from '../platform/format.ts'
import { currentEntry, usePlayer } from '../player/store.ts'
import css from './VersionChip.module.css'

type Props = { song: catalogue.Song; version: catalogue.Version; onPlay: (version: catalogue.Version) => void }

/** One version of a song: its preview on the left, its download on the right with a tick for each one used. */
export function VersionChip({ song, version, onPlay }: Props) {
  const isCurrent = usePlayer((player) => currentEntry(player)?.version.song_version_id === version.song_version_id)
  const isPlaying = usePlayer((player) => isCurrent && player.playing)
  const name = `${version.version_label}, ${song.title}`
  if (!version.available) {
    return (
      <span className={css.missing} title="This version is not available at the moment.">
        {version.version_label}
        <span className="sr"> of {song.title} is not available at the moment</span>
      </span>
    )
  }
  return (
    <span className={css.chip} data-current={isCurrent || undefined}>
      <button
        type="button"
        className={css.play}
        aria-label={`${isPlaying ? 'Pause' : 'Preview'} ${name}`}
        title={`${isPlaying ? 'Pause' : 'Preview'}, ${duration(version.duration_seconds)}`}
        onClick={() => onPlay(version)}
      >
        {isPlaying ? <IconPlayerPauseFilled size={10} /> : <IconPlayerPlayFilled size={10} />}
        {version.version_label}
      </button>
      <DownloadButton version={version} name={name} />
    </span>
  )
}

function describeDownload(name: string, used: number, limit: number): string {
  if (used >= limit) return `Download limit reached for ${name}`
  return used ? `Download ${name}, ${used} of ${limit} used` : `Download ${name}`
}

function DownloadButton({ version, name }: { version: catalogue.Version; name: string }) {
  const used = useDownloads((downloads) => downloads.used.get(version.song_version_id) ?? 0)
  const busy = useDownloads(isBusy(`version ${version.song_version_id}`))
  const limit = version.download.length
  const isSpent = limit > 0 && used >= limit
  return (
    <button
      type="button"
      className={css.get}
      data-used={used > 0 || undefined}
      disabled={isSpent || busy}
      aria-busy={busy || undefined}
      aria-label={describeDownload(name, used, limit)}
      title={isSpent ? 'Download limit reached' : used ? `Download, ${used} of ${limit} used` : 'Download'}
      onClick={() => void downloadVersion(version.song_version_id)}
    >
      {busy ? <i className={css.spinner} /> : <Ticks used={used} limit={limit} />}
    </button>
  )
}

/** ↓ unused, ↓✓ one used, ✓✓ all used. */
function Ticks({ used, limit }: { used: number; limit: number }) {
  return (
    <>
      {used < limit && <IconArrowDown size={13} stroke={2.2} />}
      {Array.from({ length: Math.min(used, limit) }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: ticks are all alike
        <IconCheck key={i} size={12} stroke={2.6} />
      ))}
    </>
  )
}
