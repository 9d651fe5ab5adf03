import { Refusal } from '../platform/refusal.ts'
import type { World } from '../world.ts'
import type { Kept } from './kept.ts'

const PURPOSE = 'search feed'
/** A feed's address has no end of its own; 31 December 9999 is the last day other programs can count to. */
const NEVER = new Date('9999-12-31T00:00:00Z')

type Feed = Pick<Kept, 'saved_search_id' | 'feed_version'>

/** The private address of a search's feed: whoever has it reads along, until the search has another version. */
export const feedUrl = (
  { config, signing }: Pick<World, 'config' | 'signing'>,
  { saved_search_id, feed_version }: Feed,
): string => `${config.publicUrl}/feeds/search/${signing.sign(PURPOSE, [saved_search_id, feed_version], NEVER)}`

/** Refuses `unknown_search` for an address that is none of ours. */
export function openFeedAddress({ signing, now }: Pick<World, 'signing' | 'now'>, signed: string): Feed {
  try {
    const [id, version] = signing.open(PURPOSE, signed, now())
    return { saved_search_id: Number(id), feed_version: Number(version) }
  } catch (error) {
    if (error instanceof Refusal) throw noSuchFeed()
    throw error
  }
}

export const noSuchFeed = () =>
  new Refusal(
    'unknown_search',
    'This feed doesn’t exist or has ended. Copy the current feed link from your saved searches.',
  )
