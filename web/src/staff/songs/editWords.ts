import type { songsDesk } from '@dubplate/contract'

type Edit = Pick<songsDesk.SongEdit, 'kind' | 'fields' | 'undoes'>

const KINDS: Record<songsDesk.SongEdit['kind'], string> = {
  edited: 'Edited',
  withdrawn: 'Withdrawn',
  restored: 'Restored',
  version_withdrawn: 'Version withdrawn',
  version_restored: 'Version restored',
  cover: 'Cover changed',
  analysed: 'Analysed again',
  undone: 'Undone',
}

export function editInWords({ kind, undoes }: Edit): string {
  if (!undoes) return KINDS[kind]
  return undoes.kind === 'undone' ? 'Done again' : `Undone: ${KINDS[undoes.kind].toLowerCase()}`
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
  const named = { ...NAMES, status: 'state', artwork: 'cover' }[field] ?? field
  return named.charAt(0).toUpperCase() + named.slice(1)
}
