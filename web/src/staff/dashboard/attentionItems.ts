import type { dashboard } from '@dubplate/contract'
import type { LinkProps } from '@tanstack/react-router'
import { count, formatBytes } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import * as texts from './texts.ts'

/** The page where an item that needs attention is handled. */
export type Way = {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, number>
  search?: Record<string, string>
}

type Words = { text: (n: number) => string; way: (wait: dashboard.AttentionItem) => Way }

const to = (address: Way['to'], search?: Way['search']) => () => ({ to: address, ...(search ? { search } : {}) })

type LackingText = typeof texts.songsWithoutACover | typeof texts.songsWithoutAKey | typeof texts.songsWithoutAGenre

const lacking = (text: LackingText, lacks: string): Words => ({
  text: (n) => format(text, { n }),
  way: to('/staff/songs', { lacks, state: 'published' }),
})

const WORDS: Record<dashboard.AttentionKind, Words> = {
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
  jobs_failed: { text: (n) => format(texts.failedJobs, { n }), way: to('/staff/jobs') },
  analyses_failed: {
    text: (n) => format(texts.failedAnalyses, { n }),
    way: to('/staff/jobs'),
  },
  mail_failed: {
    text: (n) => format(texts.emailsFailedToSend, { n }),
    way: to('/staff/outgoing-mail', { state: 'failed' }),
  },
  mail_unsent: {
    text: (n) => format(texts.unsentEmails, { n }),
    way: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  mail_bounced: {
    text: (n) => format(texts.emailsBounced, { n }),
    way: ({ ticket_number }) =>
      ticket_number
        ? { to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }
        : { to: '/staff/outgoing-mail', search: { state: 'bounced' } },
  },
  tickets_late: { text: (n) => format(texts.overdueTickets, { n }), way: to('/staff/tickets') },
  tickets: { text: (n) => format(texts.ticketsNeedAReply, { n }), way: to('/staff/tickets') },
  applications: { text: (n) => format(texts.pendingApplications, { n }), way: to('/staff/applications') },
  uploads: { text: (n) => format(texts.uploadsToReview, { n }), way: to('/staff/uploads') },
  gateway_down: {
    text: (n) => format(texts.paymentProvidersAreNotWorking, { n }),
    way: to('/staff/payments'),
  },
  payments_in_review: {
    text: (n) => format(texts.paymentsNeedReview, { n }),
    way: to('/staff/payments', { state: 'review' }),
  },
  payments_failed: {
    text: (n) => format(texts.failedPaymentsThisWeek, { n }),
    way: to('/staff/payments', { state: 'failed' }),
  },
  past_due: {
    text: (n) => format(texts.pastDueSubscriptions, { n }),
    way: to('/staff/subscriptions', { state: 'past_due' }),
  },
  transfers: { text: (n) => format(texts.bankTransfersToConfirm, { n }), way: to('/staff/payments') },
  songs_without_art: lacking(texts.songsWithoutACover, 'art'),
  songs_without_key: lacking(texts.songsWithoutAKey, 'key'),
  songs_without_genre: lacking(texts.songsWithoutAGenre, 'genre'),
}

export const waitInWords = ({ kind, count }: dashboard.AttentionItem): string => WORDS[kind].text(count)

export const wayTo = (wait: dashboard.AttentionItem): Way => WORDS[wait.kind].way(wait)

type StepWords = { text: string; why: string; way?: Way }

/** The setup steps of a new pool. Mail is configured in the environment: it has no screen. */
export const STEP_WORDS: Record<dashboard.SetupStep, StepWords> = {
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
