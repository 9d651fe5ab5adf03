import { review, staff } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { refreshReplies } from '../../platform/useApiMutation.ts'
import { toast } from '../../ui/toast.ts'
import * as texts from './texts.ts'
import { type Decision, outcomeOf } from './uploadStates.ts'

type Song = Pick<review.ReviewedUpload, 'entity_id' | 'version' | 'title'>

/** Songs that could not be decided, each with the reason in a sentence. */
export type Failures = ReadonlyMap<number, string>

/** Replaces the server's wording, because the song is reloaded here. */
const MESSAGES: Record<string, string> = {
  conflict: texts.someoneElseUpdatedThisSong,
}

/** The calls whose replies show the state of an upload. */
export const UPLOAD_CALLS = [review.getUploads, review.getUpload, staff.getDashboard]

/**
 * Publishes or declines songs and shows the result. Resolves to those that could not be decided: all of them if the call
 * itself failed. `refreshed` resolves once the lists show the result.
 */
export async function decideUploads(
  songs: readonly Song[],
  decision: Decision,
  reason: string,
): Promise<{ failures: Failures; refreshed: Promise<unknown> }> {
  const input = songs.map(({ entity_id, version }) => ({ entity_id, version }))
  try {
    const { done, left } = await callApi(review.decideUploads, { songs: input, decision, reason })
    const isDone = ({ entity_id }: Song) => done.includes(entity_id)
    const message = outcomeOf(decision, songs.filter(isDone), left.length)
    if (message) void toast({ message, tone: left.length ? 'error' : 'plain' })
    const failures = new Map(left.map(({ entity_id, code, message }) => [entity_id, MESSAGES[code] ?? message]))
    return { failures, refreshed: refreshReplies(UPLOAD_CALLS) }
  } catch (error) {
    const message = error instanceof Error ? error.message : texts.couldntSaveYourDecisionTry
    return { failures: new Map(input.map(({ entity_id }) => [entity_id, message])), refreshed: Promise.resolve() }
  }
}

/** Loads the current state of a song. */
export const reloadUpload = (entity_id: number): Promise<review.ReviewedSong> =>
  queryClient.fetchQuery({ ...apiQuery(review.getUpload, { entity_id }), staleTime: 0 })

/** The song as it was last loaded. */
export const loadedUpload = (entity_id: number) =>
  queryClient.getQueryData<review.ReviewedSong>(apiQuery(review.getUpload, { entity_id }).queryKey)
