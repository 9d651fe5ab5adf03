import { createHash } from 'node:crypto'
import type { Access, Endpoint, StaffRole, settings } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import { Refusal } from '../platform/refusal.ts'
import { callsFor } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { NO_PASSWORD } from './password.ts'

type Section = settings.Section

/** Who is asking, as the session says. */
export type Asker = {
  /** 0 for somebody who has signed up and is no customer yet. */
  customer_id: number
  /** Of somebody who has signed up and has yet to confirm the address. */
  sign_up_id: number | null
  session_id: number
  /** `viewer`: staff who look at the pool as this member, and change nothing. */
  purpose: 'member' | 'applicant' | 'viewer'
  email: string
  dj_name: string
  group_id: number
  payment_profile_status: 'paid' | 'unpaid'
  profile_picture: string | null
  staff_role: StaffRole | null
  /** Whether two-step sign-in is switched on. */
  two_step: boolean
  /** Whether password or second step were entered in this session in the last 10 minutes. */
  is_confirmed: boolean
  /** What this account enters to confirm; `sign_in` for one that only signs in at the operator's identity provider. */
  confirm_by: 'password' | 'code' | 'sign_in'
  /** DJ name of the staff who look; null for everybody but a viewer. */
  viewed_by: string | null
}

/** One line of a room's routes. */
export const on = callsFor<Asker>()

/** What decides who comes in. */
type Doorkeeper = Pick<World, 'sql' | 'config'>

/** So long after sign-in or the last confirmation staff make risky changes without confirming again. */
export const CONFIRMED_MINUTES = 10

export const VISITORS_GROUP = 1
export const DOWNLOADING_GROUP = 2

/** Tokens are kept as their SHA-256: who reads the database cannot sign in with it. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Whom a token belongs to: a member, or somebody who signed up and may only apply. Refuses `session_expired` when it is
 * unknown, ended, good for the second step of a sign-in alone, or its member suspended or deleted.
 */
export async function findAsker(world: Doorkeeper, token: string): Promise<Asker> {
  const asker = await findAskerOrViewer(world, token)
  if (asker.purpose === 'viewer') throw sessionEnded()
  return asker
}

/** The same, and staff who look as a member: for doors that let them change nothing. */
export async function findAskerOrViewer({ sql, config }: Doorkeeper, token: string): Promise<Asker> {
  const [found] = await askers(sql, sql`s.token_hash = ${hashToken(token)}`, config.staffIdleHours)
  if (!found) throw sessionEnded()
  const { unseen, ...asker } = found
  if (unseen) await markSeen(sql, asker.session_id)
  return asker
}

/** Who asks with a session, by its number, as an address that was signed for it does. Refuses `session_expired`. */
export async function findAskerOf({ sql, config }: Doorkeeper, sessionId: number): Promise<Asker> {
  const [asker] = await askers(sql, sql`s.session_id = ${sessionId}`, config.staffIdleHours)
  if (!asker || asker.purpose === 'viewer') throw sessionEnded()
  return asker
}

/** As whom a member would ask now: by the session last used. Refuses `session_expired` where none is open. */
export async function findLastAsker(sql: Sql, customerId: number): Promise<Asker> {
  const [asker] = await askers(sql, sql`s.customer_id = ${customerId} and s.purpose <> 'viewer'`, null)
  if (!asker) throw sessionEnded()
  return asker
}

const sessionEnded = () => new Refusal('session_expired', 'Your session has expired. Sign in again.')

/**
 * Whoever may ask with one of these sessions; those of members first, the last used before the others. Sessions of staff
 * that were not used for `staffIdleHours` have ended.
 */
const askers = (sql: Sql, whose: ReturnType<Sql>, staffIdleHours: number | null) => sql<
  (Asker & { unseen: boolean })[]
>`
    select coalesce(c.customer_id, 0) as customer_id, s.sign_up_id, s.session_id, s.purpose,
      coalesce(c.email, u.email) as email, coalesce(c.dj_name, u.dj_name) as dj_name,
      coalesce(c.group_id, ${VISITORS_GROUP}) as group_id,
      coalesce(c.payment_profile_status, 'unpaid') as payment_profile_status, c.profile_picture, c.staff_role,
      (select v.dj_name from customer v where v.customer_id = s.viewed_by) as viewed_by,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as two_step,
      s.confirmed_at > now() - make_interval(mins => ${CONFIRMED_MINUTES}) as is_confirmed,
      case when exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) then 'code'
        when c.password_hash = ${NO_PASSWORD} then 'sign_in' else 'password' end as confirm_by,
      s.seen_at < now() - interval '5 minutes' as unseen
    from session s left join customer c using (customer_id) left join sign_up u using (sign_up_id)
    where ${whose} and s.expires_at > now() and s.purpose <> 'second_step'
      and (c.status = 'active' or u.expires_at > now())
      and (c.staff_role is null or s.purpose <> 'member'
        or s.seen_at > now() - make_interval(hours => coalesce(${staffIdleHours}::int, 1000000)))
      and (s.purpose <> 'viewer' or c.staff_role is null and exists (
        select 1 from customer v where v.customer_id = s.viewed_by and v.status = 'active' and v.staff_role is not null))
    order by s.purpose = 'member' desc, s.seen_at desc, s.session_id desc limit 1`

