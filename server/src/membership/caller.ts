import { createHash } from 'node:crypto'
import type { Access, Endpoint, StaffRole, settings } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { type Call, callsFor } from '../platform/serve.ts'
import { UNUSABLE_PASSWORD_HASH } from './password.ts'

type Section = settings.Section

/** The member or applicant who makes a request, from their session. */
export type Caller = {
  /** 0 for someone who has signed up and is not a customer yet. */
  customer_id: number
  /** Only for someone who has signed up and not confirmed the address yet. */
  sign_up_id: number | null
  session_id: number
  /** `viewer`: staff who view the pool as this member, read-only. */
  purpose: 'member' | 'applicant' | 'viewer'
  email: string
  dj_name: string
  group_id: number
  payment_profile_status: 'paid' | 'unpaid'
  profile_picture: string | null
  staff_role: StaffRole | null
  /** Whether two-factor authentication is turned on. */
  has_two_factor: boolean
  /** Whether the password or second factor was entered in this session in the last 10 minutes. */
  is_confirmed: boolean
  /** How this account confirms its identity; `sign_in` for one that only uses the operator's identity provider. */
  confirm_by: 'password' | 'code' | 'sign_in'
  /** DJ name of the staff member who is viewing; null for everyone except a viewer. */
  viewed_by: string | null
}

/** An endpoint with its handler. */
export type Route = Call<Caller, AppContext>

/** Defines one entry of a module's routes. */
export const on = callsFor<Caller, AppContext>()

/** What authentication needs. */
type AuthContext = Pick<AppContext, 'sql' | 'config'>

/** How long after sign-in or the last confirmation staff can make risky changes without confirming again. */
export const IDENTITY_CONFIRMED_MINUTES = 10

const VISITOR_GROUP_ID = 1
export const DOWNLOAD_GROUP_ID = 2

/** Tokens are stored as their SHA-256, so that nobody can sign in with data from the database. */
export const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest()

/**
 * Returns the caller a token belongs to: a member, or an applicant, who may only apply. Throws `session_expired` if the
 * token is unknown, ended or only valid for the second step of a sign-in, or its member is suspended or deleted.
 */
export async function findCaller(ctx: AuthContext, token: string): Promise<Caller> {
  const caller = await findCallerOrViewer(ctx, token)
  if (caller.purpose === 'viewer') throw sessionExpiredError()
  return caller
}

/** Does the same, and also accepts staff who view as a member: for endpoints that change nothing. */
export async function findCallerOrViewer({ sql, config }: AuthContext, token: string): Promise<Caller> {
  const [callerRow] = await callerRows(sql, sql`s.token_hash = ${hashToken(token)}`, config.staffIdleHours)
  if (!callerRow) throw sessionExpiredError()
  const { unseen: unseenMinutes, ...caller } = callerRow
  if (unseenMinutes) await updateLastSeen(sql, caller.session_id)
  return caller
}

/** Returns the caller of a session by its id, as stored in signed URLs. Throws `session_expired`. */
export async function findSessionCaller({ sql, config }: AuthContext, sessionId: number): Promise<Caller> {
  const [caller] = await callerRows(sql, sql`s.session_id = ${sessionId}`, config.staffIdleHours)
  if (!caller || caller.purpose === 'viewer') throw sessionExpiredError()
  return caller
}

/** Returns the caller of the member's last used session. Throws `session_expired` if no session is open. */
export async function findLastCaller(sql: Sql, customerId: number): Promise<Caller> {
  const [caller] = await callerRows(sql, sql`s.customer_id = ${customerId} and s.purpose <> 'viewer'`, null)
  if (!caller) throw sessionExpiredError()
  return caller
}

const sessionExpiredError = () => new ApiError('session_expired', 'Your session has expired. Sign in again.')

/**
 * Selects the callers of these sessions: members first, the last used session first. Sessions of staff that were not
 * used for `staffIdleHours` have ended.
 */
const callerRows = (sql: Sql, condition: ReturnType<Sql>, staffIdleHours: number | null) => sql<
  (Caller & { unseen: boolean })[]
>`
    select coalesce(c.customer_id, 0) as customer_id, s.sign_up_id, s.session_id, s.purpose,
      coalesce(c.email, u.email) as email, coalesce(c.dj_name, u.dj_name) as dj_name,
      coalesce(c.group_id, ${VISITOR_GROUP_ID}) as group_id,
      coalesce(c.payment_profile_status, 'unpaid') as payment_profile_status, c.profile_picture, c.staff_role,
      (select v.dj_name from customer v where v.customer_id = s.viewed_by) as viewed_by,
      exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) as has_two_factor,
      s.confirmed_at > now() - make_interval(mins => ${IDENTITY_CONFIRMED_MINUTES}) as is_confirmed,
      case when exists (select 1 from totp t where t.customer_id = c.customer_id and t.confirmed_at is not null) then 'code'
        when c.password_hash = ${UNUSABLE_PASSWORD_HASH} then 'sign_in' else 'password' end as confirm_by,
      s.seen_at < now() - interval '5 minutes' as unseen
    from session s left join customer c using (customer_id) left join sign_up u using (sign_up_id)
    where ${condition} and s.expires_at > now() and s.purpose <> 'second_step'
      and (c.status = 'active' or u.expires_at > now())
      and (c.staff_role is null or s.purpose <> 'member'
        or s.seen_at > now() - make_interval(hours => coalesce(${staffIdleHours}::int, 1000000)))
      and (s.purpose <> 'viewer' or c.staff_role is null and exists (
        select 1 from customer v where v.customer_id = s.viewed_by and v.status = 'active' and v.staff_role is not null))
    order by s.purpose = 'member' desc, s.seen_at desc, s.session_id desc limit 1`

