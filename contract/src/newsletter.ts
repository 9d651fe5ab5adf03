import * as z from 'zod/mini'
import { endpoint, id, nothing } from './endpoint.ts'

const email = z
  .string('Enter your e-mail address.')
  .check(
    z.trim(),
    z.minLength(1, 'Enter your e-mail address.'),
    z.maxLength(254, 'That is no e-mail address.'),
    z.regex(/^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>"]+$/, 'That is no e-mail address.'),
  )

const token = z.string().check(z.maxLength(300, 'This link is not whole.'))

export const subscribe = endpoint({
  path: 'common/newsletter.json',
  access: 'public',
  section: 'newsletter',
  summary:
    'Asks for the newsletter: a mail with a link goes to the address, and nothing else until it is opened. The answer tells nobody who is subscribed.',
  input: z.object({ email }),
  reply: nothing,
})

export const confirmSubscription = endpoint({
  path: 'common/confirm-newsletter.json',
  access: 'public',
  summary: 'Opens the link of that mail.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  refusals: ['link_changed', 'link_expired'],
})

export const unsubscribe = endpoint({
  path: 'common/leave-newsletter.json',
  access: 'public',
  summary: 'Leaves the newsletter by the link each of them carries.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  refusals: ['link_changed'],
})

/** Leaving by mistake is taken back with the same link. */
export const resubscribe = endpoint({
  path: 'common/rejoin-newsletter.json',
  access: 'public',
  summary: 'Takes leaving back, by the same link.',
  input: z.object({ token }),
  reply: z.object({ email: z.string() }),
  refusals: ['link_changed'],
})

const genre = z.object({ genre_id: z.number(), name: z.string() })

export const getMailing = endpoint({
  path: 'customer/newsletter.json',
  access: 'customer',
  summary: 'Whether a member gets the weekly digest, and of which genres.',
  input: nothing,
  reply: z.object({ state: z.enum(['none', 'waiting', 'subscribed']), followed: z.array(genre) }),
})

export const saveMailing = endpoint({
  path: 'customer/save-newsletter.json',
  access: 'customer',
  summary: 'A member’s own choice; their address is confirmed already, so no link is mailed.',
  input: z.object({ subscribed: z.boolean() }),
  reply: z.object({ state: z.enum(['none', 'waiting', 'subscribed']) }),
})

export const followGenre = endpoint({
  path: 'genres/follow.json',
  access: 'customer',
  summary: 'Follows a genre, or no longer.',
  input: z.object({ genre_id: id('genre_id'), follow: z.boolean() }),
  reply: z.object({ followed: z.array(genre) }),
  refusals: ['unknown_genre'],
})
