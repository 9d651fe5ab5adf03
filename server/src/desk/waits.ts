import type { desk, StaffRole } from '@dubplate/contract'
import { newestBackup } from '../backups/backup-record.ts'
import { countPayments } from '../billing/staff-payments.ts'
import { countWaits } from '../helpdesk/queue.ts'
import { countDamagedFiles } from '../platform/damaged-files.ts'
import { diskSpace, isNearlyFull } from '../platform/disk-space.ts'
import { countFailedJobs } from '../platform/job-queue.ts'
import { countInReview } from '../uploads/review.ts'
import type { World } from '../world.ts'

type Found = Partial<Omit<desk.Wait, 'what'>> & { what: desk.What; n: number }

/** What each role sees to, beside admins. */
const OF_ROLES: readonly { role: StaffRole; find(world: World): Promise<Found[]> }[] = [
  { role: 'admin', find: findOperations },
  { role: 'support', find: findSupport },
  { role: 'curator', find: findCatalogue },
  { role: 'billing', find: findPayments },
]

/** What waits for somebody of a role, what is broken first. */
export async function listWaits(world: World, role: StaffRole): Promise<desk.Wait[]> {
  const own = OF_ROLES.filter((one) => role === 'admin' || one.role === role)
  const found = (await Promise.all(own.map(({ find }) => find(world)))).flat()
  return found
    .filter(({ n, what }) => n > 0 || what === 'backup_old' || what === 'storage_full' || what === 'mail_held')
    .map((one) => ({ since: null, is_trouble: false, ticket_number: null, ...one }))
    .sort((a, b) => Number(b.is_trouble) - Number(a.is_trouble))
}

type Count = { n: number; since: Date | null }

const asFound = (what: desk.What, count: Count | undefined, is_trouble = false): Found => ({
  ...{ what, is_trouble },
  n: count?.n ?? 0,
  since: count?.since?.toISOString() ?? null,
})

const MAIL_LATE_MINUTES = 15
const BOUNCED_DAYS = 7

async function findOperations(world: World): Promise<Found[]> {
  const { sql, config } = world
  const [disk, backup, jobs, damaged, [held], [files], [analyses], [failed], [unsent], [bounced]] = await Promise.all([
    diskSpace(config.dataDir).catch(() => undefined),
    newestBackup(sql, { days: config.backupDays, now: world.now() }),
    countFailedJobs(sql),
    countDamagedFiles(sql),
    sql<Count[]>`
      select (select count(*)::int from outgoing_mail where state = 'waiting') as n, since from mail_hold`,
    sql<Count[]>`
      select count(*)::int as n, min(missing_since) as since from file
      where missing_since is not null and found_bytes is null`,
    sql<Count[]>`
      select count(*)::int as n, min(touched_at) as since from upload where state = 'failed' and removed_at is null`,
    sql<Count[]>`select count(*)::int as n, min(created_at) as since from outgoing_mail where state = 'failed'`,
    sql<Count[]>`
      select count(*)::int as n, min(created_at) as since from outgoing_mail
      where state = 'waiting' and next_attempt_at < now() - make_interval(mins => ${MAIL_LATE_MINUTES})
        and not exists (select 1 from mail_hold)`,
    sql<(Count & { ticket_number: number | null })[]>`
      select count(*)::int as n, max(received_at) as since, (array_agg(ticket_number order by received_at desc))[1] as ticket_number
      from inbound_mail where verdict = 'bounce' and received_at > now() - make_interval(days => ${BOUNCED_DAYS})`,
  ])
  const full: Found[] =
    disk && isNearlyFull(disk) ? [{ what: 'storage_full', n: disk.free_bytes, is_trouble: true }] : []
  const old: Found[] = backup.is_old ? [ofBackup(backup.taken_at, world.now())] : []
  return [
    ...full,
    ...old,
    asFound('files_missing', files, true),
    asFound('files_damaged', damaged, true),
    ...(held ? [asFound('mail_held', held, true)] : []),
    asFound('jobs_failed', jobs, true),
    asFound('analyses_given_up', analyses),
    asFound('mail_failed', failed, true),
    asFound('mail_unsent', unsent, true),
    { ...asFound('mail_bounced', bounced), ticket_number: bounced?.ticket_number ?? null },
  ]
}

