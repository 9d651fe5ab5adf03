import type { DemoApplicant } from '@dubplate/demo/pool/applicants'
import { type DemoMember, type DemoWorld, OPENED_DAYS_AGO } from '@dubplate/demo/world'
import type { Sql } from '../platform/db.ts'
import { djSubscribedAt } from './fill-billing.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
/** How long the demo's DJ had been a member before they subscribed. */
const DJ_WAITED_HOURS = 30
/** How long staff take for an application. */
const DECIDED_HOURS_LATER = 20

type OwnMembership = DemoMember['membership']
type OwnApplication = { state?: 'approved' | 'pending'; days_ago: number; referred_by: string }

/** When each of the demo's own members signed up, and where they are with their application. */
const ownApplication = (membership: OwnMembership, now: Date): OwnApplication => {
  const djDaysAgo = (now.getTime() - djSubscribedAt(now).getTime()) / DAY + DJ_WAITED_HOURS / 24
  const applications: Record<OwnMembership, OwnApplication> = {
    staff: { state: 'approved', days_ago: OPENED_DAYS_AGO, referred_by: '' },
    label: { state: 'approved', days_ago: 204, referred_by: '' },
    paid: { state: 'approved', days_ago: djDaysAgo, referred_by: '' },
    unpaid: { state: 'approved', days_ago: 24, referred_by: 'DJ Marlow' },
    applied: { state: 'pending', days_ago: 1.1, referred_by: 'DJ Marlow' },
    new: { days_ago: 0.5, referred_by: '' },
  }
  return applications[membership]
}

export type DemoMembers = { crowd: number[]; dj: number; label: number; staff: number }

/** Adds the demo's members, the crowd around them, and applicants. Returns their ids. Nobody has paid yet. */
export async function fillMembers(sql: Sql, world: DemoWorld, passwordHash: string): Promise<DemoMembers> {
  const { now, demo_members, memberships } = world
  const ids = await insertMembers(
    sql,
    demo_members.map(({ membership, group_id, ...member }) => {
      const role = membership === 'staff' ? 'admin' : null
      const created_at = new Date(now.getTime() - ownApplication(membership, now).days_ago * DAY)
      return { ...member, passwordHash, role, group_id: role ? 4 : (group_id ?? 2), demo: true, created_at }
    }),
  )
  const idOf = (membership: OwnMembership) =>
    ids[demo_members.findIndex((member) => member.membership === membership)] ?? 0
  const [dj, label, staff] = [idOf('paid'), idOf('label'), idOf('staff')]
  const crowd = await insertMembers(
    sql,
    world.crowd.map((member, n) => ({ ...member, ...BACKGROUND, created_at: memberships[n]?.applied_at ?? now })),
  )
  const applicants = await insertMembers(
    sql,
    world.applicants.map(({ hours_ago, ...applicant }) => ({
      ...{ ...applicant, ...BACKGROUND },
      created_at: new Date(now.getTime() - hours_ago * HOUR),
    })),
  )
  await sql`insert into dj_application ${sql([
    ...ownApplications(world, ids, staff),
    ...crowdApplications(world, crowd, staff),
    ...world.applicants.map((applicant, n) => toApplication(applicants[n] ?? 0, applicant, { now, staff })),
  ])}`
  await suspendMembers(sql, world, { crowd, staff })
  return { crowd, dj, label, staff }
}

/** Members without a password: they only fill lists and charts. */
const BACKGROUND = { passwordHash: '!', role: null, group_id: 2, demo: false }
const NO_ANSWERS = { referred_by: '', dj_website: '', comment: '', reason: '' }
const UNDECIDED: Decision = { decided_at: null, decided_by: null, version: 1 }

type Decision = { decided_at: Date | null; decided_by: number | null; version: number }

/** The decision of a member of staff, at the usual pace. */
const decidedBy = (staff: number | null, applied_at: Date): Decision => ({
  decided_at: new Date(applied_at.getTime() + DECIDED_HOURS_LATER * HOUR),
  decided_by: staff,
  version: 2,
})

const ownApplications = ({ demo_members, now }: DemoWorld, ids: readonly number[], staff: number) =>
  demo_members.flatMap(({ membership }, n) => {
    const { state, days_ago, referred_by } = ownApplication(membership, now)
    const applied_at = new Date(now.getTime() - days_ago * DAY)
    if (!state) return []
    // Nobody has decided about the first member of staff.
    const approval = decidedBy(membership === 'staff' ? null : staff, applied_at)
    const decision = state === 'approved' ? approval : UNDECIDED
    return [{ ...NO_ANSWERS, customer_id: ids[n] ?? 0, state, applied_at, referred_by, ...decision }]
  })

const crowdApplications = ({ crowd, memberships }: DemoWorld, ids: readonly number[], staff: number) =>
  memberships.map(({ applied_at, approved_at, referrer }, n) => ({
    ...{ ...NO_ANSWERS, customer_id: ids[n] ?? 0, state: 'approved', applied_at, version: 2 },
    referred_by: referrer === undefined ? '' : (crowd[referrer]?.dj_name ?? ''),
    dj_website: `mixes.example/${crowd[n]?.email.split('@')[0]}`,
    ...{ decided_at: approved_at, decided_by: staff },
  }))

function toApplication(
  customer_id: number,
  { referred_by, dj_website, comment, reason, hours_ago }: DemoApplicant,
  { now, staff }: { now: Date; staff: number },
) {
  const applied_at = new Date(now.getTime() - hours_ago * HOUR)
  const answers = { customer_id, referred_by, dj_website, comment, reason, applied_at }
  return { ...answers, ...(reason ? decidedBy(staff, applied_at) : UNDECIDED), state: reason ? 'declined' : 'pending' }
}

async function suspendMembers(
  sql: Sql,
  { memberships }: DemoWorld,
  { crowd, staff }: Pick<DemoMembers, 'crowd' | 'staff'>,
): Promise<void> {
  for (const [n, { suspended }] of memberships.entries()) {
    if (!suspended) continue
    const customer_id = crowd[n] ?? 0
    await sql`update customer set status = 'suspended' where customer_id = ${customer_id}`
    await sql`
      insert into staff_note (customer_id, kind, text, written_by, at)
      values (${customer_id}, 'suspended', ${suspended.reason}, ${staff}, ${suspended.at})`
  }
}

type NewMember = {
  email: string
  dj_name: string
  first_name: string
  last_name: string
  country: string
  passwordHash: string
  role: string | null
  group_id: number
  demo: boolean
  created_at: Date
}

/** Adds members in this order, and returns their ids. */
async function insertMembers(sql: Sql, members: readonly NewMember[]): Promise<number[]> {
  const rows = members.map(({ email, dj_name, group_id, demo, created_at, ...member }) => ({
    ...{ email, dj_name, firstname: member.first_name, lastname: member.last_name, country_id: member.country },
    ...{ password_hash: member.passwordHash, group_id, staff_role: member.role, demo, created_at },
  }))
  const inserted = await sql<{ customer_id: number; email: string }[]>`
    insert into customer ${sql(rows)} returning customer_id, email`
  const idOf = new Map(inserted.map(({ customer_id, email }) => [email, customer_id]))
  return members.map(({ email }) => idOf.get(email) ?? 0)
}
