import { catalogue, membership } from '@dubplate/contract'
import { hashPassword } from '../server/src/membership/password.ts'
import type { BenchPool, Server } from './bench-pool.ts'
import { median, quantile } from './measure.ts'
import { type Measured, pull } from './processes.ts'
import { atMost, megabytes, ms, perSecond, type Report } from './results.ts'

const ROUNDS = 3
const SECONDS = 3
const PEOPLE = 100
const LIST_CLIENTS = 4
const PAGES = 300
const PASSWORD = 'the password of everybody here'

/** Lists while a hundred people sign in at once, beside the same lists alone: hashing must not starve them. */
export async function benchSignIn(pool: BenchPool): Promise<Report> {
  const emails = await addPeople(pool)
  const server = await pool.startServer()
  try {
    const alone: Measured[] = []
    const under: Measured[] = []
    const signIns: Measured[] = []
    await pullLists(server)
    for (let n = 0; n < ROUNDS; n++) {
      alone.push(await pullLists(server))
      const rush = pullSignIns(server, emails)
      under.push(await pullLists(server))
      signIns.push(await rush)
    }
    return report(alone, under, signIns)
  } finally {
    await server.stop()
  }
}

async function addPeople({ sql }: BenchPool): Promise<string[]> {
  const passwordHash = await hashPassword(PASSWORD)
  const added = await sql<{ email: string }[]>`
    with people as (
      insert into customer (email, dj_name, password_hash)
      select 'rush' || n || ${`-${Date.now()}@example.test`}, 'DJ ' || n, ${passwordHash} from generate_series(1, ${PEOPLE}) n
      returning customer_id, email),
    approved as (insert into dj_application (customer_id, state) select customer_id, 'approved' from people)
    select email from people`
  return added.map(({ email }) => email)
}

const pullLists = (server: Server): Promise<Measured> =>
  pull(server, {
    connections: LIST_CLIENTS,
    seconds: SECONDS,
    requests: Array.from({ length: PAGES }, (_, n) => ({
      method: 'POST' as const,
      path: `/api/${catalogue.genreSongs.path}`,
      body: { genre_id: 31, page: n + 1, song_section_id: 1 },
    })),
  })

/** Everybody from an address of their own, as behind the operator's proxy; each again when they are in. */
const pullSignIns = (server: Server, emails: readonly string[]): Promise<Measured> =>
  pull(server, {
    connections: PEOPLE,
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

function report(alone: Measured[], under: Measured[], signIns: Measured[]): Report {
  const peakMb = Math.max(...signIns.map((measured) => measured.peakMb))
  const before = alone[0]?.peakMb ?? 0
  return {
    title: 'Lists while people sign in',
    findings: [
      {
        what: `lists, ${LIST_CLIENTS} clients, p95 while ${PEOPLE} sign in at once`,
        ours: `${ms(p95(under))}, ${perSecond(rate(under))}`,
        against: `${ms(p95(alone))}, ${perSecond(rate(alone))} (the same alone)`,
        ratio: p95(under) / p95(alone),
        aim: atMost(p95(under), 100, ' ms'),
      },
      {
        what: 'sign-ins meanwhile',
        ours: `${perSecond(rate(signIns))}, p95 ${ms(p95(signIns))}`,
        against: '',
      },
      {
        what: 'resident memory of the web process, at most',
        ours: megabytes(peakMb),
        against: `${megabytes(before)} (before the first sign-in)`,
        aim: atMost(peakMb, 250, ' MB'),
      },
    ],
    notes: ['A sign-in hashes once (argon2id, 19 MiB, 2 passes); hashes go through a gate, the others wait in order.'],
  }
}
