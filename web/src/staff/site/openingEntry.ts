import type { InputOf, openings } from '@dubplate/contract'
import * as texts from './texts.ts'

type Wish = InputOf<typeof openings.saveOpening>

/** A job opening being edited. */
export type OpeningEntry = {
  title: string
  place: string
  hours: string
  markdown: string
  apply_at: string
  published: boolean
}

export const NEW_OPENING: OpeningEntry = {
  title: '',
  place: '',
  hours: '',
  markdown: '',
  apply_at: '',
  published: true,
}

export const openingEntryOf = ({ job_opening_id: _, ...entry }: openings.StaffOpening): OpeningEntry => entry

const APPLY_AT = /^(|[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+|https?:\/\/[^\s<>"]+)$/i

/** Errors by field, under the field names of the API. */
export function wrongOpening({ title, markdown, apply_at }: OpeningEntry): Partial<Record<keyof OpeningEntry, string>> {
  return {
    ...(title.trim() ? {} : { title: texts.enterATitle }),
    ...(markdown.trim() ? {} : { markdown: texts.enterADescription }),
    ...(APPLY_AT.test(apply_at.trim()) ? {} : { apply_at: texts.enterAnEmailAddressOr }),
  }
}

export const openingWish = (entry: OpeningEntry, openingId: number | undefined): Wish =>
  openingId === undefined ? entry : { ...entry, job_opening_id: openingId }
