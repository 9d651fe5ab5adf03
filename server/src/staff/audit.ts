import type { Endpoint, ParsedInputOf, ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type Caller, on, type Route } from '../membership/caller.ts'
import { addressOf } from '../platform/client-network.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { CallContext, CallOptions } from '../platform/serve.ts'

export type AuditEntry = {
  /** The action in a few words: `application approved`. */
  action: string
  /** What was changed: `customer 7`. */
  subject: string
  before?: object | undefined
  after?: object | undefined
}

export type AuditActor = { staff_id: number; ip: string }

/**
 * Records a staff action, in the transaction of the change. Entries are never deleted, so they must not contain text
 * about a person or their address.
 */
export async function recordAudit(
  sql: Sql,
  { staff_id, action, subject, before, after, ip }: AuditEntry & AuditActor,
): Promise<void> {
  await sql`
    insert into audit (staff_id, action, subject, before, after, ip)
    values (${staff_id}, ${action}, ${subject}, ${before ? sql.json(before as never) : null},
      ${after ? sql.json(after as never) : null}, ${addressOf(ip)})`
}

type RouteContext<E extends Endpoint> = CallContext<E, Caller, AppContext>
type RouteOptions<E extends Endpoint> = Omit<CallOptions<E, Caller, AppContext>, 'audit'>

/** Declares a staff endpoint that only reads. */
export const staffRead = <E extends Endpoint>(
  endpoint: E,
  handle: (context: RouteContext<E>) => Promise<ReplyOf<E>>,
  options?: RouteOptions<E>,
): Route => on(endpoint, handle, { ...options, audit: 'reads' })

/** The parts of an audit log entry that are the same for every call of an endpoint, or follow from its input. */
type DeclaredEntry<E extends Endpoint> = {
  action?: string | ((input: ParsedInputOf<E>) => string)
  subject?: string | ((input: ParsedInputOf<E>) => string)
}

/** The parts that are known only after the change. */
type RemainingEntry<D> = Omit<AuditEntry, keyof D> & Partial<AuditEntry>

/** A reply that cannot be read in the transaction is a function; it runs after the commit. */
type WriteResult<E extends Endpoint, D> = { reply: ReplyOf<E> | (() => Promise<ReplyOf<E>>) } & (
  | RemainingEntry<D>
  /** One entry for each changed row; none if nothing changed. */
  | { entries: readonly RemainingEntry<D>[] }
)

type WriteOptions<E extends Endpoint> = RouteOptions<E> & {
  /** Checks that may be slow; they run before the transaction, so that none stays open during them. */
  check?: (context: RouteContext<E>) => Promise<void>
}

type StaffContext<E extends Endpoint> = Omit<RouteContext<E>, 'sql'> & { staff_id: number }

/**
 * Declares a staff endpoint that writes. The handler runs in a transaction (`sql`), which also records what it returns
 * in the audit log. The transaction is repeated after a conflict with another one.
 */
export const staffWrite = <E extends Endpoint, const D extends DeclaredEntry<E>>(
  endpoint: E,
  declared: D,
  handle: (context: StaffContext<E> & { sql: Sql }) => Promise<WriteResult<E, D>>,
  { check, ...options }: WriteOptions<E> = {},
): Route =>
  on(
    endpoint,
    async (context) => {
      await check?.(context)
      const actor = { staff_id: context.member.customer_id, ip: context.request.ip }
      const { reply } = await withDeadlockRetry(context.sql, async (sql) => {
        const result = await handle({ ...context, staff_id: actor.staff_id, sql })
        for (const entry of 'entries' in result ? result.entries : [result])
          await recordAudit(sql, { ...actor, ...toEntry(declared, context.input, entry) })
        return result
      })
      return reply instanceof Function ? reply() : reply
    },
    { ...options, audit: 'records' },
  )

function toEntry<E extends Endpoint>(
  declared: DeclaredEntry<E>,
  input: ParsedInputOf<E>,
  { action, subject, before, after }: Partial<AuditEntry>,
): AuditEntry {
  const resolve = (part: string | ((input: ParsedInputOf<E>) => string) = '') =>
    part instanceof Function ? part(input) : part
  return { action: action ?? resolve(declared.action), subject: subject ?? resolve(declared.subject), before, after }
}

/** Records an entry in the transaction of the change. */
export type RecordEntry = (sql: Sql, entry: AuditEntry) => Promise<void>

/**
 * Declares a staff endpoint whose writes are not one transaction: a payment provider is called, a file is received, or
 * each song is changed separately. The handler records the entries itself.
 */
export const staffWriteInSteps = <E extends Endpoint>(
  endpoint: E,
  handle: (context: RouteContext<E> & { staff_id: number; record: RecordEntry }) => Promise<ReplyOf<E>>,
  options?: RouteOptions<E>,
): Route =>
  on(
    endpoint,
    (context) => {
      const actor = { staff_id: context.member.customer_id, ip: context.request.ip }
      return handle({
        ...context,
        staff_id: actor.staff_id,
        record: (sql, entry) => recordAudit(sql, { ...actor, ...entry }),
      })
    },
    { ...options, audit: 'records' },
  )
