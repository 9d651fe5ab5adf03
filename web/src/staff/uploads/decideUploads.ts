import { type InputOf, review, staff } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { toast } from '../../ui/toast.ts'
import * as texts from './texts.ts'
import { type Decision, outcomeOf } from './uploadStates.ts'

type Song = Pick<review.ReviewedUpload, 'entity_id' | 'version' | 'title'>

/** Songs that could not be decided, each with the reason in a sentence. */
export type Left = ReadonlyMap<number, string>

/** Replaces the server's wording, because the song is reloaded here. */
const WORDS: Record<string, string> = {
  conflict: texts.someoneElseUpdatedThisSong,
}

const renewList = () =>
  Promise.all(
    [review.getUploads, staff.getDashboard].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })),
  )

const renewSong = (entity_id: number) =>
  queryClient.invalidateQueries({ queryKey: apiQuery(review.getUpload, { entity_id }).queryKey })

/**
 * Decides songs one by one and shows the result. Returns those that could not be decided: all of them when the call
 * itself failed.
 */
export async function decideUploads(songs: readonly Song[], decision: Decision, reason = ''): Promise<Left> {
  const named = songs.map(({ entity_id, version }) => ({ entity_id, version }))
  try {
    const { done, left } = await callApi(review.decideUploads, { songs: named, decision, reason })
    const isDone = ({ entity_id }: Song) => done.includes(entity_id)
    const said = outcomeOf(decision, songs.filter(isDone), left.length)
    if (said) void toast({ message: said, tone: left.length ? 'error' : 'plain' })
    await Promise.all([renewList(), ...named.map(({ entity_id }) => renewSong(entity_id))])
    return new Map(left.map(({ entity_id, code, message }) => [entity_id, WORDS[code] ?? message]))
  } catch (error) {
    const why = error instanceof Error ? error.message : texts.couldntSaveYourDecisionTry
    return new Map(named.map(({ entity_id }) => [entity_id, why]))
  }
}

/** Saves a song edited by staff. Throws an `ApiError` when the server rejects the change. */
export async function saveEdit(edit: InputOf<typeof review.editUpload>): Promise<void> {
  const whole = await callApi(review.editUpload, edit)
  queryClient.setQueryData(apiQuery(review.getUpload, { entity_id: edit.entity_id }).queryKey, whole)
  void toast({ message: format(texts.titleSaved, { title: whole.song.title }) })
  await renewList()
}

/** Loads the current state of the song. */
export const readAgain = (entity_id: number): Promise<review.ReviewedSong> =>
  queryClient.fetchQuery({ ...apiQuery(review.getUpload, { entity_id }), staleTime: 0 })
