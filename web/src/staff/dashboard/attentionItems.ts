import type { dashboard } from '@dubplate/contract'
import {
  IconBuildingBank,
  IconCreditCardOff,
  IconDatabase,
  IconDatabaseX,
  IconFileX,
  IconInbox,
  IconMailPause,
  IconMailX,
  IconMessage,
  IconMusicQuestion,
  IconServerCog,
  IconUserCheck,
  IconWaveSine,
  type TablerIcon,
} from '@tabler/icons-react'
import type { LinkProps } from '@tanstack/react-router'
import { cappedCount } from '../../admin/cappedCount.ts'
import { count, formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import * as texts from './texts.ts'

/** The page where something is done. */
export type PageLink = {
  to: NonNullable<LinkProps['to']>
  params?: Record<string, number>
  search?: Record<string, string>
}

export type AttentionTone = 'danger' | 'warning' | 'neutral'

type AttentionKind = {
  icon: TablerIcon
  text: (n: number) => string
  link: (item: dashboard.AttentionItem) => PageLink
  /** For those that are not urgent; 'neutral' if missing. */
  tone?: AttentionTone
}

const to = (address: PageLink['to'], search?: PageLink['search']) => () => ({
  to: address,
  ...(search ? { search } : {}),
})

type LackingText = typeof texts.songsWithoutACover | typeof texts.songsWithoutAKey | typeof texts.songsWithoutAGenre

const lacking = (text: LackingText, lacks: string): AttentionKind => ({
  icon: IconMusicQuestion,
  text: (n) => format(text, { n, count: cappedCount(n) }),
  link: to('/staff/songs', { lacks, state: 'published' }),
})

const KINDS: Record<dashboard.AttentionKind, AttentionKind> = {
  storage_full: {
    icon: IconDatabase,
    text: (n) => format(texts.diskAlmostFullFree, { n: formatBytes(n) }),
    link: to('/staff/storage'),
  },
  backup_old: {
    icon: IconDatabaseX,
    text: (n) => (n === 0 ? texts.noBackupYet : format(texts.latestBackupIsDaysOld, { n })),
    link: to('/staff/storage'),
  },
  files_missing: {
    icon: IconFileX,
    text: (n) => format(texts.filesMissingFromStorage, { n }),
    link: to('/staff/storage'),
  },
  files_damaged: { icon: IconFileX, text: (n) => format(texts.storedFilesDamaged, { n }), link: to('/staff/storage') },
  mail_held: {
    icon: IconMailPause,
    text: (n) => format(texts.emailIsOnHoldWaiting, { n: count(n) }),
    link: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  jobs_failed: { icon: IconServerCog, text: (n) => format(texts.failedJobs, { n }), link: to('/staff/jobs') },
  analyses_failed: {
    icon: IconWaveSine,
    tone: 'warning',
    text: (n) => format(texts.failedAnalyses, { n }),
    link: to('/staff/jobs'),
  },
  mail_failed: {
    icon: IconMailX,
    text: (n) => format(texts.emailsFailedToSend, { n }),
    link: to('/staff/outgoing-mail', { state: 'failed' }),
  },
  mail_unsent: {
    icon: IconMailPause,
    text: (n) => format(texts.unsentEmails, { n }),
    link: to('/staff/outgoing-mail', { state: 'waiting' }),
  },
  mail_bounced: {
    icon: IconMailX,
    tone: 'warning',
    text: (n) => format(texts.emailsBounced, { n }),
    link: ({ ticket_number }) =>
      ticket_number
        ? { to: '/staff/tickets/$ticketNumber', params: { ticketNumber: ticket_number } }
        : { to: '/staff/outgoing-mail', search: { state: 'bounced' } },
  },
  tickets_late: { icon: IconMessage, text: (n) => format(texts.overdueTickets, { n }), link: to('/staff/tickets') },
  tickets: { icon: IconMessage, text: (n) => format(texts.ticketsNeedAReply, { n }), link: to('/staff/tickets') },
  applications: {
    icon: IconUserCheck,
    text: (n) => format(texts.pendingApplications, { n }),
    link: to('/staff/applications'),
  },
  uploads: { icon: IconInbox, text: (n) => format(texts.uploadsToReview, { n }), link: to('/staff/uploads') },
  gateway_down: {
    icon: IconCreditCardOff,
    text: (n) => format(texts.paymentProvidersAreNotWorking, { n }),
    link: to('/staff/payments'),
  },
  payments_in_review: {
    icon: IconCreditCardOff,
    text: (n) => format(texts.paymentsNeedReview, { n }),
    link: to('/staff/payments', { state: 'review' }),
  },
  payments_failed: {
    icon: IconCreditCardOff,
    tone: 'warning',
    text: (n) => format(texts.failedPaymentsThisWeek, { n }),
    link: to('/staff/payments', { state: 'failed' }),
  },
  past_due: {
    icon: IconCreditCardOff,
    tone: 'warning',
    text: (n) => format(texts.pastDueSubscriptions, { n }),
    link: to('/staff/subscriptions', { state: 'past_due' }),
  },
  transfers: {
    icon: IconBuildingBank,
    text: (n) => format(texts.bankTransfersToConfirm, { n }),
    link: to('/staff/payments'),
  },
  songs_without_art: lacking(texts.songsWithoutACover, 'art'),
  songs_without_key: lacking(texts.songsWithoutAKey, 'key'),
  songs_without_genre: lacking(texts.songsWithoutAGenre, 'genre'),
}

export const attentionText = ({ kind, count }: dashboard.AttentionItem): string => KINDS[kind].text(count)

export const attentionLink = (item: dashboard.AttentionItem): PageLink => KINDS[item.kind].link(item)

export const attentionIcon = ({ kind }: dashboard.AttentionItem): TablerIcon => KINDS[kind].icon

export const attentionTone = ({ kind, is_urgent }: dashboard.AttentionItem): AttentionTone =>
  is_urgent ? 'danger' : (KINDS[kind].tone ?? 'neutral')

const TONES: readonly AttentionTone[] = ['danger', 'warning', 'neutral']

/** Faults first, then what needs a look, then everyday work. */
export const sortByTone = (items: readonly dashboard.AttentionItem[]): dashboard.AttentionItem[] =>
  items.toSorted((a, b) => TONES.indexOf(attentionTone(a)) - TONES.indexOf(attentionTone(b)))