/** Of many simultaneous requests, only one writes. */
const updateLastSeen = (sql: Sql, sessionId: number) =>
  sql`update session set seen_at = now() where session_id = ${sessionId} and seen_at < now() - interval '5 minutes'`

/** The operator's settings for access. */
export type AccessRules = {
  publicBrowsing: boolean
  staffTwoStep: 'optional' | 'required'
  /** The disabled sections of the site. */
  hidden: ReadonlySet<Section>
}

/** Returns the current rules. */
export const accessRules = ({ config, settings }: Pick<AppContext, 'config' | 'settings'>): AccessRules => ({
  publicBrowsing: settings.publicBrowsing,
  staffTwoStep: config.staffTwoStep,
  hidden: settings.hidden,
})

/** Returns true when an endpoint with this access level is open to everyone. */
export const canAccess = (access: Access, { publicBrowsing }: Pick<AccessRules, 'publicBrowsing'>): boolean =>
  access === 'public' || (access === 'browse' && publicBrowsing)

type EndpointPolicy = Pick<Endpoint, 'access' | 'roles' | 'section' | 'confirmed'>

/** Throws unless the caller may make this call, and `section_disabled` if its part of the site is disabled. */
export function authorize(endpoint: EndpointPolicy, caller: Caller | undefined, rules: AccessRules): void {
  const { access, section } = endpoint
  if (section) requireSection(rules, section)
  if (canAccess(access, rules)) return
  if (access === 'staff') {
    requireStaff(endpoint.roles, caller, rules)
    if (endpoint.confirmed) requireConfirmedIdentity(caller)
    return
  }
  if (!caller) throw new ApiError('not_signed_in', 'Sign in to continue.')
  if (access === 'applicant') return
  requireMemberSession(caller)
  if (access !== 'downloader') return
  if (canDownloadAsStaff(caller) && needsTwoFactor(caller, rules)) throw twoFactorRequiredError()
  requireDownloadAccess(caller)
}

/** Throws `section_disabled`. */
export function requireSection({ hidden }: Pick<AccessRules, 'hidden'>, section: Section): void {
  if (hidden.has(section)) throw new ApiError('section_disabled', 'This section isn’t available.')
}

/** Throws `forbidden` for a session that can only be used to apply. */
export function requireMemberSession({ purpose }: Pick<Caller, 'purpose'>): void {
  if (purpose === 'applicant')
    throw new ApiError('forbidden', 'This token can only be used to submit a DJ application.')
}

/**
 * Throws `confirm_identity`, with the method in data.method, unless the password or second factor was entered recently.
 */
export function requireConfirmedIdentity({
  is_confirmed,
  confirm_by,
}: Pick<Caller, 'is_confirmed' | 'confirm_by'>): void {
  if (is_confirmed) return
  throw new ApiError('confirm_identity', 'Confirm it’s you to continue.', { data: { method: confirm_by } })
}

/** For everyone else the back office does not exist. */
function requireStaff(
  roles: readonly StaffRole[] | undefined,
  caller: Caller | undefined,
  rules: AccessRules,
): asserts caller is Caller {
  if (caller?.purpose !== 'member' || !caller.staff_role)
    throw new ApiError('unknown_endpoint', 'Unknown API endpoint.')
  if (caller.staff_role !== 'admin' && roles && !roles.includes(caller.staff_role)) {
    throw new ApiError('insufficient_role', 'Your role doesn’t have permission to do this.')
  }
  if (needsTwoFactor(caller, rules)) throw twoFactorRequiredError()
}

const twoFactorRequiredError = () =>
  new ApiError(
    'two_factor_setup_required',
    'Staff must use two-factor authentication. Turn it on in your account first.',
  )

/** Returns whether this member must still turn on two-factor authentication, because the pool requires it for staff. */
export const needsTwoFactor = (
  { staff_role, has_two_factor }: Pick<Caller, 'staff_role' | 'has_two_factor'>,
  { staffTwoStep }: Pick<AccessRules, 'staffTwoStep'>,
): boolean => staffTwoStep === 'required' && staff_role !== null && !has_two_factor

const DOWNLOADING_ROLES: ReadonlySet<StaffRole> = new Set<StaffRole>(['admin', 'curator', 'support'])

/** Returns whether the caller downloads as staff: any version, without a limit and without being counted. */
export const canDownloadAsStaff = ({ staff_role }: Pick<Caller, 'staff_role'>): boolean =>
  staff_role !== null && DOWNLOADING_ROLES.has(staff_role)

/** Throws unless this member can download: staff, or a paying member of group 2. */
export function requireDownloadAccess(
  caller: Pick<Caller, 'group_id' | 'payment_profile_status' | 'staff_role'>,
): void {
  if (canDownloadAsStaff(caller)) return
  requireDownloadGroup(caller)
  requirePaidPlan(caller)
}

/** Throws `downloads_not_allowed`. */
export function requireDownloadGroup({ group_id }: Pick<Caller, 'group_id'>): void {
  if (group_id === DOWNLOAD_GROUP_ID) return
  throw new ApiError('downloads_not_allowed', 'This account type can’t download music.')
}

/** Throws `subscription_required`. */
export function requirePaidPlan({ payment_profile_status }: Pick<Caller, 'payment_profile_status'>): void {
  if (payment_profile_status === 'paid') return
  throw new ApiError('subscription_required', 'Downloads need a paid plan.')
}
