import { camelotOrder, parseKey } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { NewSong, Source } from './additions.ts'

type Kept = Required<Pick<NewSong, 'album' | 'label' | 'isrc' | 'min_bpm' | 'max_bpm' | 'bpm_source'>> &
  Required<Pick<NewSong, 'song_key' | 'key_source' | 'year' | 'artwork_id'>>

/** People before tags before names before the analyser. */
const TRUST: Record<Source, number> = { staff: 5, uploader: 4, tag: 3, name: 2, analysis: 1 }
const trustIn = (source: Source | null | undefined): number => (source ? TRUST[source] : 0)

/**
 * Gives a song what another of its versions knows and it does not: blanks are filled, and a tempo or key from a better
 * source takes the place of a lesser one. Part of the caller's transaction, before `listSong`.
 */
export async function completeSong(sql: Sql, entityId: number, known: NewSong): Promise<void> {
  const [song] = await sql<Kept[]>`
    select album, label, isrc, min_bpm, max_bpm, bpm_source, song_key, key_source, year, artwork_id
    from song where entity_id = ${entityId} for update`
  if (!song) throw new Error(`The song ${entityId} vanished while a version was added.`)
  const { min_bpm, max_bpm, bpm_source } = betterTempo(song, known)
  const takesKey = trustIn(known.key_source) > trustIn(song.key_source)
  const key = parseKey((takesKey ? known.song_key : song.song_key) ?? '')
  await sql`
    update song set album = ${song.album || (known.album ?? '')}, label = ${song.label || (known.label ?? '')},
      isrc = ${song.isrc || (known.isrc ?? '')}, year = ${song.year ?? known.year ?? null},
      artwork_id = ${song.artwork_id ?? known.artwork_id ?? null}, min_bpm = ${min_bpm}, max_bpm = ${max_bpm},
      bpm_source = ${bpm_source}, song_key = ${key ?? null}, key_position = ${key ? camelotOrder(key) : null},
      key_source = ${(takesKey ? known.key_source : song.key_source) ?? null}
    where entity_id = ${entityId}`
}

type Tempo = Pick<Kept, 'min_bpm' | 'max_bpm' | 'bpm_source'>
const isSpan = ({ min_bpm, max_bpm }: Pick<NewSong, 'min_bpm' | 'max_bpm'>) => (max_bpm ?? 0) > (min_bpm ?? 0)

/** A transition widens the tempo of its song, whichever of the two came first. */
function betterTempo(song: Kept, known: NewSong): Tempo {
  const fresh: Tempo = {
    min_bpm: known.min_bpm ?? null,
    max_bpm: known.max_bpm ?? known.min_bpm ?? null,
    bpm_source: known.bpm_source ?? null,
  }
  const best = trustIn(fresh.bpm_source) > trustIn(song.bpm_source) ? fresh : song
  const spans = [song, fresh].filter(isSpan)
  const isByHand = trustIn(song.bpm_source) > TRUST.tag
  if (spans.length === 0 || isByHand || best.min_bpm === null) return best
  const ends = [best, ...spans].flatMap(({ min_bpm, max_bpm }) => [min_bpm ?? 0, max_bpm ?? 0])
  return { min_bpm: Math.min(...ends), max_bpm: Math.max(...ends), bpm_source: best.bpm_source }
}

type Heard = { bpm: number | null; song_key: string | null }

/** Where only the analyser has told a song's tempo or key: takes them from the version it was surest about. */
export async function takeSurestAnalysis(sql: Sql, entityId: number): Promise<void> {
  const [heard] = await sql<Heard[]>`
    select
      (select a.bpm from song_version v join analysis a using (file_id) where v.entity_id = ${entityId} and a.bpm is not null
        order by v.version_label like '%Acapella%', a.bpm_confidence desc, v.song_version_id limit 1) as bpm,
      (select a.song_key from song_version v join analysis a using (file_id)
        where v.entity_id = ${entityId} and a.song_key is not null
        order by a.key_confidence desc, v.song_version_id limit 1) as song_key`
  const key = heard?.song_key ? parseKey(heard.song_key) : undefined
  if (heard?.bpm) {
    await sql`update song set min_bpm = ${heard.bpm}, max_bpm = ${heard.bpm}, bpm_source = 'analysis'
      where entity_id = ${entityId} and coalesce(bpm_source, 'analysis') = 'analysis'`
  }
  if (key) {
    await sql`update song set song_key = ${key}, key_position = ${camelotOrder(key)}, key_source = 'analysis'
      where entity_id = ${entityId} and coalesce(key_source, 'analysis') = 'analysis'`
  }
}