const DAY_MS = 86_400_000

const ofBackup = (taken_at: Date | null, now: Date): Found => ({
  what: 'backup_old',
  n: taken_at ? Math.floor((now.getTime() - taken_at.getTime()) / DAY_MS) : 0,
  since: taken_at?.toISOString() ?? null,
  is_trouble: true,
})

async function findSupport({ sql }: World): Promise<Found[]> {
  const [tickets, [applications]] = await Promise.all([
    countWaits(sql),
    sql<Count[]>`select count(*)::int as n, min(applied_at) as since from dj_application where state = 'pending'`,
  ])
  return [
    asFound('tickets_late', { n: tickets.late, since: tickets.late_since }, true),
    asFound('tickets', { n: tickets.waiting, since: tickets.since }),
    asFound('applications', applications),
  ]
}

async function findCatalogue({ sql, now }: World): Promise<Found[]> {
  const [uploads, [oldest], [songs]] = await Promise.all([
    countInReview(sql, now()),
    sql<{ since: Date | null }[]>`
      select min(submitted_at) as since from upload_song
      where review = 'open' and deleted_at is null and submitted_at is not null`,
    sql<{ art: number; song_key: number; genre: number }[]>`
      select count(*) filter (where artwork_id is null)::int as art, count(*) filter (where key_position is null)::int as song_key,
        (select count(*)::int from song s where s.status = 'published' and not exists (
          select 1 from song_genre g where g.entity_id = s.entity_id)) as genre
      from song where status = 'published'`,
  ])
  return [
    asFound('uploads', { n: uploads, since: oldest?.since ?? null }),
    { what: 'songs_without_art', n: songs?.art ?? 0 },
    { what: 'songs_without_key', n: songs?.song_key ?? 0 },
    { what: 'songs_without_genre', n: songs?.genre ?? 0 },
  ]
}

const FAILED_DAYS = 7

async function findPayments({ sql, now, gateways }: World): Promise<Found[]> {
  const [payments, [down], [reviews], [failed], [pastDue]] = await Promise.all([
    countPayments(sql, now()),
    sql<Count[]>`
      select count(*)::int as n, min(since) as since from gateway_health
      where not is_up and gateway = any(${[...gateways.keys()]})`,
    sql<Count[]>`select count(*)::int as n, min(at) as since from payment_review where state = 'open'`,
    sql<Count[]>`
      select count(*)::int as n, min(at) as since from charge
      where status = 'failed' and at > ${now()}::timestamptz - make_interval(days => ${FAILED_DAYS})`,
    sql<Count[]>`select count(*)::int as n, min(paid_until) as since from subscription where status = 'past_due'`,
  ])
  return [
    asFound('gateway_down', down, true),
    asFound('payments_in_review', reviews, true),
    asFound('payments_failed', failed),
    asFound('past_due', pastDue),
    asFound('transfers', { n: payments.waiting, since: null }),
  ]
}

/** What a pool needs before anybody comes; nothing once it has music and plans. */
export async function listSteps({ sql, settings, config }: World): Promise<{ step: desk.Step; is_done: boolean }[]> {
  const [there] = await sql<{ plans: boolean; music: boolean }[]>`
    select exists (select 1 from plan where on_sale) as plans, exists (select 1 from song where status = 'published') as music`
  if (!there || (there.plans && there.music)) return []
  return [
    { step: 'name', is_done: settings.poolName !== UNNAMED },
    { step: 'plans', is_done: there.plans },
    { step: 'music', is_done: there.music },
    { step: 'mail', is_done: config.smtpUrl !== undefined },
  ]
}

/** What a pool is called that nobody has named. */
const UNNAMED = 'Dubplate'

export async function readWaits(world: World, role: StaffRole) {
  const [waits, steps] = await Promise.all([listWaits(world, role), role === 'admin' ? listSteps(world) : []])
  return { waits, steps, as_of: world.now().toISOString() }
}