/** Of many requests at once one writes. */
const markSeen = (sql: Sql, sessionId: number) =>
  sql`update session set seen_at = now() where session_id = ${sessionId} and seen_at < now() - interval '5 minutes'`

/** What the operator has set about who may come in. */
export type DoorRules = {
  publicBrowsing: boolean
  staffTwoStep: 'optional' | 'required'
  /** Parts of the site that are left out. */
  hidden: ReadonlySet<Section>
}

/** What holds now. */
export const doorRules = ({ config, settings }: Pick<World, 'config' | 'settings'>): DoorRules => ({
  publicBrowsing: settings.publicBrowsing,
  staffTwoStep: config.staffTwoStep,
  hidden: settings.hidden,
})

/** True where a call of this access lets everybody in. */
export const isOpen = (access: Access, { publicBrowsing }: Pick<DoorRules, 'publicBrowsing'>): boolean =>
  access === 'public' || (access === 'browse' && publicBrowsing)

type Door = Pick<Endpoint, 'access' | 'roles' | 'section' | 'confirmed'>

/** Refuses unless this person may make this call, and `section_disabled` where its part of the site is left out. */
export function admit(endpoint: Door, asker: Asker | undefined, rules: DoorRules): void {
  const { access, section } = endpoint
  if (section) admitSection(rules, section)
  if (isOpen(access, rules)) return
  if (access === 'staff') {
    admitStaff(endpoint.roles, asker, rules)
    if (endpoint.confirmed) admitConfirmed(asker)
    return
  }
  if (!asker) throw new Refusal('not_signed_in', 'Sign in to continue.')
  if (access === 'applicant') return
  admitSession(asker)
  if (access !== 'downloader') return
  if (downloadsAsStaff(asker) && needsTwoStep(asker, rules)) throw twoStepNeeded()
  admitDownload(asker)
}

/** Refuses `section_disabled`. */
export function admitSection({ hidden }: Pick<DoorRules, 'hidden'>, section: Section): void {
  if (hidden.has(section)) throw new Refusal('section_disabled', 'This section isn’t available.')
}

/** Refuses `forbidden` for a session that is good only for applying. */
export function admitSession({ purpose }: Pick<Asker, 'purpose'>): void {
  if (purpose === 'applicant') throw new Refusal('forbidden', 'This token can only be used to submit a DJ application.')
}

/** Refuses `confirm_identity`, with how in data.method, unless password or second step were entered a short time ago. */
export function admitConfirmed({ is_confirmed, confirm_by }: Pick<Asker, 'is_confirmed' | 'confirm_by'>): void {
  if (is_confirmed) return
  throw new Refusal('confirm_identity', 'Confirm it’s you to continue.', { data: { method: confirm_by } })
}

/** To everybody else the back office is not there. */
function admitStaff(
  roles: readonly StaffRole[] | undefined,
  asker: Asker | undefined,
  rules: DoorRules,
): asserts asker is Asker {
  if (asker?.purpose !== 'member' || !asker.staff_role) throw new Refusal('unknown_endpoint', 'Unknown API endpoint.')
  if (asker.staff_role !== 'admin' && roles && !roles.includes(asker.staff_role)) {
    throw new Refusal('insufficient_role', 'Your role doesn’t have permission to do this.')
  }
  if (needsTwoStep(asker, rules)) throw twoStepNeeded()
}

const twoStepNeeded = () =>
  new Refusal(
    'two_factor_setup_required',
    'Staff must use two-factor authentication. Turn it on in your account first.',
  )

/** Whether a pool that wants two steps of its staff still waits for this member's. */
export const needsTwoStep = (
  { staff_role, two_step }: Pick<Asker, 'staff_role' | 'two_step'>,
  { staffTwoStep }: Pick<DoorRules, 'staffTwoStep'>,
): boolean => staffTwoStep === 'required' && staff_role !== null && !two_step

const STAFF_WHO_DOWNLOAD: ReadonlySet<StaffRole> = new Set<StaffRole>(['admin', 'curator', 'support'])

/** Whether the caller downloads as staff: all of the pool, with no limit and not counted. */
export const downloadsAsStaff = ({ staff_role }: Pick<Asker, 'staff_role'>): boolean =>
  staff_role !== null && STAFF_WHO_DOWNLOAD.has(staff_role)

/** Refuses unless this member may download at all: staff, or group 2 and paid. */
export function admitDownload(asker: Pick<Asker, 'group_id' | 'payment_profile_status' | 'staff_role'>): void {
  if (downloadsAsStaff(asker)) return
  admitGroup(asker)
  admitPayment(asker)
}

/** Refuses `downloads_not_allowed`. */
export function admitGroup({ group_id }: Pick<Asker, 'group_id'>): void {
  if (group_id === DOWNLOADING_GROUP) return
  throw new Refusal('downloads_not_allowed', 'This account type can’t download music.')
}

/** Refuses `subscription_required`. */
export function admitPayment({ payment_profile_status }: Pick<Asker, 'payment_profile_status'>): void {
  if (payment_profile_status === 'paid') return
  throw new Refusal('subscription_required', 'Downloads need a paid plan.')
}
