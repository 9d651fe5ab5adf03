import { catalogue, membership } from '@dubplate/contract'
import { hashPassword } from '../server/src/membership/password.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { median, quantile } from './measure.ts'
import { type Measured, runLoad } from './processes.ts'
import { atMostTarget, megabytes, ms, perSecond, type Report } from './results.ts'

const ROUNDS = 3
const SECONDS = 3
const MEMBER_COUNT = 100
const LIST_CLIENTS = 4
const PAGES = 300
const PASSWORD = 'the password of everybody here'

/**
 * Loads lists while a hundred people sign in at once, compared with the same lists alone: hashing passwords must not
 * starve them.
 */
export async function benchSignIn(pool: BenchPool): Promise<Report> {
  const emails = await insertMembers(pool)
  const server = await pool.startServer()
  try {
    const listsOnly: Measured[] = []
    const underLoad: Measured[] = []
    const signIns: Measured[] = []
    await loadLists(server)
    for (let n = 0; n < ROUNDS; n++) {
      listsOnly.push(await loadLists(server))
      const signInLoad = loadSignIns(server, emails)
      underLoad.push(await loadLists(server))
      signIns.push(await signInLoad)
    }
    return report(listsOnly, underLoad, signIns)
  } finally {
    await server.stop()
  }
}

async function insertMembers({ sql }: BenchPool): Promise<string[]> {
  const passwordHash = await hashPassword(PASSWORD)
  const inserted = await sql<{ email: string }[]>`
    with people as (
      insert into customer (email, dj_name, password_hash)
      select 'rush' || n || ${`-${Date.now()}@example.test`}, 'DJ ' || n, ${passwordHash} from generate_series(1, ${MEMBER_COUNT}) n
      returning customer_id, email),
    approved as (insert into dj_application (customer_id, state) select customer_id, 'approved' from people)
    select email from people`
  return inserted.map(({ email }) => email)
}

const loadLists = (server: Server): Promise<Measured> =>
  runLoad(server, {
    connections: LIST_CLIENTS,
    seconds: SECONDS,
    requests: Array.from({ length: PAGES }, (_, n) => ({
      method: 'POST' as const,
      path: `/api/${catalogue.genreSongs.path}`,
      body: { genre_id: 31, page: n + 1, song_section_id: 1 },
    })),
  })

/** Everyone has their own IP address, as behind the operator's proxy, and signs in again afterwards. */
const loadSignIns = (server: Server, emails: readonly string[]): Promise<Measured> =>
  runLoad(server, {
    connections: MEMBER_COUNT,
    seconds: SECONDS + 1,
    requests: emails.map((email, n) => ({
      method: 'POST' as const,
      path: `/api/${membership.signIn.path}`,
      body: { email, password: PASSWORD },
      headers: { 'x-forwarded-for': `127.9.0.${n + 1}` },
    })),
  })

const p95 = (measured: readonly Measured[]): number =>
  median(measured.map(({ latencies }) => quantile(latencies, 0.95)))
const rate = (measured: readonly Measured[]): number =>
  median(measured.map(({ requests, seconds }) => requests / seconds))

function report(listsOnly: Measured[], underLoad: Measured[], signIns: Measured[]): Report {
  const peakMb = Math.max(...signIns.map((measured) => measured.peakMb))
  const before = listsOnly[0]?.peakMb ?? 0
  return {
    title: 'Lists while people sign in',
    findings: [
      {
        what: `lists, ${LIST_CLIENTS} clients, p95 while ${MEMBER_COUNT} sign in at once`,
        ours: `${ms(p95(underLoad))}, ${perSecond(rate(underLoad))}`,
        against: `${ms(p95(listsOnly))}, ${perSecond(rate(listsOnly))} (the same alone)`,
        ratio: p95(underLoad) / p95(listsOnly),
        target: atMostTarget(p95(underLoad), 100, ' ms'),
      },
      {
        what: 'sign-ins at the same time',
        ours: `${perSecond(rate(signIns))}, p95 ${ms(p95(signIns))}`,
        against: '',
      },
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(peakMb),
        against: `${megabytes(before)} (before the first sign-in)`,
        target: atMostTarget(peakMb, 250, ' MB'),
      },
    ],
    notes: [
      'A sign-in hashes once (argon2id, 19 MiB, 2 passes); the number of simultaneous hashes is limited, and the others wait in order.',
    ],
  }
}
