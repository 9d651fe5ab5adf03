import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { OPEN_MINUTES, serveStreams } from '../platform/event-stream.ts'
import type { Viewer } from './files.ts'

const SIGNING_PURPOSE = 'ticket-watch'
const POLL_INTERVAL_MS = 1000

type TicketRevision = { ticket_number: number; modified_at: Date }

/** Returns the signed URL at which this session can watch a ticket. */
export function createWatchUrl(
  { signing, now }: Pick<AppContext, 'signing' | 'now'>,
  { customer_id, session_id }: Viewer,
  { ticket_number, modified_at }: TicketRevision,
): string {
  const endsAt = new Date(now().getTime() + OPEN_MINUTES * 60_000)
  return `/ticket-watch/${signing.sign(SIGNING_PURPOSE, [ticket_number, customer_id, session_id, modified_at.getTime()], endsAt)}`
}

/** GET /ticket-watch/…: sends an event `ticket` each time the ticket has changed; ends with the session. */
export function serveTicketWatch(app: FastifyInstance, ctx: AppContext): void {
  serveStreams(app, {
    path: '/ticket-watch/:signed',
    pollIntervalMs: POLL_INTERVAL_MS,
    tooManyMessage: 'Too many open windows. Close some of your ticket windows and reload.',
    now: ctx.now,
    open: (signed) => {
      const values = ctx.signing.open(SIGNING_PURPOSE, signed, ctx.now()).map(Number)
      const [ticket_number = 0, customer_id = 0, session_id = 0, since = 0] = values
      let lastSent = since
      return {
        subscriberId: customer_id,
        poll: async () => {
          const changed = await findModifiedAt(ctx, { ticket_number, customer_id, session_id })
          if (changed === undefined) return 'ended'
          if (changed === lastSent) return undefined
          lastSent = changed
          return { name: 'ticket', data: { ticket_number } }
        },
      }
    },
  })
}

/** Returns when the ticket last changed, in milliseconds; undefined when the viewer has lost access. */
async function findModifiedAt(
  { sql }: Pick<AppContext, 'sql'>,
  { ticket_number, customer_id, session_id }: Viewer & { ticket_number: number },
): Promise<number | undefined> {
  const [row] = await sql<{ modified_at: Date }[]>`
    select t.modified_at from ticket t join session s on s.session_id = ${session_id}
      join customer c on c.customer_id = s.customer_id
    where t.ticket_number = ${ticket_number} and c.customer_id = ${customer_id} and c.status = 'active'
      and s.expires_at > now() and s.purpose in ('member', 'viewer')
      and (t.customer_id = c.customer_id or c.staff_role in ('support', 'admin'))`
  return row?.modified_at.getTime()
}
