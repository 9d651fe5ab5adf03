import type { quality } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'

/** Words of a label, for a regular expression of PostgreSQL. */
const CLEAN = String.raw`\mclean\M`

/**
 * Reads how the Clean versions of a song differ from those whose label says Dirty instead, such as Intro Clean and Intro
 * Dirty. Versions that have not been compared yet are left out.
 */
export const listComparisons = (
  sql: Sql,
  entityId: number,
  versions: 'published' | 'all',
): Promise<quality.Comparison[]> => sql<quality.Comparison[]>`
  select jsonb_build_object('song_version_id', c.song_version_id, 'version_label', c.version_label) as clean,
    jsonb_build_object('song_version_id', d.song_version_id, 'version_label', d.version_label) as dirty, m.places, m.is_same
  from song_version c join song_version d on d.entity_id = c.entity_id and lower(c.version_label) ~ ${CLEAN}
      and lower(d.version_label) = regexp_replace(lower(c.version_label), ${CLEAN}, 'dirty')
    join version_comparison m on m.clean_file_id = c.file_id and m.dirty_file_id = d.file_id
  where c.entity_id = ${entityId} and c.status <> 'unpublished' and d.status <> 'unpublished'
    and (${versions} = 'all' or c.status = 'published' and d.status = 'published')
  order by c.position, c.song_version_id`
