import type { Sql } from '../platform/db.ts'
import type { NewSong } from './additions.ts'
import type { Origins } from './value-sources.ts'

type StoredFields = Required<Pick<NewSong, 'album' | 'label' | 'isrc' | 'year' | 'artwork_id' | 'origins'>>

const FILLABLE_FIELDS = ['album', 'label', 'isrc', 'year'] as const

/**
 * Fills blank fields of a song with values of a new version, unless staff cleared them. Part of the caller's
 * transaction, before `listSong`. Tempo and key are those of each version: see `refreshTempoAndKey`.
 */
export async function completeSong(sql: Sql, entityId: number, newValues: NewSong): Promise<void> {
  const [song] = await sql<StoredFields[]>`
    select album, label, isrc, year, artwork_id, origins
    from song where entity_id = ${entityId} for update`
  if (!song) throw new Error(`Song ${entityId} disappeared while a version was added`)
  const blank = [...FILLABLE_FIELDS, 'artwork' as const].filter((field) => isBlank(song, field))
  const origins = Object.fromEntries(
    blank.flatMap((field) => (newValues.origins?.[field] ? [[field, newValues.origins[field]]] : [])),
  ) as Origins
  const fillField = <F extends 'album' | 'label' | 'isrc' | 'year'>(field: F) =>
    (blank.includes(field) ? newValues : song)[field]
  const artworkId = blank.includes('artwork') ? newValues.artwork_id : song.artwork_id
  await sql`
    update song set album = ${fillField('album') ?? ''}, label = ${fillField('label') ?? ''}, isrc = ${fillField('isrc') ?? ''},
      year = ${fillField('year') ?? null}, artwork_id = ${artworkId ?? null}, origins = origins || ${sql.json(origins)},
      revision = revision + 1
    where entity_id = ${entityId}`
}

/** Whether the field is empty and was not cleared by staff. */
function isBlank(song: StoredFields, field: (typeof FILLABLE_FIELDS)[number] | 'artwork'): boolean {
  if (song.origins[field] === 'staff') return false
  return field === 'artwork' ? song.artwork_id === null : !song[field]
}
