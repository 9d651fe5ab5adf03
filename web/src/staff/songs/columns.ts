import { FIELD_NAMES, type Field } from './songFields.ts'
import * as texts from './texts.ts'

export type Column = 'select' | 'open' | Field | 'versions' | 'status'

/** The columns of the table, in their order. */
export const COLUMNS: readonly Column[] = [
  'select',
  'title',
  'artist',
  'bpm',
  'song_key',
  'genres',
  'year',
  'versions',
  'album',
  'label',
  'remixer',
  'isrc',
  'song_section_id',
  'status',
  'open',
]

export const COLUMN_NAMES: Record<Column, string> = {
  ...FIELD_NAMES,
  select: texts.select,
  open: texts.open,
  versions: texts.versions,
  status: texts.status,
}
