import { newsletter, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { toast, toastError } from '../ui/toast.ts'
import { followedAfter } from './followedAfter.ts'
import * as texts from './texts.ts'

export type Mailing = ReplyOf<typeof newsletter.getMailing>
type Genre = Mailing['followed'][number]

const { queryKey } = apiQuery(newsletter.getMailing, {})

const show = (change: (mailing: Mailing) => Mailing) =>
  queryClient.setQueryData<Mailing>(queryKey, (mailing) => mailing && change(mailing))

const shown = () => queryClient.getQueryData<Mailing>(queryKey)

/** Follows or unfollows a genre: shown at once, reverted if the request fails. Both can be undone. */
export async function followGenre(genre: Genre, follow: boolean): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  show((previous) => ({ ...previous, followed: followedAfter(previous.followed, genre, follow) }))
  try {
    const { followed } = await callApi(newsletter.followGenre, { genre_id: genre.genre_id, follow })
    show((previous) => ({ ...previous, followed }))
    toastFollowed(genre, follow)
  } catch (error) {
    show((previous) => ({ ...previous, followed: followedAfter(previous.followed, genre, !follow) }))
    void toastError(
      follow ? format(texts.couldntFollow, { name: genre.name }) : format(texts.couldntUnfollow, { name: genre.name }),
      error,
    )
  }
}

/** Explains what following does, and offers to turn on the digest if it is off. */
function toastFollowed(genre: Genre, follow: boolean) {
  const undo = { label: texts.undo, run: () => void followGenre(genre, !follow) }
  if (!follow) return void toast({ message: format(texts.unfollowed, { name: genre.name }), action: undo })
  if (shown()?.state === 'subscribed')
    return void toast({ message: format(texts.followingNotice, { name: genre.name }), action: undo })
  void toast({
    message: format(texts.followingTurnOnTheWeekly, { name: genre.name }),
    action: { label: texts.turnOnDigest, run: () => void chooseDigest(true) },
  })
}

/** Turns the weekly digest on or off, and shows the result. */
export async function chooseDigest(subscribed: boolean): Promise<void> {
  try {
    const { state } = await callApi(newsletter.saveMailing, { subscribed })
    show((previous) => ({ ...previous, state }))
    void toast({
      message: subscribed ? texts.weeklyDigestTurnedOn : texts.weeklyDigestTurnedOff,
    })
  } catch (error) {
    void toastError(texts.couldntSaveYourChanges, error)
  }
}
