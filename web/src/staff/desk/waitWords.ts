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
  storage_full: { text: (n) => `Disk almost full: ${byteSize(n)} free`, way: to('/staff/storage') },
  backup_old: {
    text: (n) => (n === 0 ? 'No backup yet' : `Latest backup is ${plural(n, 'day')} old`),
    way: to('/staff/storage'),
  },
  files_missing: { text: (n) => `${plural(n, 'file')} missing from storage`, way: to('/staff/storage') },
  files_damaged: { text: (n) => `${plural(n, 'stored file')} damaged`, way: to('/staff/storage') },
  mail_held: {
    text: (n) => `Email is on hold: ${count(n)} waiting`,
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  jobs_failed: { text: (n) => `${plural(n, 'failed job')}`, way: to('/staff/jobs') },
  analyses_given_up: {
    text: (n) => `${plural(n, 'failed analysis', 'failed analyses')}`,
    way: to('/staff/jobs'),
  },
  mail_failed: {
    text: (n) => `${plural(n, 'email')} failed to send`,
    way: to('/staff/outgoing-mail', { state: 'failed' }),
  },
  mail_unsent: {
    text: (n) => `${plural(n, 'unsent email')}`,
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  mail_bounced: {
    text: (n) => `${plural(n, 'email')} bounced`,
    way: ({ ticket_number }) =>
      ticket_number
        ? { to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }
        : { to: '/staff/outgoing-mail', search: { state: 'bounced' } },
  },
  tickets_late: { text: (n) => `${plural(n, 'overdue ticket')}`, way: to('/staff/tickets') },
  tickets: { text: (n) => `${plural(n, 'ticket needs', 'tickets need')} a reply`, way: to('/staff/tickets') },
  applications: { text: (n) => plural(n, 'pending application'), way: to('/staff/applications') },
  uploads: { text: (n) => `${plural(n, 'upload')} to review`, way: to('/staff/uploads') },
  gateway_down: {
    text: (n) => (n === 1 ? 'A payment provider is not working' : `${n} payment providers are not working`),
    way: to('/staff/payments'),
  },
  payments_in_review: {
    text: (n) => `${plural(n, 'payment')} ${n === 1 ? 'needs' : 'need'} review`,
    way: to('/staff/payments', { state: 'review' }),
  },
  payments_failed: {
    text: (n) => `${plural(n, 'failed payment')} this week`,
    way: to('/staff/payments', { state: 'failed' }),
  },
  past_due: {
    text: (n) => `${plural(n, 'past-due subscription')}`,
    way: to('/staff/subscriptions', { state: 'past_due' }),
  },
  transfers: { text: (n) => `${plural(n, 'bank transfer')} to confirm`, way: to('/staff/payments') },
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
    text: 'Name your site',
    why: 'The name appears on every page and in every email.',
    way: { to: '/staff/settings' },
  },
  plans: {
    text: 'Publish a plan',
    why: 'Members need a plan before they can pay and download.',
    way: { to: '/staff/plans' },
  },
  music: {
    text: 'Import music',
    why: 'Import a folder of MP3, WAV, FLAC or AIFF files, with their tags and covers. On the server: npm run pool -- import FOLDER',
    way: { to: '/staff/import' },
  },
  mail: {
    text: 'Set up email',
    why: 'Set SMTP_URL and restart. Until then no emails are sent, including confirmations and approvals.',
    way: { to: '/staff/outgoing-mail' },
  },
}
