import type { catalogue } from '@dubplate/contract'
import { IconArrowDown, IconCheck, IconChecks } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import css from './DownloadButton.module.css'
import { downloadVersion, isBusy, useDownloads } from './download.ts'
import * as texts from './texts.ts'

type Props = {
  versionId: number
  /** The number of downloads a version allows. */
  limit: number
  /** The name of the version and the title of its song. */
  version: string
  title: string
  song?: catalogue.Song
  /** The last download never completed: it can be repeated although all are used. */
  isOpen?: boolean
  /** The member repeats a download on purpose and is not asked first. */
  isRepeat?: boolean
  className: string | undefined
  tabIndex?: number | undefined
}

function buttonLabel(
  name: string,
  { used, limit, isLimitReached }: { used: number; limit: number; isLimitReached: boolean },
): string {
  if (isLimitReached) return format(texts.noDownloadsLeftFor, { name })
  return used ? format(texts.downloadOfUsedLabel, { name, used, limit }) : format(texts.downloadLabel, { name })
}

/** Downloads a version: ↓ unused, ✓ downloaded before, ✓✓ no downloads left. */
export function DownloadButton({
  versionId,
  limit,
  version,
  title,
  song,
  isOpen = false,
  isRepeat = false,
  className,
  tabIndex,
}: Props) {
  const name = format(texts.versionOfSong, { version, title })
  const used = useDownloads((downloads) => downloads.used.get(versionId) ?? 0)
  const busy = useDownloads(isBusy(`version ${versionId}`))
  const isLimitReached = limit > 0 && used >= limit && !isOpen
  return (
    <button
      type="button"
      tabIndex={tabIndex}
      className={`${css.get} ${className}`}
      data-active={used > 0 || undefined}
      disabled={isLimitReached || busy}
      aria-busy={busy || undefined}
      aria-label={buttonLabel(name, { used, limit, isLimitReached })}
      title={
        isLimitReached
          ? texts.noDownloadsLeft
          : used > 0 && limit > used
            ? format(texts.downloadsLeft, { left: limit - used, limit })
            : texts.download
      }
      onClick={() => void downloadVersion(versionId, { title, version, song, isRepeat })}
    >
      {busy ? (
        <i className={css.spinner} />
      ) : isLimitReached ? (
        <IconChecks size={14} />
      ) : used > 0 && !isOpen ? (
        <IconCheck size={14} stroke={2.4} />
      ) : (
        <IconArrowDown size={13} />
      )}
    </button>
  )
}
