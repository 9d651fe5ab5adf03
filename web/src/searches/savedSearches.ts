import { catalogue, downloads, library, notices, savedSearches } from '@dubplate/contract'
import { useMemo } from 'react'
import { format } from '../format/message.ts'
import { loadCrate } from '../library/library.ts'
import { usePreferences } from '../platform/preferences.ts'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { changeReplies, refreshReplies, useApiMutation } from '../platform/useApiMutation.ts'
import { toast } from '../ui/toast.ts'
import { scheduleRemoval } from './removal.ts'
import * as texts from './texts.ts'

export type SavedSearch = savedSearches.SavedSearch

const { getSearches } = savedSearches

/** Searches whose removal can still be undone: the server has them, the page does not show them. */
const removingIds = new Set<number>()

/** The saved searches of the current user. */
export function useSavedSearches() {
  const signedIn = useSession((session) => session.token !== null)
  const { data, error, refetch } = useApiQuery(getSearches, {}, { enabled: signedIn })
  const searches = useMemo(
    () => data?.searches.filter(({ saved_search_id }) => !removingIds.has(saved_search_id)),
    [data],
  )
  return { searches, error, refetch }
}

/** The key notation and the genre names, for describing searches. */
export function useNames() {
  const notation = usePreferences((preferences) => preferences.notation)
  const { data } = useApiQuery(catalogue.getSongGenres, {})
  return useMemo(() => {
    const names = new Map(data?.genres.map(({ genre_id, name }) => [genre_id, name]))
    return { notation, genreName: (genreId: number) => names.get(genreId) }
  }, [notation, data])
}

/** Marks the results of a search as seen. Offline they stay new until the next time. */
export const useMarkSearchSeen = () =>
  useApiMutation(savedSearches.markSeen, {
    // The server marks the notification about it as read too.
    invalidates: [getSearches, notices.countUnread],
  }).mutate

/** What can be done with a saved search. */
export function useSavedSearchActions(search: SavedSearch) {
  const { saved_search_id, name, query, by_email, fill_limit } = search
  const email = useApiMutation(savedSearches.changeSearch, {
    optimistic: ({ by_email = false }) =>
      changeReplies(getSearches, ({ searches }) => ({
        searches: searches.map((each) => (each.saved_search_id === saved_search_id ? { ...each, by_email } : each)),
      })),
    invalidates: [getSearches],
    errorTitle: texts.couldntSaveYourChanges,
  })
  const filling = useApiMutation(savedSearches.fillCrate, {
    invalidates: [getSearches, library.crateIndex, downloads.crateSummary],
    success: ({ added }) => ({
      message: added === 0 ? format(texts.nothingNewToAdd, { name }) : format(texts.addedToYourCrate, { count: added }),
    }),
    errorTitle: texts.couldntFillYourCrate,
  })
  const feed = useApiMutation(savedSearches.changeSearch, {
    invalidates: [getSearches],
    success: ({ search }) => ({
      message: format(texts.newFeedUrlCreated, { name }),
      action: { label: texts.copyUrl, run: () => void copyFeed(search) },
    }),
    errorTitle: texts.couldntResetTheFeedUrl,
  })
  const removal = useApiMutation(savedSearches.removeSearch, { errorTitle: texts.couldntDeleteTheSearch })
  const save = useApiMutation(savedSearches.saveSearch, {
    invalidates: [getSearches],
    errorTitle: texts.couldntRestoreTheSearch,
  })
  /** Removes the search and offers an undo: until the time to undo is over, it is only hidden on this page. */
  const remove = () => {
    removingIds.add(saved_search_id)
    const showAgain = changeReplies(getSearches, ({ searches }) => ({
      searches: searches.filter((each) => each.saved_search_id !== saved_search_id),
    }))
    const restore = () => {
      removingIds.delete(saved_search_id)
      showAgain()
      void refreshReplies([getSearches])
    }
    const scheduled = scheduleRemoval(() => removal.mutateAsync({ saved_search_id }).then(undefined, restore))
    const undo = () => {
      if (scheduled.undo()) restore()
      // It has already been deleted, so it is saved as a new one.
      else save.mutate({ name, query, by_email, fill_limit })
    }
    void toast({ message: format(texts.deleted, { name }), action: { label: texts.undo, run: undo } })
  }
  return {
    toggleEmail: () => email.mutate({ saved_search_id, by_email: !by_email }),
    fillNow: () =>
      void filling.mutateAsync({ saved_search_id }).then(
        () => void loadCrate(),
        () => undefined,
      ),
    copyFeed: () => void copyFeed(search),
    renewFeed: () => feed.mutate({ saved_search_id, new_feed: true }),
    remove,
  }
}

/** Copies the private URL of a feed and confirms it; if the browser does not allow it, shows the URL. */
async function copyFeed({ feed_url }: SavedSearch) {
  // The server does not send the URL in “View as member”.
  if (!feed_url) return void toast({ message: texts.onlyTheMemberCanSee, tone: 'error' })
  try {
    await navigator.clipboard.writeText(feed_url)
    void toast({ message: texts.feedUrlCopied })
  } catch {
    void toast({ title: texts.couldntCopyTheFeedUrl, message: feed_url, tone: 'error' })
  }
}
