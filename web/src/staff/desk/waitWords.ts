import type { desk } from '@dubplate/contract'
import type { LinkProps } from '@tanstack/react-router'
import { byteSize, count, plural } from '../../platform/format.ts'

/** Where something that waits is seen to. */
export type Way = {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, number>
  search?: Record<string, string>
}

type Words = { text: (n: number) => string; way: (wait: desk.Wait) => Way }

const to = (address: Way['to'], search?: Way['search']) => () => ({ to: address, ...(search ? { search } : {}) })

const lacking = (what: string, lacks: string): Words => ({
  text: (n) => `${plural(n, 'song')} without ${what}`,
  way: to('/staff/songs', { lacks, state: 'published' }),
})

const WORDS: Record<desk.What, Words> = {
  storage_full: { text: (n) => `The disk is nearly full: ${byteSize(n)} free`, way: to('/staff/storage') },
  backup_old: {
    text: (n) => (n === 0 ? 'There is no backup' : `The newest backup is ${plural(n, 'day')} old`),
    way: to('/staff/storage'),
  },
  files_missing: { text: (n) => `${plural(n, 'file')} missing from the store`, way: to('/staff/storage') },
  files_damaged: { text: (n) => `${plural(n, 'stored file')} damaged`, way: to('/staff/storage') },
  mail_held: {
    text: (n) => `Email is on hold: ${count(n)} waiting`,
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  jobs_failed: { text: (n) => `${plural(n, 'job')} failed`, way: to('/staff/jobs') },
  analyses_given_up: {
    text: (n) => `${plural(n, 'analysis', 'analyses')} of uploads given up`,
    way: to('/staff/jobs'),
  },
  mail_failed: {
    text: (n) => `${plural(n, 'mail')} could not be sent`,
    way: to('/staff/outgoing-mail', { state: 'failed' }),
  },
  mail_unsent: {
    text: (n) => `${plural(n, 'mail')} not sent yet`,
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  mail_bounced: {
    text: (n) => `${plural(n, 'email')} bounced`,
    way: ({ ticket_number }) =>
      ticket_number
        ? { to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }
        : { to: '/staff/outgoing-mail', search: { state: 'bounced' } },
  },
  tickets_late: { text: (n) => `${plural(n, 'ticket')} past the time for an answer`, way: to('/staff/tickets') },
  tickets: { text: (n) => `${plural(n, 'ticket')} open`, way: to('/staff/tickets') },
  applications: { text: (n) => plural(n, 'application'), way: to('/staff/applications') },
  uploads: { text: (n) => `${plural(n, 'upload')} in review`, way: to('/staff/uploads') },
  gateway_down: {
    text: (n) => (n === 1 ? 'A payment provider is not working' : `${n} payment providers are not working`),
    way: to('/staff/payments'),
  },
  payments_in_review: {
    text: (n) => `${plural(n, 'payment')} ${n === 1 ? 'needs' : 'need'} review`,
    way: to('/staff/payments', { state: 'review' }),
  },
  payments_failed: {
    text: (n) => `${plural(n, 'payment')} failed this week`,
    way: to('/staff/payments', { state: 'failed' }),
  },
  past_due: {
    text: (n) => `${plural(n, 'subscription')} past due`,
    way: to('/staff/subscriptions', { state: 'past_due' }),
  },
  transfers: { text: (n) => `${plural(n, 'bank transfer')} to look for`, way: to('/staff/payments') },
  songs_without_art: lacking('a cover', 'art'),
  songs_without_key: lacking('a key', 'key'),
  songs_without_genre: lacking('a genre', 'genre'),
}

export const waitInWords = ({ what, n }: desk.Wait): string => WORDS[what].text(n)

export const wayTo = (wait: desk.Wait): Way => WORDS[wait.what].way(wait)

type StepWords = { text: string; why: string; way?: Way }

/** What a new pool needs, in the words of the desk. Mail is set in the environment: there is no screen for it. */
export const STEP_WORDS: Record<desk.Step, StepWords> = {
  name: {
    text: 'Name the pool',
    why: 'Its name stands on every page and in every mail.',
    way: { to: '/staff/settings' },
  },
  plans: {
    text: 'Put a plan on sale',
    why: 'Without one nobody can pay, and who has not paid cannot download.',
    way: { to: '/staff/plans' },
  },
  music: {
    text: 'Bring in music',
    why: 'A folder of MP3, WAV, FLAC or AIFF, with covers and tags as they are. On the server: npm run pool -- import FOLDER',
    way: { to: '/staff/import' },
  },
  mail: {
    text: 'Connect a mail server',
    why: 'Set SMTP_URL where the pool runs. Until then every mail waits, also those that let members in.',
    way: { to: '/staff/outgoing-mail' },
  },
}
