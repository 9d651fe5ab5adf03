import { announcements, type InputOf, site } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { toast, toastError } from '../../ui/toast.ts'
import { entryOf, wishOf } from './announcementEntry.ts'
import * as texts from './texts.ts'

type StaffAnnouncement = announcements.StaffAnnouncement

/** Also reloads the page that shows announcements, because staff look at it next. */
const renew = () =>
  Promise.all(
    [announcements.getAnnouncements, site.getAnnouncements, site.getNews].map(({ path }) =>
      queryClient.invalidateQueries({ queryKey: [path] }),
    ),
  )

const SAVED = {
  current: texts.announcementPublished,
  scheduled: texts.announcementScheduled,
  ended: texts.announcementSavedItHasAlready,
}

/** Throws an `ApiError` when the server rejects the change. */
export async function announce(wish: InputOf<typeof announcements.saveAnnouncement>): Promise<StaffAnnouncement> {
  const { announcement } = await callApi(announcements.saveAnnouncement, wish)
  void toast({ message: SAVED[announcement.state] })
  await renew()
  return announcement
}

/** Ends an active announcement, or deletes a scheduled one. Both can be undone. */
export async function endNow(it: StaffAnnouncement): Promise<void> {
  const isThrown = it.state === 'scheduled'
  try {
    await callApi(announcements.endAnnouncement, { message_id: it.message_id })
    const takeBack = () =>
      void announce(isThrown ? asNew(it) : asBefore(it)).catch((error) => toastError(texts.couldntUndo, error))
    void toast({
      message: isThrown ? texts.announcementDeleted : texts.announcementEnded,
      action: { label: texts.undo, run: takeBack },
    })
  } catch (error) {
    void toastError(isThrown ? texts.couldntDeleteAnnouncement : texts.couldntEndAnnouncement, error)
  }
  await renew()
}

const asNew = (it: StaffAnnouncement) => ({
  ...wishOf({ ...entryOf(it), version: undefined }, undefined),
  published_at: it.published_at,
  ended_at: it.ended_at,
})

/** Ending it has incremented its version. */
const asBefore = (it: StaffAnnouncement) => ({
  ...wishOf({ ...entryOf(it), version: it.version + 1 }, it),
  ended_at: it.ended_at,
})

/** Loads an announcement whatever its state; undefined when it has been deleted. */
export async function readAgain(messageId: number): Promise<StaffAnnouncement | undefined> {
  const pages = await Promise.all(
    announcements.ANNOUNCEMENT_STATES.map((state) =>
      queryClient.fetchQuery({ ...apiQuery(announcements.getAnnouncements, { state, page: 1 }), staleTime: 0 }),
    ),
  )
  return pages.flatMap(({ announcements }) => announcements).find(({ message_id }) => message_id === messageId)
}
