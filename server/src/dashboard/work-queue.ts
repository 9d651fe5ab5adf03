import type { dashboard, StaffRole } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { newestBackup } from '../backups/backup-record.ts'
import { countPayments } from '../billing/staff-payments.ts'
import { missingFieldFilter } from '../catalogue/staff-songs.ts'
import { getWaitStats } from '../helpdesk/queue.ts'
import { countUpTo } from '../platform/count-up-to.ts'
import { countDamagedFiles } from '../platform/damaged-files.ts'
import { diskSpace, isNearlyFull } from '../platform/disk-space.ts'
import { countFailedJobs } from '../platform/job-queue.ts'
import { countInReview } from '../uploads/review.ts'
import { listSetupSteps } from './setup-steps.ts'

type WorkItem = Partial<Omit<dashboard.AttentionItem, 'kind'>> & { kind: dashboard.AttentionKind; count: number }

/** The work items of each role; admins see all of them. */
const QUEUES_BY_ROLE: readonly { role: StaffRole; findItems(ctx: AppContext): Promise<WorkItem[]> }[] = [
  { role: 'admin', findItems: findOperationsItems },
  { role: 'support', findItems: findSupportItems },
  { role: 'curator', findItems: findCatalogueItems },
  { role: 'billing', findItems: findPaymentItems },
]

/** Returns the work items that need attention from staff with this role, faults first. */
async function listWorkItems(ctx: AppContext, role: StaffRole): Promise<dashboard.AttentionItem[]> {
  const own = QUEUES_BY_ROLE.filter((one) => role === 'admin' || one.role === role)
  const found = (await Promise.all(own.map(({ findItems }) => findItems(ctx)))).flat()
  return found
    .filter(({ count, kind }) => count > 0 || kind === 'backup_old' || kind === 'storage_full' || kind === 'mail_held')
    .map((one) => ({ since: null, is_urgent: false, ticket_number: null, ...one }))
    .sort((a, b) => Number(b.is_urgent) - Number(a.is_urgent))
}

type ItemCount = { count: number; since: Date | null }

const toWorkItem = (kind: dashboard.AttentionKind, itemCount: ItemCount | undefined, is_urgent = false): WorkItem => ({
  ...{ kind, is_urgent },
  count: itemCount?.count ?? 0,
  since: itemCount?.since?.toISOString() ?? null,
})

const MAIL_DELAY_MINUTES = 15
const BOUNCED_DAYS = 7

async function findOperationsItems(ctx: AppContext): Promise<WorkItem[]> {
  const { sql, config } = ctx
  const [disk, backup, jobs, damaged, [heldMail], [files], [analyses], [failed], [unsent], [bounced]] =
    await Promise.all([
      diskSpace(config.dataDir).catch(() => undefined),
      newestBackup(sql, { days: config.backupDays, now: ctx.now() }),
      countFailedJobs(sql),
      countDamagedFiles(sql),
      sql<ItemCount[]>`
      select (select count(*)::int from outgoing_mail where state = 'waiting') as count, held_since as since from mail_hold`,
      sql<ItemCount[]>`
      select count(*)::int as count, min(missing_since) as since from file
      where missing_since is not null and found_bytes is null`,
      sql<ItemCount[]>`
      select count(*)::int as count, min(updated_at) as since from upload where state = 'failed' and removed_at is null`,
      sql<
        ItemCount[]
      >`select count(*)::int as count, min(created_at) as since from outgoing_mail where state = 'failed'`,
      sql<ItemCount[]>`
      select count(*)::int as count, min(created_at) as since from outgoing_mail
      where state = 'waiting' and next_attempt_at < now() - make_interval(mins => ${MAIL_DELAY_MINUTES})
        and not exists (select 1 from mail_hold)`,
      sql<(ItemCount & { ticket_number: number | null })[]>`
      select count(*)::int as count, max(received_at) as since, (array_agg(ticket_number order by received_at desc))[1] as ticket_number
      from inbound_mail where verdict = 'bounce' and received_at > now() - make_interval(days => ${BOUNCED_DAYS})`,
    ])
  const fullDiskItems: WorkItem[] =
    disk && isNearlyFull(disk) ? [{ kind: 'storage_full', count: disk.free_bytes, is_urgent: true }] : []
  const oldBackupItems: WorkItem[] = backup.is_old ? [oldBackupItem(backup.taken_at, ctx.now())] : []
  return [
    ...fullDiskItems,
    ...oldBackupItems,
    toWorkItem('files_missing', files, true),
    toWorkItem('files_damaged', damaged, true),
    ...(heldMail ? [toWorkItem('mail_held', heldMail, true)] : []),
    toWorkItem('jobs_failed', jobs, true),
    toWorkItem('analyses_failed', analyses),
    toWorkItem('mail_failed', failed, true),
    toWorkItem('mail_unsent', unsent, true),
    { ...toWorkItem('mail_bounced', bounced), ticket_number: bounced?.ticket_number ?? null },
  ]
}

