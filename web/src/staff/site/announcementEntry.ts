import type { announcements, InputOf } from '@dubplate/contract'
import { isoOf, localOf } from '../moments.ts'
import * as texts from './texts.ts'

type Wish = InputOf<typeof announcements.saveAnnouncement>

/** An announcement being edited. Times are local; '' means now and no end. */
export type AnnouncementEntry = {
  page_name: Wish['page_name']
  audience: NonNullable<Wish['audience']>
  message: string
  from: string
  until: string
  show_again: boolean
  /** Version of the announcement being edited, as loaded. */
  version: number | undefined
}

export const AUDIENCE_WORDS: Record<AnnouncementEntry['audience'], string> = {
  all: texts.everyone,
  unpaid: texts.membersWithoutAPaidPlan,
  paid: texts.membersWithAPaidPlan,
}

export const NEW_ENTRY: AnnouncementEntry = {
  page_name: 'mp3_home',
  audience: 'all',
  message: '',
  from: '',
  until: '',
  show_again: false,
  version: undefined,
}

export const entryOf = (it: announcements.StaffAnnouncement): AnnouncementEntry => ({
  page_name: it.page_name as Wish['page_name'],
  audience: it.audience,
  message: it.message,
  from: localOf(it.published_at),
  until: localOf(it.ended_at),
  show_again: false,
  version: it.version,
})

/** Values for showing an ended announcement again: from now on, without an end, also to people who dismissed it. */
export const entryOfAgain = (it: announcements.StaffAnnouncement): AnnouncementEntry => ({
  ...entryOf(it),
  from: '',
  until: '',
  show_again: true,
})

/** The input of the API call. An unchanged time is left out and keeps its seconds. */
export function wishOf(entry: AnnouncementEntry, of: announcements.StaffAnnouncement | undefined): Wish {
  const { from, until, page_name, audience, message, show_again } = entry
  const isSame = (typed: string, was: string | null | undefined) => of !== undefined && typed === localOf(was ?? null)
  return {
    ...(of && entry.version !== undefined ? { message_id: of.message_id, version: entry.version } : {}),
    page_name,
    audience,
    message,
    show_again,
    ...(isSame(from, of?.published_at) ? {} : { published_at: isoOf(from) }),
    ...(isSame(until, of?.ended_at) ? {} : { ended_at: isoOf(until) }),
  }
}

/** Error in the times; '' when there is none. */
export function wrongTimes({ from, until }: Pick<AnnouncementEntry, 'from' | 'until'>, now = new Date()): string {
  const end = isoOf(until)
  if (end === null) return ''
  const begin = isoOf(from) ?? now.toISOString()
  return end <= begin ? texts.theEndMustBeAfter : ''
}

/** True when there is no text, whatever markup the editor leaves. */
export const isBlank = (html: string): boolean =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .trim() === ''

/** Errors, by field. */
export const wrongAnnouncement = (entry: AnnouncementEntry): { message?: string; until?: string } => ({
  ...(isBlank(entry.message) ? { message: texts.enterTheAnnouncementText } : {}),
  ...(wrongTimes(entry) ? { until: wrongTimes(entry) } : {}),
})
