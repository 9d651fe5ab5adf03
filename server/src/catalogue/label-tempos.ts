import type { Sql } from '../platform/db.ts'
import { MIN_CONFIDENCE } from './version-tempo.ts'
import { normalizePhrase } from './words.ts'

/** So many of a label's newest songs show its usual tempo. */
const SONGS = 50

/** Tempos of the newest songs of a label, one for each song; measured ones only if they are certain. */
export async function tempoOfLabel(sql: Sql, label: string): Promise<number[]> {
  const key = normalizePhrase(label)
  if (key === '') return []
  const rows = await sql<{ bpm: number }[]>`
    select v.bpm from (
      select entity_id from song_credit where kind = 'label' and credit_key = ${key}
      order by entity_id desc limit ${SONGS}) s
    cross join lateral (
      select bpm from song_version
      where entity_id = s.entity_id and bpm is not null and (bpm_source <> 'analysis' or bpm_confidence >= ${MIN_CONFIDENCE})
      order by position limit 1) v`
  return rows.map(({ bpm }) => bpm)
}
