import { notices, type ReplyOf, savedSearches } from '@dubplate/contract'
import { useMemo } from 'react'
import { callApi } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { apiQuery, queryClient, useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { toast, toastError } from '../ui/toast.ts'
import { scheduleRemoval } from './removal.ts'
import * as texts from './texts.ts'

export type SavedSearch = savedSearches.SavedSearch
type SavedSearchesReply = ReplyOf<typeof savedSearches.getSearches>

const { queryKey } = apiQuery(savedSearches.getSearches, {})

/** Searches whose removal can still be undone: the server has them, the page does not show them. */
const removingIds = new Set<number>()

/** The saved searches of the current user. */
export function useSavedSearches() {
  const signedIn = useSession((session) => session.token !== null)
  const { data: savedSearchesReply, error, refetch } = useApiQuery(savedSearches.getSearches, {}, { enabled: signedIn })
  const cachedSearches = savedSearchesReply?.searches
  const shown = useMemo(
    () => cachedSearches?.filter(({ saved_search_id }) => !removingIds.has(saved_search_id)),
    [cachedSearches],
  )
  return { searches: shown, error, refetch }
}

const compareByName = (a: SavedSearch, b: SavedSearch) => a.name.localeCompare(b.name)

const updateCache = (update: (cachedSearches: SavedSearch[]) => SavedSearch[]) =>
  queryClient.setQueryData<SavedSearchesReply>(
    queryKey,
    (savedSearchesReply) => savedSearchesReply && { searches: update(savedSearchesReply.searches) },
  )

const upsert = (search: SavedSearch) =>
  updateCache((cachedSearches) =>
    [...cachedSearches.filter((each) => each.saved_search_id !== search.saved_search_id), search].sort(compareByName),
  )

/** Saves a search. Throws the server's `ApiError`. */
export async function saveSearch(params: Pick<SavedSearch, 'name' | 'query' | 'by_email'>): Promise<void> {
  const { search } = await callApi(savedSearches.saveSearch, params)
  upsert(search)
}

/** Renames a search or changes its email setting. Throws the server's `ApiError`. */
export async function changeSearch(
  { saved_search_id }: SavedSearch,
  changes: { name?: string; by_email?: boolean },
): Promise<void> {
  upsert((await callApi(savedSearches.changeSearch, { saved_search_id, ...changes })).search)
}

/** Turns the emails of a search on or off at once; reverted visibly if the request fails. */
export async function setEmailAlerts(search: SavedSearch, by_email: boolean): Promise<void> {
  upsert({ ...search, by_email })
  try {
    await changeSearch(search, { by_email })
  } catch (error) {
    upsert(search)
    void toastError(texts.couldntSaveYourChanges, error)
  }
}

/** Marks the results as seen. Offline they stay new until the next time. */
export async function markSeen({ saved_search_id, new_songs }: SavedSearch): Promise<void> {
  const savedSearchesReply = await callApi(savedSearches.markSeen, { saved_search_id }).catch(() => undefined)
  if (!savedSearchesReply) return
  updateCache((cachedSearches) =>
    cachedSearches.map((each) =>
      each.saved_search_id === saved_search_id ? { ...each, ...savedSearchesReply, new_songs: 0 } : each,
    ),
  )
  // The server marks the notification about it as read too.
  if (new_songs > 0) await queryClient.invalidateQueries({ queryKey: [notices.countUnread.path] })
}

/** Copies the private URL of a feed and confirms it; if the browser does not allow it, shows the URL. */
export async function copyFeed({ feed_url }: SavedSearch) {
  // The server does not send the URL in “View as member”.
  if (!feed_url) return void toast({ message: texts.onlyTheMemberCanSee, tone: 'error' })
  try {
    await navigator.clipboard.writeText(feed_url)
    void toast({ message: texts.feedUrlCopied })
  } catch {
    void toast({ title: texts.couldntCopyTheFeedUrl, message: feed_url, tone: 'error' })
  }
}

/** Gives a feed a new URL, so that the old one stops working. */
export async function renewFeedUrl({ saved_search_id, name }: SavedSearch) {
  try {
    const { search } = await callApi(savedSearches.changeSearch, { saved_search_id, new_feed: true })
    upsert(search)
    void toast({
      message: format(texts.newFeedUrlCreated, { name }),
      action: { label: texts.copyUrl, run: () => void copyFeed(search) },
    })
  } catch (error) {
    void toastError(texts.couldntResetTheFeedUrl, error)
  }
}

/** Removes a search and offers an undo: until the time to undo is over, it is only hidden on this page. */
export function removeSearch(search: SavedSearch) {
  const { saved_search_id, name, query, by_email } = search
  removingIds.add(saved_search_id)
  updateCache((cachedSearches) => cachedSearches.filter((each) => each.saved_search_id !== saved_search_id))
  const restore = () => {
    removingIds.delete(saved_search_id)
    upsert(search)
  }
  const removal = scheduleRemoval(async () => {
    try {
      await callApi(savedSearches.removeSearch, { saved_search_id })
    } catch (error) {
      restore()
      void toastError(texts.couldntDeleteTheSearch, error)
    }
  })
  const undo = () => {
    if (removal.undo()) return restore()
    // It has already been deleted, so it is saved as a new one.
    saveSearch({ name, query, by_email }).catch((error) => void toastError(texts.couldntRestoreTheSearch, error))
  }
  void toast({ message: format(texts.deleted, { name }), action: { label: texts.undo, run: undo } })
}
