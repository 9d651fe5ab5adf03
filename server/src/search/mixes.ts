import { catalogue, type KeyRelation, keyRelation, type SongKey, tempoChange } from '@dubplate/contract'

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

/** The key relations of songs that are listed, with the names that the reply has for them. */
const LISTED_RELATIONS: Partial<Record<KeyRelation, NonNullable<Mix['key']>>> = {
  same: 'same',
  relative: 'relative',
  step_up: 'step',
  step_down: 'step',
}

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
  const key = playing.key ? listedRelation(playing.key, candidate.key) : null
  const tempo = playing.end_bpm
    ? tempoStep(playing.end_bpm, candidate.start_bpm)
    : { tempo: null, tempo_change_percent: null }
  if (key === undefined || tempo === undefined) return undefined
  return { key, ...tempo, shared_genres, shared_crates }
}

const listedRelation = (from: SongKey, to: SongKey | undefined) =>
  to ? LISTED_RELATIONS[keyRelation(from, to)] : undefined

function tempoStep(
  end_bpm: number,
  start_bpm: number | undefined,
): Pick<Mix, 'tempo' | 'tempo_change_percent'> | undefined {
  if (!start_bpm) return undefined
  const { multiple, percent, is_clash } = tempoChange(end_bpm, start_bpm)
  return is_clash ? undefined : { tempo: multiple, tempo_change_percent: Math.round(percent * 10) / 10 }
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
