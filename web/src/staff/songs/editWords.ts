import type { songsDesk } from '@dubplate/contract'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

type Edit = Pick<songsDesk.SongEdit, 'kind' | 'fields' | 'undoes'>

const KINDS: Record<songsDesk.SongEdit['kind'], string> = {
  edited: texts.edited,
  withdrawn: texts.unpublished,
  restored: texts.republished,
  version_withdrawn: texts.versionUnpublished,
  version_restored: texts.versionRepublished,
  cover: texts.coverChanged,
  analysed: texts.reAnalysed,
  undone: texts.undone,
}

export function editInWords({ kind, undoes }: Edit): string {
  if (!undoes) return KINDS[kind]
  return undoes.kind === 'undone'
    ? texts.redone
    : format(texts.undoneKind, { toLowerCase: KINDS[undoes.kind].toLowerCase() })
}

const NAMES: Record<string, string> = {
  isrc: texts.isrc,
  bpm: texts.bpm,
  song_key: 'key',
  song_section_id: 'section',
  version: 'versions',
}

/** The fields an edit changed: 'title, BPM'; '' when its kind already says it. */
export const fieldsInWords = ({ kind, fields }: Edit): string =>
  kind === 'edited' || kind === 'analysed' || kind === 'undone'
    ? fields
        .filter((field) => field !== 'status' && field !== 'artwork')
        .map((field) => NAMES[field] ?? field)
        .join(', ')
    : ''

/** 'version name' → 'Version name'. */
export function changedField(field: string): string {
  const named = { ...NAMES, status: 'status', artwork: 'cover' }[field] ?? field
  return named.charAt(0).toUpperCase() + named.slice(1)
}
