import type { downloads } from '@dubplate/contract'
import { format } from '../format/message.ts'
import * as texts from './texts.ts'

/** 'This uses 3 downloads. You have 20 left this month.' */
export function usageText({ uses, month }: Pick<downloads.DownloadSummary, 'uses' | 'month'>): string {
  if (month) return format(texts.thisUsesOfYourDownloads, { count: uses, left: month.left })
  return format(texts.thisUsesDownloads, { count: uses })
}
