import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { SavedSearchRow } from './saved-search-rows.ts'

const SIGNING_PURPOSE = 'search feed'
/** A feed's address has no end of its own; 31 December 9999 is the last day other programs can count to. */
const NEVER_EXPIRES = new Date('9999-12-31T00:00:00Z')

type FeedRef = Pick<SavedSearchRow, 'saved_search_id' | 'feed_version'>

/** The private address of a search's feed: whoever has it reads along, until the search has another version. */
export const feedUrl = (
  { config, signing }: Pick<AppContext, 'config' | 'signing'>,
  { saved_search_id, feed_version }: FeedRef,
): string =>
  `${config.publicUrl}/feeds/search/${signing.sign(SIGNING_PURPOSE, [saved_search_id, feed_version], NEVER_EXPIRES)}`

/** Refuses `unknown_search` for an address that is none of ours. */
export function parseFeedToken({ signing, now }: Pick<AppContext, 'signing' | 'now'>, signed: string): FeedRef {
  try {
    const [id, version] = signing.open(SIGNING_PURPOSE, signed, now())
    return { saved_search_id: Number(id), feed_version: Number(version) }
  } catch (error) {
    if (error instanceof ApiError) throw unknownFeedError()
    throw error
  }
}

export const unknownFeedError = () =>
  new ApiError(
    'unknown_search',
    'This feed doesn’t exist or has ended. Copy the current feed link from your saved searches.',
  )
