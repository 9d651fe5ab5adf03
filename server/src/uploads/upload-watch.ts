import type { uploads } from '@dubplate/contract'
import type { FastifyInstance } from 'fastify'
import type { Asker } from '../membership/asker.ts'
import { OPEN_MINUTES, OVERLAP_MS, serveStreams } from '../platform/event-stream.ts'
import type { World } from '../world.ts'
import { hasReachedLimit } from './analysis-usage.ts'
import { showFiles } from './container.ts'

const PURPOSE = 'upload-watch'
const LOOK_EVERY_MS = 700

/** Where a member's uploads can be watched for a few minutes. */
export function watchAddress({ signing, now }: Pick<World, 'signing' | 'now'>, member: Asker): string {
  const endsAt = new Date(now().getTime() + OPEN_MINUTES * 60_000)
  return `/upload-watch/${signing.sign(PURPOSE, [member.customer_id, member.session_id], endsAt)}`
}

type Watcher = Pick<Asker, 'customer_id' | 'session_id'>
/** What was last said of each file. */
type Seen = { said: Map<number, string>; since: Date }

/**
 * GET /upload-watch/…: events `files` with what changed among one's files since the last, the first time everything
 * that is not done.
 */
export function serveUploadWatch(app: FastifyInstance, world: World): void {
  serveStreams(app, {
    path: '/upload-watch/:signed',
    lookEveryMs: LOOK_EVERY_MS,
    tooMany: 'Too many open windows. Close some of your upload windows and reload.',
    now: world.now,
    open: (signed) => {
      const [customer_id = 0, session_id = 0] = world.signing.open(PURPOSE, signed, world.now()).map(Number)
      const seen: Seen = { said: new Map(), since: new Date(world.now().getTime() - OVERLAP_MS) }
      return {
        who: customer_id,
        look: async () => {
          const files = await changedFiles(world, { customer_id, session_id }, seen)
          if (files === 'ended') return files
          return files.length > 0 ? { name: 'files', data: { files } } : undefined
        },
      }
    },
  })
}

type State = { upload_id: number; state: string; share: number; waits_until_tomorrow: boolean; is_open: boolean }

/** What is not what it was when this watcher last saw it; 'ended' where the session is over. */
async function changedFiles(world: World, watcher: Watcher, seen: Seen): Promise<uploads.ContainerFile[] | 'ended'> {
  const states = await world.sql<State[]>`
    select u.upload_id, u.state, u.share, u.state = 'queued' and ${hasReachedLimit(world.sql)} as waits_until_tomorrow, s.session_id is not null as is_open
    from (select 1) one
    left join (session s join customer c using (customer_id))
      on s.session_id = ${watcher.session_id} and s.expires_at > now() and s.purpose in ('member', 'viewer') and c.status = 'active'
    left join upload u on u.customer_id = ${watcher.customer_id} and u.removed_at is null
      and (u.state in ('queued', 'running') or u.upload_id = any(${[...seen.said.keys()]}::bigint[])
        or u.touched_at > ${seen.since})`
  if (!states[0]?.is_open) return 'ended'
  const changed = states.filter((row) => row.upload_id !== null && seen.said.get(row.upload_id) !== wordFor(row))
  for (const row of changed) seen.said.set(row.upload_id, wordFor(row))
  if (changed.length === 0) return []
  const ids = changed.map(({ upload_id }) => upload_id)
  return showFiles(world, watcher, world.sql`select unnest(${ids}::bigint[])`)
}

const wordFor = ({ state, share, waits_until_tomorrow }: State): string =>
  `${state} ${share.toFixed(2)} ${waits_until_tomorrow}`
