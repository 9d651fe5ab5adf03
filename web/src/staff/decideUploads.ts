import { type InputOf, review, staff } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { toast } from '../ui/toast.ts'
import * as texts from './texts.ts'
import { type Decision, outcomeOf } from './uploadWords.ts'

type Song = Pick<review.ReviewedUpload, 'entity_id' | 'version' | 'title'>

/** What could not be done, by song: a sentence each. */
export type Left = ReadonlyMap<number, string>

/** Said otherwise than by the server: the song is loaded again here. */
const WORDS: Record<string, string> = {
  conflict: texts.someoneElseUpdatedThisSong,
}

const renewList = () =>
  Promise.all([review.getUploads, staff.getDesk].map(({ path }) => queryClient.invalidateQueries({ queryKey: [path] })))

const renewSong = (entity_id: number) =>
  queryClient.invalidateQueries({ queryKey: apiQuery(review.getUpload, { entity_id }).queryKey })

/**
 * Decides about songs, each by itself, and says what came of it. Answers with what could not be done, which is all of
 * them where the call itself failed.
 */
export async function decideUploads(songs: readonly Song[], decision: Decision, reason = ''): Promise<Left> {
  const named = songs.map(({ entity_id, version }) => ({ entity_id, version }))
  try {
    const { done, left } = await callApi(review.decideUploads, { songs: named, decision, reason })
    const isDone = ({ entity_id }: Song) => done.includes(entity_id)
    const said = outcomeOf(decision, songs.filter(isDone), left.length)
    if (said) void toast({ message: said, tone: left.length ? 'trouble' : 'plain' })
    await Promise.all([renewList(), ...named.map(({ entity_id }) => renewSong(entity_id))])
    return new Map(left.map(({ entity_id, code, message }) => [entity_id, WORDS[code] ?? message]))
  } catch (error) {
    const why = error instanceof Error ? error.message : texts.couldntSaveYourDecisionTry
    return new Map(named.map(({ entity_id }) => [entity_id, why]))
  }
}

/** Saves what staff changed of a song; throws the refusal. */
export async function saveEdit(edit: InputOf<typeof review.editUpload>): Promise<void> {
  const whole = await callApi(review.editUpload, edit)
  queryClient.setQueryData(apiQuery(review.getUpload, { entity_id: edit.entity_id }).queryKey, whole)
  void toast({ message: format(texts.titleSaved, { title: whole.song.title }) })
  await renewList()
}

/** The song as it stands now. */
export const readAgain = (entity_id: number): Promise<review.ReviewedSong> =>
  queryClient.fetchQuery({ ...apiQuery(review.getUpload, { entity_id }), staleTime: 0 })
