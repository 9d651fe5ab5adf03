import * as z from 'zod/mini'
import { searchSongs } from './catalogue.ts'
import { endpoint, id, integerBetween, nothing } from './endpoint.ts'

/** Searches a member has saved. */

export const MAX_SAVED_SEARCHES = 50

const name = z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(80, 'Use at most 80 characters.'))

/** What is stored of a search: everything except its page. */
const query = z.pick(searchSongs.input, {
  searchTerm: true,
  genre_id: true,
  SongEntitySearch: true,
  versions: true,
  not_downloaded: true,
  song_section_id: true,
})

export const FILL_LIMITS = [5, 10, 20, 50, 100] as const

/** How many songs a search adds to the crate each week; null for none. */
const fillLimit = z.nullable(integerBetween(1, 100, 'Choose between 1 and 100 songs.'))

const saved = z.object({
  saved_search_id: z.number(),
  name: z.string(),
  query: z.object({
    searchTerm: z.string(),
    genre_id: z.nullable(z.number()),
    SongEntitySearch: z.object({
      title: z.string(),
      artist: z.string(),
      bpm: z.string(),
      song_key: z.string(),
      year: z.string(),
    }),
    versions: z.array(z.string()),
    not_downloaded: z.boolean(),
    song_section_id: z.number(),
  }),
  /** Matching songs added since the last visit; 100 means more than 99. */
  new_songs: z.number(),
  seen_at: z.string(),
  by_email: z.boolean(),
  fill_limit: z.nullable(z.number()),
  /** When it last added songs to the crate. */
  filled_at: z.nullable(z.string()),
  /** The private RSS feed, readable by anyone who has the URL. */
  feed_url: z.string(),
  /** Why the search no longer works (such as a deleted genre); '' while it does. */
  error_message: z.string(),
})
export type SavedSearch = z.output<typeof saved>

export const getSearches = endpoint({
  path: 'search/saved.json',
  access: 'member',
  summary: 'List saved searches by name, with the number of new songs.',
  input: nothing,
  reply: z.object({ searches: z.array(saved) }),
})

export const saveSearch = endpoint({
  path: 'search/save.json',
  access: 'member',
  summary: 'Save a search. Current results count as seen.',
  input: z.object({
    name,
    query,
    by_email: z._default(z.boolean(), false),
    fill_limit: z._default(fillLimit, null),
  }),
  reply: z.object({ search: saved }),
  errors: ['name_taken', 'too_many_searches', 'query_too_short', 'invalid_filter'],
})

export const changeSearch = endpoint({
  path: 'search/change.json',
  access: 'member',
  summary:
    'Rename a saved search, turn its emails or its weekly filling of the crate on or off, or reset its feed URL. The old URL stops working.',
  input: z.object({
    saved_search_id: id('saved_search_id'),
    name: z.optional(name),
    by_email: z.optional(z.boolean()),
    fill_limit: z.optional(fillLimit),
    new_feed: z._default(z.boolean(), false),
  }),
  reply: z.object({ search: saved }),
  errors: ['unknown_search', 'name_taken'],
})

export const fillCrate = endpoint({
  path: 'search/fill-crate.json',
  access: 'member',
  summary:
    'Add the newest matches of a saved search to the crate, without songs that were downloaded, are in the crate, or were added by it before.',
  input: z.object({ saved_search_id: id('saved_search_id') }),
  reply: z.object({ added: z.number() }),
  errors: ['unknown_search', 'crate_full', 'invalid_filter'],
})

export const markSeen = endpoint({
  path: 'search/seen.json',
  access: 'member',
  summary: 'Mark the results of a saved search as seen.',
  input: z.object({ saved_search_id: id('saved_search_id') }),
  reply: z.object({ seen_at: z.string() }),
  errors: ['unknown_search'],
})

export const removeSearch = endpoint({
  path: 'search/remove.json',
  access: 'member',
  summary: 'Delete a saved search. Its feed URL stops working.',
  input: z.object({ saved_search_id: id('saved_search_id') }),
  reply: nothing,
  errors: ['unknown_search'],
})
