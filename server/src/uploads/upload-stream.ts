import type { uploads } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import type { Caller } from '../membership/caller.ts'
import { OPEN_MINUTES, OVERLAP_MS, serveStreams } from '../platform/event-stream.ts'
import { hasReachedLimit } from './analysis-usage.ts'
import { listFiles } from './upload-container.ts'

const SIGNING_PURPOSE = 'upload-watch'
const POLL_INTERVAL_MS = 700

/** Returns the URL of a member's upload events, valid for a few minutes. */
export function createWatchUrl({ signing, now }: Pick<AppContext, 'signing' | 'now'>, member: Caller): string {
  const expiresAt = new Date(now().getTime() + OPEN_MINUTES * 60_000)
  return `/upload-watch/${signing.sign(SIGNING_PURPOSE, [member.customer_id, member.session_id], expiresAt)}`
}

type Watcher = Pick<Caller, 'customer_id' | 'session_id'>
/** What was last sent for each file. */
type WatchState = { said: Map<number, string>; since: Date }

/**
 * GET /upload-watch/…: `files` events with the member's files that changed since the last one; the first has every
 * unfinished file.
 */
export function serveUploadWatch(app: FastifyInstance, ctx: AppContext): void {
  serveStreams(app, {
    path: '/upload-watch/:signed',
    pollIntervalMs: POLL_INTERVAL_MS,
    tooManyMessage: 'Too many open windows. Close some of your upload windows and reload.',
    now: ctx.now,
    open: (signed) => {
      const [customer_id = 0, session_id = 0] = ctx.signing.open(SIGNING_PURPOSE, signed, ctx.now()).map(Number)
      const watchState: WatchState = { said: new Map(), since: new Date(ctx.now().getTime() - OVERLAP_MS) }
      return {
        subscriberId: customer_id,
        poll: async () => {
          const files = await changedFiles(ctx, { customer_id, session_id }, watchState)
          if (files === 'ended') return files
          return files.length > 0 ? { name: 'files', data: { files } } : undefined
        },
      }
    },
  })
}

type UploadState = {
  upload_id: number
  state: string
  progress: number
  waits_until_tomorrow: boolean
  is_open: boolean
}

/** Returns the files that changed since the last event; 'ended' if the session has ended. */
async function changedFiles(
  ctx: AppContext,
  watcher: Watcher,
  watchState: WatchState,
): Promise<uploads.ContainerFile[] | 'ended'> {
  const states = await ctx.sql<UploadState[]>`
    select u.upload_id, u.state, u.progress, u.state = 'queued' and ${hasReachedLimit(ctx.sql)} as waits_until_tomorrow, s.session_id is not null as is_open
    from (select 1) one
    left join (session s join customer c using (customer_id))
      on s.session_id = ${watcher.session_id} and s.expires_at > now() and s.purpose in ('member', 'viewer') and c.status = 'active'
    left join upload u on u.customer_id = ${watcher.customer_id} and u.removed_at is null
      and (u.state in ('queued', 'running') or u.upload_id = any(${[...watchState.said.keys()]}::bigint[])
        or u.updated_at > ${watchState.since})`
  if (!states[0]?.is_open) return 'ended'
  const changed = states.filter((row) => row.upload_id !== null && watchState.said.get(row.upload_id) !== stateKey(row))
  for (const row of changed) watchState.said.set(row.upload_id, stateKey(row))
  if (changed.length === 0) return []
  const ids = changed.map(({ upload_id }) => upload_id)
  return listFiles(ctx, watcher, ctx.sql`select unnest(${ids}::bigint[])`)
}

const stateKey = ({ state, progress, waits_until_tomorrow }: UploadState): string =>
  `${state} ${progress.toFixed(2)} ${waits_until_tomorrow}`
