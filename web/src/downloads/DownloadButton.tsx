import { IconArrowDown, IconCheck } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import css from './DownloadButton.module.css'
import { downloadVersion, isBusy, useDownloads } from './download.ts'
import * as texts from './texts.ts'

type Props = {
  versionId: number
  /** The number of downloads a version allows. */
  limit: number
  /** The name of the version and its song. */
  name: string
  /** The last download never completed: it can be repeated although all are used. */
  isOpen?: boolean
  className: string | undefined
}

function buttonLabel(
  name: string,
  { used, limit, isLimitReached }: { used: number; limit: number; isLimitReached: boolean },
): string {
  if (isLimitReached) return format(texts.noDownloadsLeftFor, { name })
  return used ? format(texts.downloadOfUsedLabel, { name, used, limit }) : format(texts.downloadLabel, { name })
}

/** Downloads a version; shows a tick for each download used. */
export function DownloadButton({ versionId, limit, name, isOpen = false, className }: Props) {
  const used = useDownloads((downloads) => downloads.used.get(versionId) ?? 0)
  const busy = useDownloads(isBusy(`version ${versionId}`))
  const isLimitReached = limit > 0 && used >= limit && !isOpen
  return (
    <button
      type="button"
      className={`${css.get} ${className}`}
      data-used={used > 0 || undefined}
      disabled={isLimitReached || busy}
      aria-busy={busy || undefined}
      aria-label={buttonLabel(name, { used, limit, isLimitReached })}
      title={
        isLimitReached ? texts.noDownloadsLeft : used ? format(texts.downloadOfUsed, { used, limit }) : texts.download
      }
      onClick={() => void downloadVersion(versionId)}
    >
      {busy ? <i className={css.spinner} /> : <UsageTicks used={used} limit={limit} isOpen={isOpen} />}
    </button>
  )
}

/** ↓ unused, ↓✓ one used, ✓✓ all used. */
function UsageTicks({ used, limit, isOpen }: { used: number; limit: number; isOpen: boolean }) {
  return (
    <>
      {(used < limit || isOpen) && <IconArrowDown size={13} stroke={2.2} />}
      {Array.from({ length: Math.min(used, limit) }, (_, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the ticks are all alike
        <IconCheck key={i} size={12} stroke={2.6} />
      ))}
    </>
  )
}
