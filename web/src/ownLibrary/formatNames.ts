import type { ownLibrary } from '@dubplate/contract'

/** The programs' names. Lists and folders have names of their own. */
export const FORMAT_NAMES: Partial<Record<ownLibrary.CollectionFormat, string>> = {
  rekordbox: 'rekordbox',
  traktor: 'Traktor',
  serato: 'Serato',
  virtualdj: 'VirtualDJ',
  engine: 'Engine DJ',
}
