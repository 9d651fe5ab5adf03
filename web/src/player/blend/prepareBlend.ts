import { type catalogue, player } from '@dubplate/contract'
import { usePreferences } from '../../platform/preferences.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { audibleRange } from '../audio.ts'
import { preloadAt } from '../preload.ts'
import type { Entry } from '../queue.ts'
import type { BlendSounds, DecodedPart } from './blendGraph.ts'
import { matchLoudness } from './gains.ts'
import { loadPart } from './loadPart.ts'
import { type BlendPlan, type BlendProblem, planBlend } from './planBlend.ts'

export type BlendSongs = { outgoing: Entry; incoming: Entry }

/** Why two songs cannot be blended; `failed` may work later. */
export type BlendObstacle = BlendProblem | 'no_outgoing_grid' | 'no_incoming_grid' | 'failed'

export type PreparedBlend = { plan: BlendPlan; sounds: BlendSounds }

/** Less than this may be missing at the end of a part: what the encoder rounded. */
const TOLERANCE_SECONDS = 0.1

/** A grid may be corrected; a version without one may get one at any time. */
const GRID_STALE_MS = 15 * 60_000

async function gridOf({ song_version_id }: catalogue.Version): Promise<player.BeatGrid | null> {
  const query = apiQuery(player.getBeatGrid, { song_version_id })
  const hasGrid = queryClient.getQueryData(query.queryKey)?.grid
  return (await queryClient.fetchQuery({ ...query, staleTime: hasGrid ? GRID_STALE_MS : 0 })).grid
}

/** Plans a blend and loads its sound. Rejects if something could not be loaded. */
export async function prepareBlend(songs: BlendSongs): Promise<PreparedBlend | BlendObstacle> {
  const versions = { outgoing: songs.outgoing.version, incoming: songs.incoming.version }
  const [before, after] = await Promise.all([gridOf(versions.outgoing), gridOf(versions.incoming)])
  // Music that is generated on demand is analysed once its preview has been requested.
  if (!before) return missingGrid('no_outgoing_grid', songs.outgoing)
  if (!after) return missingGrid('no_incoming_grid', songs.incoming)
  const ranges = { outgoing: audibleRange(versions.outgoing), incoming: audibleRange(versions.incoming) }
  const clips = { ...ranges }
  // Again if a preview ends before the song does.
  for (let attempt = 0; attempt < 2; attempt++) {
    const plan = planBlend({ grid: before, range: ranges.outgoing }, { grid: after, range: ranges.incoming })
    if (typeof plan === 'string') return plan
    const [outgoing, incoming] = await Promise.all([
      loadPart(versions.outgoing, rangeOf(plan.outgoing), clips.outgoing.from),
      loadPart(versions.incoming, rangeOf(plan.incoming), clips.incoming.from),
    ])
    const isComplete =
      coversUntil(outgoing, plan.outgoing.to_seconds) && coversUntil(incoming, plan.incoming.to_seconds)
    if (isComplete) return { plan, sounds: withGains(versions, { outgoing, incoming }) }
    ranges.outgoing = limitedTo(ranges.outgoing, outgoing, plan.outgoing.to_seconds)
    ranges.incoming = limitedTo(ranges.incoming, incoming, plan.incoming.to_seconds)
  }
  return 'too_short'
}

function missingGrid(obstacle: BlendObstacle, entry: Entry): BlendObstacle {
  void preloadAt(entry)
  return obstacle
}

const rangeOf = ({ from_seconds, to_seconds }: BlendPlan['outgoing']) => ({ from: from_seconds, to: to_seconds })

const endOf = ({ samples, from_seconds }: DecodedPart) => from_seconds + samples.duration

const coversUntil = (part: DecodedPart, to_seconds: number) => endOf(part) >= to_seconds - TOLERANCE_SECONDS

/** The range without what the part turned out not to contain. */
const limitedTo = (range: { from: number; to: number }, part: DecodedPart, to_seconds: number) =>
  coversUntil(part, to_seconds) ? range : { from: range.from, to: Math.min(range.to, endOf(part)) }

function withGains(
  versions: Record<'outgoing' | 'incoming', catalogue.Version>,
  parts: Record<'outgoing' | 'incoming', DecodedPart>,
): BlendSounds {
  const lufs = { outgoing: versions.outgoing.loudness_lufs ?? null, incoming: versions.incoming.loudness_lufs ?? null }
  const gains = matchLoudness(lufs, usePreferences.getState().loudness === 'even')
  return {
    outgoing: { ...parts.outgoing, gain: gains.outgoing },
    incoming: { ...parts.incoming, gain: gains.incoming },
  }
}
