import { camelot, catalogue, mixesWith, type SongKey } from '@dubplate/contract'

/** How a song can follow another one; null when the other one has no key or tempo. */
export type Mix = catalogue.MixingSong['mix']

export type MixMatch = { entity_id: number; mix: Mix }

/** The playing song: its key, and the tempo it ends with. */
export type PlayingSong = { key: SongKey | undefined; end_bpm: number | undefined }

/** A song that may be next: its key, and the tempo it starts with. */
export type MixCandidate = Pick<Mix, 'shared_genres' | 'shared_crates'> & {
  entity_id: number
  key: SongKey | undefined
  start_bpm: number | undefined
}

const { MIXABLE_TEMPO_RATIO } = catalogue

/** The tempos that a song can be mixed into, relative to its own. */
export const TEMPO_WEIGHTS = { same: 1, half: 0.5, double: 2 } as const

const KEY_POINTS = { same: 3, relative: 2, step: 2 }
const TEMPO_POINTS = 2
const HALF_TIME_POINTS = -1
const GENRE_POINTS = 0.5
const MAX_GENRES = 4
const CRATE_POINTS = 0.5

/** The songs that can follow, best first; of two equal ones the newer comes first. */
export function rankMixes(playing: PlayingSong, candidates: readonly MixCandidate[]): MixMatch[] {
  return candidates
    .flatMap((candidate) => {
      const mix = mixOf(playing, candidate)
      return mix ? [{ entity_id: candidate.entity_id, mix, points: mixScore(mix) }] : []
    })
    .sort((a, b) => b.points - a.points || b.entity_id - a.entity_id)
    .map(({ entity_id, mix }) => ({ entity_id, mix }))
}

/** How a candidate follows the playing song; undefined when its key clashes or its tempo is out of range. */
export function mixOf(playing: PlayingSong, candidate: MixCandidate): Mix | undefined {
  const { shared_genres, shared_crates } = candidate
  const key = playing.key ? keyStep(playing.key, candidate.key) : null
  const tempo = playing.end_bpm
    ? tempoStep(playing.end_bpm, candidate.start_bpm)
    : { tempo: null, tempo_change_percent: null }
  if (key === undefined || tempo === undefined) return undefined
  return { key, ...tempo, shared_genres, shared_crates }
}

function keyStep(from: SongKey, to: SongKey | undefined): NonNullable<Mix['key']> | undefined {
  if (!to || !mixesWith(from, to)) return undefined
  if (from === to) return 'same'
  return Number.parseInt(camelot(from), 10) === Number.parseInt(camelot(to), 10) ? 'relative' : 'step'
}

/**
 * The change on the second song's pitch fader, in per cent of its own tempo. Both ways of measuring respect the range,
 * so that every listed song is also marked as mixing in a list.
 */
function tempoStep(
  end_bpm: number,
  start_bpm: number | undefined,
): Pick<Mix, 'tempo' | 'tempo_change_percent'> | undefined {
  if (!start_bpm) return undefined
  for (const tempo of Object.keys(TEMPO_WEIGHTS) as (keyof typeof TEMPO_WEIGHTS)[]) {
    const wanted = end_bpm * TEMPO_WEIGHTS[tempo]
    const change = wanted / start_bpm - 1
    if (Math.max(Math.abs(change), Math.abs(start_bpm / wanted - 1)) > MIXABLE_TEMPO_RATIO) continue
    return { tempo, tempo_change_percent: Math.round(change * 1000) / 10 }
  }
  return undefined
}

/**
 * Key and tempo weigh most: the same key is worth half of the fader's range. Up to four shared genres make up for one
 * step of key and half the range; crates count logarithmically, so that a popular song does not lead everywhere.
 */
function mixScore({ key, tempo, tempo_change_percent, shared_genres, shared_crates }: Mix): number {
  const closeness = tempo_change_percent === null ? 0 : 1 - Math.abs(tempo_change_percent) / (MIXABLE_TEMPO_RATIO * 100)
  return (
    (key ? KEY_POINTS[key] : 0) +
    TEMPO_POINTS * closeness +
    (tempo === 'half' || tempo === 'double' ? HALF_TIME_POINTS : 0) +
    GENRE_POINTS * Math.min(shared_genres, MAX_GENRES) +
    CRATE_POINTS * Math.log2(1 + shared_crates)
  )
}
