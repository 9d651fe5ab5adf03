import { notices, type ReplyOf, savedSearches } from '@dubplate/contract'
import { useMemo } from 'react'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import { asking, queryClient, useAsk } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { toast, toastTrouble } from '../ui/toast.ts'
import { takeAway } from './removal.ts'
import * as texts from './texts.ts'

export type Saved = savedSearches.SavedSearch
type Answer = ReplyOf<typeof savedSearches.getSearches>

const { queryKey } = asking(savedSearches.getSearches, {})

/** Those whose removal can still be undone: the server has them, the page does not show them. */
const leaving = new Set<number>()

/** The searches of whoever is signed in. */
export function useSavedSearches() {
  const signedIn = useSession((session) => session.token !== null)
  const { data: answer, error, refetch } = useAsk(savedSearches.getSearches, {}, { when: signedIn })
  const held = answer?.searches
  const shown = useMemo(() => held?.filter(({ saved_search_id }) => !leaving.has(saved_search_id)), [held])
  return { searches: shown, error, refetch }
}

const byName = (a: Saved, b: Saved) => a.name.localeCompare(b.name)

const change = (changed: (held: Saved[]) => Saved[]) =>
  queryClient.setQueryData<Answer>(queryKey, (answer) => answer && { searches: changed(answer.searches) })

const put = (search: Saved) =>
  change((held) => [...held.filter((each) => each.saved_search_id !== search.saved_search_id), search].sort(byName))

/** Keeps a search. Throws what the server refuses. */
export async function saveSearch(wish: Pick<Saved, 'name' | 'query' | 'by_mail'>): Promise<void> {
  const { search } = await ask(savedSearches.saveSearch, wish)
  put(search)
}

/** Renames a search or switches its mail. Throws what the server refuses. */
export async function changeSearch(
  { saved_search_id }: Saved,
  changes: { name?: string; by_mail?: boolean },
): Promise<void> {
  put((await ask(savedSearches.changeSearch, { saved_search_id, ...changes })).search)
}

/** Switches the mail of a search at once, undone in sight where it is refused. */
export async function switchMail(search: Saved, by_mail: boolean): Promise<void> {
  put({ ...search, by_mail })
  try {
    await changeSearch(search, { by_mail })
  } catch (error) {
    put(search)
    void toastTrouble(texts.couldntSaveYourChanges, error)
  }
}

/** What it finds has been seen. Without a network it stays new until the next time. */
export async function markSeen({ saved_search_id, new_songs }: Saved): Promise<void> {
  const answer = await ask(savedSearches.markSeen, { saved_search_id }).catch(() => undefined)
  if (!answer) return
  change((held) =>
    held.map((each) => (each.saved_search_id === saved_search_id ? { ...each, ...answer, new_songs: 0 } : each)),
  )
  // The notice of it is read with it.
  if (new_songs > 0) await queryClient.invalidateQueries({ queryKey: [notices.countUnread.path] })
}

/** Copies the private address of a feed, and says so; where the browser does not let us, shows it. */
export async function copyFeed({ feed_url }: Saved) {
  // Staff who look as the member are not told it.
  if (!feed_url) return void toast({ message: texts.onlyTheMemberCanSee, tone: 'trouble' })
  try {
    await navigator.clipboard.writeText(feed_url)
    void toast({ message: texts.feedUrlCopiedAnyoneWith })
  } catch {
    void toast({ title: texts.couldntCopyTheFeedUrl, message: feed_url, tone: 'trouble' })
  }
}

/** Gives a feed another address: whoever has the old one reads along no more. */
export async function renewFeed({ saved_search_id, name }: Saved) {
  try {
    const { search } = await ask(savedSearches.changeSearch, { saved_search_id, new_feed: true })
    put(search)
    void toast({
      message: format(texts.newFeedUrlCreatedFor, { name }),
      action: { label: texts.copyUrl, run: () => void copyFeed(search) },
    })
  } catch (error) {
    void toastTrouble(texts.couldntResetTheFeedUrl, error)
  }
}

/** Removes a search, and offers it back: as long as the offer stands, only this page has let go of it. */
export function removeSearch(search: Saved) {
  const { saved_search_id, name, query, by_mail } = search
  leaving.add(saved_search_id)
  change((held) => held.filter((each) => each.saved_search_id !== saved_search_id))
  const bringBack = () => {
    leaving.delete(saved_search_id)
    put(search)
  }
  const removal = takeAway(async () => {
    try {
      await ask(savedSearches.removeSearch, { saved_search_id })
    } catch (error) {
      bringBack()
      void toastTrouble(texts.couldntDeleteTheSearch, error)
    }
  })
  const undo = () => {
    if (removal.undo()) return bringBack()
    // It is gone by now: it comes back as a new one.
    saveSearch({ name, query, by_mail }).catch((error) => void toastTrouble(texts.couldntRestoreTheSearch, error))
  }
  void toast({ message: format(texts.deleted, { name }), action: { label: 'Undo', run: undo } })
}
