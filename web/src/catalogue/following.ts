import { newsletter, type ReplyOf } from '@dubplate/contract'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { apiQuery, queryClient } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { toast, toastError } from '../ui/toast.ts'
import { type FollowTarget, findFollowed, followedAfter, isGenre, isList } from './followedAfter.ts'
import * as texts from './texts.ts'

export type Mailing = ReplyOf<typeof newsletter.getMailing>

const { queryKey } = apiQuery(newsletter.getMailing, {})

const show = (change: (mailing: Mailing) => Mailing) =>
  queryClient.setQueryData<Mailing>(queryKey, (mailing) => mailing && change(mailing))

const shown = () => queryClient.getQueryData<Mailing>(queryKey)

const toReference = ({ kind, id, chart_type, song_section_id }: newsletter.FollowedList) => ({
  ...{ kind, id, chart_type, song_section_id },
})

function save(target: FollowTarget, follow: boolean) {
  if (isGenre(target)) return callApi(newsletter.followGenre, { genre_id: target.genre_id, follow })
  if (isList(target)) return callApi(newsletter.followList, { ...toReference(target), follow })
  return callApi(newsletter.followName, { ...target, follow })
}

/** Follows or unfollows a genre, artist, label or list: shown at once, reverted if the request fails. Both can be undone. */
export async function follow(target: FollowTarget, isOn: boolean): Promise<void> {
  await queryClient.cancelQueries({ queryKey })
  show((previous) => ({ ...previous, ...followedAfter(previous, target, isOn) }))
  try {
    const saved = await save(target, isOn)
    show((previous) => ({ ...previous, ...saved }))
    toastFollowed(target, isOn)
  } catch (error) {
    show((previous) => ({ ...previous, ...followedAfter(previous, target, !isOn) }))
    const { name } = target
    void toastError(isOn ? format(texts.couldntFollow, { name }) : format(texts.couldntUnfollow, { name }), error)
  }
}

/** Follows what a visitor chose before signing in. */
export async function followAfterSignIn(target: FollowTarget): Promise<void> {
  await queryClient.fetchQuery(apiQuery(newsletter.getMailing, {}))
  await follow(target, true)
}

/** Clears the number of new songs of a followed list. If that fails, it is cleared when the list is opened again. */
export async function markListOpened(list: newsletter.FollowedList): Promise<void> {
  if (useSession.getState().profile?.viewed_by) return
  try {
    await callApi(newsletter.openFollowedList, toReference(list))
  } catch {
    return
  }
  show((previous) => {
    const opened = findFollowed(previous, list)
    // After an older top 20, the newest one is still new.
    const isNewest = opened && isList(opened) && opened.id === list.id
    const followed_lists = previous.followed_lists.map((one) =>
      isNewest && one === opened ? { ...one, new_count: 0 } : one,
    )
    return { ...previous, followed_lists }
  })
}

/** Explains what following does, and offers to turn on the digest if it is off. */
function toastFollowed(target: FollowTarget, isOn: boolean) {
  const { name } = target
  const undo = { label: texts.undo, run: () => void follow(target, !isOn) }
  if (!isOn) return void toast({ message: format(texts.unfollowed, { name }), action: undo })
  if (shown()?.state === 'subscribed')
    return void toast({ message: format(texts.followingNotice, { name }), action: undo })
  void toast({
    message: format(texts.followingTurnOnTheWeekly, { name }),
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
