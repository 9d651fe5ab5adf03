import * as z from 'zod/mini'
import { section } from './catalogue.ts'
import { CHART_TYPES } from './charts.ts'
import { endpoint, id, integerBetween, nothing } from './endpoint.ts'

const email = z
  .string('Enter your email address.')
  .check(
    z.trim(),
    z.minLength(1, 'Enter your email address.'),
    z.maxLength(254, 'Enter a valid email address.'),
    z.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/, 'Enter a valid email address.'),
  )

const token = z.string().check(z.maxLength(300, 'This link is incomplete. Copy the whole link and try again.'))

export const subscribe = endpoint({
  path: 'common/newsletter.json',
  access: 'public',
  section: 'newsletter',
  summary:
    'Subscribe to the newsletter. Sends a confirmation link; nothing else is sent until it’s opened. The response doesn’t reveal whether the address is subscribed.',
  input: z.object({ email }),
  reply: nothing,
})

export const confirmSubscription = endpoint({
  path: 'common/confirm-newsletter.json',
  access: 'public',
  summary: 'Confirm a newsletter subscription with the token from the email.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  errors: ['invalid_link', 'link_expired'],
})

export const unsubscribe = endpoint({
  path: 'common/leave-newsletter.json',
  access: 'public',
  summary: 'Unsubscribe from the newsletter with the token in each issue.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  errors: ['invalid_link'],
})

/** Undoes an accidental unsubscribe with the same link. */
export const resubscribe = endpoint({
  path: 'common/rejoin-newsletter.json',
  access: 'public',
  summary: 'Undo an unsubscribe with the same token.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  errors: ['invalid_link'],
})

const genre = z.object({ genre_id: z.number(), name: z.string() })

const followedName = z.object({
  kind: z.enum(['artist', 'label'], { error: 'kind must be artist or label.' }),
  name: z.string(),
})
export type FollowedName = z.output<typeof followedName>

/** How many lists, and how many artists and labels, a member can follow. */
export const FOLLOW_LIMIT = 500

export const FOLLOWED_LIST_KINDS = ['playlist', 'spotlight', 'top20', 'chart'] as const

const listReference = {
  kind: z.enum(FOLLOWED_LIST_KINDS, { error: `kind must be one of ${FOLLOWED_LIST_KINDS.join(', ')}.` }),
  /** Of a playlist, spotlight or top 20; for a chart, the genre it is limited to, or 0. */
  id: z._default(integerBetween(0, 2_147_483_647, 'id must be an integer.'), 0),
  /** This and the section are ignored for everything except charts. */
  chart_type: z._default(z.enum(CHART_TYPES, { error: 'chart_type must be daily, weekly or monthly.' }), 'daily'),
  song_section_id: section,
}

const followedList = z.object({
  kind: z.enum(FOLLOWED_LIST_KINDS),
  /** Of the top 20: the newest, because it is followed as a series. */
  id: z.number(),
  chart_type: z.enum(CHART_TYPES),
  song_section_id: z.number(),
  name: z.string(),
  /** Songs added since the member last opened it; new entries of a chart, new top 20s. */
  new_count: z.number(),
})
export type FollowedList = z.output<typeof followedList>

export const getMailing = endpoint({
  path: 'customer/newsletter.json',
  access: 'customer',
  summary: 'Get the member’s weekly digest setting and followed genres, artists, labels and lists.',
  input: nothing,
  reply: z.object({
    state: z.enum(['none', 'pending', 'subscribed']),
    followed: z.array(genre),
    followed_names: z.array(followedName),
    followed_lists: z.array(followedList),
  }),
})

export const saveMailing = endpoint({
  path: 'customer/save-newsletter.json',
  access: 'customer',
  summary: 'Update the member’s weekly digest setting. No confirmation email is needed.',
  input: z.object({ subscribed: z.boolean() }),
  reply: z.object({ state: z.enum(['none', 'pending', 'subscribed']) }),
})

export const followGenre = endpoint({
  path: 'genres/follow.json',
  access: 'customer',
  summary: 'Follow or unfollow a genre.',
  input: z.object({ genre_id: id('genre_id'), follow: z.boolean() }),
  reply: z.object({ followed: z.array(genre) }),
  errors: ['unknown_genre'],
})

export const followName = endpoint({
  path: 'artist/follow.json',
  access: 'customer',
  summary: 'Follow or unfollow an artist or label.',
  input: z.object({
    kind: followedName.shape.kind,
    name: z.string().check(z.trim(), z.minLength(1, 'Enter a name.'), z.maxLength(300, 'Use at most 300 characters.')),
    follow: z.boolean(),
  }),
  reply: z.object({ followed_names: z.array(followedName) }),
  errors: ['unknown_artist', 'unknown_label', 'too_many_followed'],
})

export const followList = endpoint({
  path: 'collection/follow.json',
  access: 'customer',
  summary:
    'Follow or unfollow another member’s public playlist, a spotlight, a chart, or the monthly top 20 with those that are published later.',
  input: z.object({ ...listReference, follow: z.boolean() }),
  reply: z.object({ followed_lists: z.array(followedList) }),
  errors: ['unknown_playlist', 'unknown_list', 'unknown_genre', 'section_disabled', 'forbidden', 'too_many_followed'],
})

export const openFollowedList = endpoint({
  path: 'collection/opened.json',
  access: 'customer',
  summary: 'Mark the new songs of a followed list as seen. Does nothing for lists that the member doesn’t follow.',
  input: z.object(listReference),
  reply: nothing,
})
