import type { songsDesk } from '@dubplate/contract'

type Edit = Pick<songsDesk.SongEdit, 'kind' | 'fields' | 'undoes'>

const KINDS: Record<songsDesk.SongEdit['kind'], string> = {
  edited: 'Edited',
  withdrawn: 'Unpublished',
  restored: 'Republished',
  version_withdrawn: 'Version unpublished',
  version_restored: 'Version republished',
  cover: 'Cover changed',
  analysed: 'Re-analysed',
  undone: 'Undone',
}

export function editInWords({ kind, undoes }: Edit): string {
  if (!undoes) return KINDS[kind]
  return undoes.kind === 'undone' ? 'Redone' : `Undone: ${KINDS[undoes.kind].toLowerCase()}`
}

const NAMES: Record<string, string> = {
  isrc: 'ISRC',
  bpm: 'BPM',
  song_key: 'key',
  song_section_id: 'section',
  version: 'versions',
}

/** What an edit set: 'title, BPM'; '' where its kind says it. */
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
