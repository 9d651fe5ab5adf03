import type { desk } from '@dubplate/contract'
import type { LinkProps } from '@tanstack/react-router'
import { count, formatBytes, plural } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

/** The page where an item that needs attention is handled. */
export type Way = {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, number>
  search?: Record<string, string>
}

type Words = { text: (n: number) => string; way: (wait: desk.WaitingWork) => Way }

const to = (address: Way['to'], search?: Way['search']) => () => ({ to: address, ...(search ? { search } : {}) })

const lacking = (what: string, lacks: string): Words => ({
  text: (n) => format(texts.songsWithout, { n, what }),
  way: to('/staff/songs', { lacks, state: 'published' }),
})

const WORDS: Record<desk.WaitingKind, Words> = {
  storage_full: { text: (n) => format(texts.diskAlmostFullFree, { n: formatBytes(n) }), way: to('/staff/storage') },
  backup_old: {
    text: (n) => (n === 0 ? texts.noBackupYet : format(texts.latestBackupIsDaysOld, { n })),
    way: to('/staff/storage'),
  },
  files_missing: { text: (n) => format(texts.filesMissingFromStorage, { n }), way: to('/staff/storage') },
  files_damaged: { text: (n) => format(texts.storedFilesDamaged, { n }), way: to('/staff/storage') },
  mail_held: {
    text: (n) => format(texts.emailIsOnHoldWaiting, { n: count(n) }),
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  jobs_failed: { text: (n) => `${plural(n, 'failed job')}`, way: to('/staff/jobs') },
  analyses_given_up: {
    text: (n) => `${plural(n, 'failed analysis', 'failed analyses')}`,
    way: to('/staff/jobs'),
  },
  mail_failed: {
    text: (n) => format(texts.emailsFailedToSend, { n }),
    way: to('/staff/outgoing-mail', { state: 'failed' }),
  },
  mail_unsent: {
    text: (n) => `${plural(n, 'unsent email')}`,
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  mail_bounced: {
    text: (n) => format(texts.emailsBounced, { n }),
    way: ({ ticket_number }) =>
      ticket_number
        ? { to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }
        : { to: '/staff/outgoing-mail', search: { state: 'bounced' } },
  },
  tickets_late: { text: (n) => `${plural(n, 'overdue ticket')}`, way: to('/staff/tickets') },
  tickets: { text: (n) => format(texts.ticketsNeedAReply, { n }), way: to('/staff/tickets') },
  applications: { text: (n) => plural(n, texts.pendingApplication), way: to('/staff/applications') },
  uploads: { text: (n) => format(texts.uploadsToReview, { n }), way: to('/staff/uploads') },
  gateway_down: {
    text: (n) => (n === 1 ? texts.aPaymentProviderIsNot : format(texts.paymentProvidersAreNotWorking, { n })),
    way: to('/staff/payments'),
  },
  payments_in_review: {
    text: (n) => `${plural(n, 'payment')} ${n === 1 ? 'needs' : 'need'} review`,
    way: to('/staff/payments', { state: 'review' }),
  },
  payments_failed: {
    text: (n) => format(texts.failedPaymentsThisWeek, { n }),
    way: to('/staff/payments', { state: 'failed' }),
  },
  past_due: {
    text: (n) => `${plural(n, 'past-due subscription')}`,
    way: to('/staff/subscriptions', { state: 'past_due' }),
  },
  transfers: { text: (n) => format(texts.bankTransfersToConfirm, { n }), way: to('/staff/payments') },
  songs_without_art: lacking(texts.aCover, 'art'),
  songs_without_key: lacking(texts.aKey, 'key'),
  songs_without_genre: lacking(texts.aGenre, 'genre'),
}

export const waitInWords = ({ what, n }: desk.WaitingWork): string => WORDS[what].text(n)

export const wayTo = (wait: desk.WaitingWork): Way => WORDS[wait.what].way(wait)

type StepWords = { text: string; why: string; way?: Way }

/** The setup steps of a new pool. Mail is configured in the environment: it has no screen. */
export const STEP_WORDS: Record<desk.SetupStep, StepWords> = {
  name: {
    text: texts.nameYourSite,
    why: texts.theNameAppearsOnEvery,
    way: { to: '/staff/settings' },
  },
  plans: {
    text: texts.publishAPlan,
    why: texts.membersNeedAPlanBefore,
    way: { to: '/staff/plans' },
  },
  music: {
    text: texts.importMusic,
    why: texts.importAFolderOfMp3,
    way: { to: '/staff/import' },
  },
  mail: {
    text: texts.setUpEmail,
    why: texts.setSmtpUrlAndRestart,
    way: { to: '/staff/outgoing-mail' },
  },
}
