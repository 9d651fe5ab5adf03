import { formatList } from '../format/formatList.ts'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

type Skipped = { skipped: readonly { why: string; title: string }[] }

/** Each reason once, with the first songs it applies to. */
export function skippedReasons({ skipped }: Skipped): string {
  const titles = new Map<string, string[]>()
  for (const { why: reason, title } of skipped) titles.set(reason, [...(titles.get(reason) ?? []), title])
  return [...titles]
    .map(([reason, songs]) => {
      const remaining = songs.length > 3 ? [format(texts.moreTitles, { count: songs.length - 3 })] : []
      const titles = formatList([...songs.slice(0, 3), ...remaining], 'conjunction')
      return format(texts.skippedReason, { reason: reason.replace(/\.$/, ''), titles })
    })
    .join(' ')
}
