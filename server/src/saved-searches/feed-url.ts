import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { SavedSearchRow } from './saved-search-rows.ts'

const SIGNING_PURPOSE = 'search feed'
/** A feed's URL does not expire; 31 December 9999 is the last date other programs support. */
const NEVER_EXPIRES = new Date('9999-12-31T00:00:00Z')

type FeedRef = Pick<SavedSearchRow, 'saved_search_id' | 'feed_version'>

/** The private URL of a search's feed: anyone who has it can read the feed, until the member renews it. */
export const feedUrl = (
  { config, signing }: Pick<AppContext, 'config' | 'signing'>,
  { saved_search_id, feed_version }: FeedRef,
): string =>
  `${config.publicUrl}/feeds/search/${signing.sign(SIGNING_PURPOSE, [saved_search_id, feed_version], NEVER_EXPIRES)}`

/** Throws `unknown_search` for an invalid token. */
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
  new ApiError('unknown_search', 'This feed URL no longer works. Copy the current one from your saved searches.')
