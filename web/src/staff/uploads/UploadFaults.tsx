import type { review } from '@dubplate/contract'
import { IconAlertTriangle, IconCircleX } from '@tabler/icons-react'
import { count, formatDuration } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'
import css from './Uploads.module.css'

const MOST = 3

/** Problems of a song's versions, those that prevent publishing first. Only the first few are shown. */
export function UploadFaults({ faults }: Pick<review.ReviewedUpload, 'faults'>) {
  if (faults.length === 0) return null
  const worstFirst = faults.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
  const more = faults.length - MOST
  return (
    <ul className={css.faults} aria-label={texts.problems}>
      {worstFirst.slice(0, MOST).map(({ code, message, at_seconds, blocks, version_label }) => (
        <li key={`${version_label} ${code} ${at_seconds}`} data-blocks={blocks || undefined}>
          {blocks ? <IconCircleX size={15} aria-hidden /> : <IconAlertTriangle size={15} aria-hidden />}
          <span>
            <b>{version_label}:</b>{' '}
            {at_seconds !== undefined && !message.includes(formatDuration(at_seconds))
              ? format(texts.messageAt, { message, time: formatDuration(at_seconds) })
              : message}
          </span>
        </li>
      ))}
      {more > 0 && <li>{format(texts.more, { more: count(more) })}</li>}
    </ul>
  )
}
