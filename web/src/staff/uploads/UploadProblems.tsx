import type { review } from '@dubplate/contract'
import { Text } from '@mantine/core'
import { count, formatDuration } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

type Problem = review.ReviewedUpload['faults'][number]

function problemText({ message, at_seconds, version_label }: Problem): string {
  const text =
    at_seconds !== undefined && !message.includes(formatDuration(at_seconds))
      ? format(texts.messageAt, { message, time: formatDuration(at_seconds) })
      : message
  return format(texts.versionProblem, { version: version_label, problem: text })
}

/** The worst problem of a song's versions, and how many more there are. */
export function UploadProblems({ faults }: Pick<review.ReviewedUpload, 'faults'>) {
  const [worst, ...more] = faults.toSorted((a, b) => Number(b.blocks) - Number(a.blocks))
  if (!worst) return null
  return (
    <span title={[worst, ...more].map(problemText).join('\n')}>
      {more.length > 0 && `${format(texts.more, { more: count(more.length) })} · `}
      <Text span inherit c={worst.blocks ? 'var(--danger)' : 'var(--warn)'}>
        {problemText(worst)}
      </Text>
    </span>
  )
}