const DAY_MS = 86_400_000

const oldBackupItem = (taken_at: Date | null, now: Date): WorkItem => ({
  kind: 'backup_old',
  count: taken_at ? Math.floor((now.getTime() - taken_at.getTime()) / DAY_MS) : 0,
  since: taken_at?.toISOString() ?? null,
  is_urgent: true,
})

async function findSupportItems({ sql }: AppContext): Promise<WorkItem[]> {
  const [tickets, [applications]] = await Promise.all([
    getWaitStats(sql),
    sql<
      ItemCount[]
    >`select count(*)::int as count, min(applied_at) as since from dj_application where state = 'pending'`,
  ])
  return [
    toWorkItem('tickets_late', { count: tickets.late, since: tickets.late_since }, true),
    toWorkItem('tickets', { count: tickets.waiting, since: tickets.since }),
    toWorkItem('applications', applications),
  ]
}

async function findCatalogueItems({ sql, now }: AppContext): Promise<WorkItem[]> {
  const countWithout = (field: 'art' | 'key' | 'genre') =>
    countUpTo(sql, sql`select 1 from song s where s.status = 'published' and ${missingFieldFilter(sql, field)}`)
  const [uploads, [oldest], art, key, genre] = await Promise.all([
    countInReview(sql, now()),
    sql<{ since: Date | null }[]>`
      select min(submitted_at) as since from upload_song
      where review = 'open' and deleted_at is null and submitted_at is not null`,
    countWithout('art'),
    countWithout('key'),
    countWithout('genre'),
  ])
  return [
    toWorkItem('uploads', { count: uploads, since: oldest?.since ?? null }),
    { kind: 'songs_without_art', count: art },
    { kind: 'songs_without_key', count: key },
    { kind: 'songs_without_genre', count: genre },
  ]
}

const FAILED_DAYS = 7

async function findPaymentItems({ sql, now, gateways }: AppContext): Promise<WorkItem[]> {
  const [payments, [unavailableGateways], [reviews], [failed], [pastDue]] = await Promise.all([
    countPayments(sql, now()),
    sql<ItemCount[]>`
      select count(*)::int as count, min(since) as since from gateway_health
      where not is_up and gateway = any(${[...gateways.keys()]})`,
    sql<ItemCount[]>`select count(*)::int as count, min(at) as since from payment_review where state = 'open'`,
    sql<ItemCount[]>`
      select count(*)::int as count, min(at) as since from charge
      where status = 'failed' and at > ${now()}::timestamptz - make_interval(days => ${FAILED_DAYS})`,
    sql<
      ItemCount[]
    >`select count(*)::int as count, min(paid_until) as since from subscription where status = 'past_due'`,
  ])
  return [
    toWorkItem('gateway_down', unavailableGateways, true),
    toWorkItem('payments_in_review', reviews, true),
    toWorkItem('payments_failed', failed),
    toWorkItem('past_due', pastDue),
    toWorkItem('transfers', { count: payments.waiting, since: null }),
  ]
}

export async function readWorkQueue(ctx: AppContext, role: StaffRole) {
  const [items, steps] = await Promise.all([listWorkItems(ctx, role), role === 'admin' ? listSetupSteps(ctx) : []])
  return { items, steps, as_of: ctx.now().toISOString() }
}
