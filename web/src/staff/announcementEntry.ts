import type { announcements, InputOf } from '@dubplate/contract'
import { isoOf, localOf } from './moments.ts'
import * as texts from './texts.ts'

type Wish = InputOf<typeof announcements.saveAnnouncement>

/** An announcement while it is written. Times are local, '' for now and for good. */
export type AnnouncementEntry = {
  page_name: Wish['page_name']
  audience: NonNullable<Wish['audience']>
  message: string
  from: string
  until: string
  show_again: boolean
  /** Of the one that is changed, as it was read. */
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

/** One that has ended, to be shown once more: from now on, for good, also to those who have hidden it. */
export const entryOfAgain = (it: announcements.StaffAnnouncement): AnnouncementEntry => ({
  ...entryOf(it),
  from: '',
  until: '',
  show_again: true,
})

/** What the call takes. A time nobody has touched is left out, and stays to the second. */
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

/** What is wrong with the times; '' where nothing is. */
export function wrongTimes({ from, until }: Pick<AnnouncementEntry, 'from' | 'until'>, now = new Date()): string {
  const end = isoOf(until)
  if (end === null) return ''
  const begin = isoOf(from) ?? now.toISOString()
  return end <= begin ? texts.theEndMustBeAfter : ''
}

/** True where there are no words, whatever marks an editor leaves. */
export const isBlank = (html: string): boolean =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .trim() === ''

/** What is wrong, by field. */
export const wrongAnnouncement = (entry: AnnouncementEntry): { message?: string; until?: string } => ({
  ...(isBlank(entry.message) ? { message: texts.enterTheAnnouncementText } : {}),
  ...(wrongTimes(entry) ? { until: wrongTimes(entry) } : {}),
})
