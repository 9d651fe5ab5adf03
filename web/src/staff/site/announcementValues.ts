import type { announcements, InputOf } from '@dubplate/contract'
import { isoOf, localOf } from '../../format/moments.ts'
import * as texts from './texts.ts'

type Input = InputOf<typeof announcements.saveAnnouncement>

/** An announcement in its form. Times are local; '' means now and no end. */
export type AnnouncementValues = {
  page_name: Input['page_name']
  audience: NonNullable<Input['audience']>
  message: string
  from: string
  until: string
  show_again: boolean
  version?: number
}

export const NEW_ANNOUNCEMENT: AnnouncementValues = {
  page_name: 'mp3_home',
  audience: 'all',
  message: '',
  from: '',
  until: '',
  show_again: false,
}

export const valuesOf = (it: announcements.StaffAnnouncement): AnnouncementValues => ({
  page_name: it.page_name as Input['page_name'],
  audience: it.audience,
  message: it.message,
  from: localOf(it.published_at),
  until: localOf(it.ended_at),
  show_again: false,
  version: it.version,
})

/** Values for showing an ended announcement again: from now on, without an end, also to people who dismissed it. */
export const valuesToShowAgain = (it: announcements.StaffAnnouncement): AnnouncementValues => ({
  ...valuesOf(it),
  from: '',
  until: '',
  show_again: true,
})

/** The input of the API call. An unchanged time is left out and keeps its seconds. */
export function inputOf(values: AnnouncementValues, stored: announcements.StaffAnnouncement | undefined): Input {
  const { from, until, version, ...rest } = values
  const isUnchanged = (time: string, was: string | null | undefined) => stored && time === localOf(was ?? null)
  return {
    ...rest,
    ...(stored && version !== undefined ? { message_id: stored.message_id, version } : {}),
    ...(isUnchanged(from, stored?.published_at) ? {} : { published_at: isoOf(from) }),
    ...(isUnchanged(until, stored?.ended_at) ? {} : { ended_at: isoOf(until) }),
  }
}

/** Whether there is no text, whatever markup the editor leaves. */
export const isBlank = (html: string): boolean =>
  html
    .replace(/<[^>]*>/g, '')
    .replace(/&nbsp;/g, ' ')
    .trim() === ''

/** Errors that the contract's schema cannot find, by field. */
export function validateAnnouncement({ message, from, until }: AnnouncementValues, now = new Date()) {
  const end = isoOf(until)
  const begin = isoOf(from) ?? now.toISOString()
  return {
    ...(isBlank(message) && { message: texts.enterTheAnnouncementText }),
    ...(end !== null && end <= begin && { until: texts.theEndMustBeAfter }),
  }
}
