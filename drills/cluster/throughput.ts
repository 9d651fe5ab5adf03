import { setTimeout as pause } from 'node:timers/promises'
import { PASSWORD } from './content.ts'
import { createTraffic, Visitor } from './visitor.ts'

const PARALLEL = 12
const WARM_UP_MS = 3000
const MEASURED_MS = 15_000

/** Requests per second that members get answered who search, list and change their crates without a pause. */
export async function measureThroughput(
  origin: string,
  members: { email: string }[],
  versions: number[],
): Promise<{ perSecond: number; lost: string[] }> {
  const traffic = createTraffic()
  let isStopping = false
  const visit = async (n: number) => {
    const visitor = new Visitor(origin, traffic, 1000 + n)
    const email = members[n]?.email ?? ''
    const { data } = await visitor.ask<{ token: string }>('customer/sign-in.json', { email, password: PASSWORD })
    visitor.token = data.token
    for (let i = n; !isStopping; i++) {
      const version_ids = [versions[i % versions.length]]
      await visitor.ask('song/search.json', { searchTerm: `drill ${i % 40}` })
      await visitor.ask('crate/change.json', { version_ids, action: i % 2 ? 'remove' : 'add' })
      await visitor.ask('crate/index.json', {})
    }
    visitor.close()
  }
  const visits = Array.from({ length: PARALLEL }, (_, n) => visit(n).catch(() => {}))
  await pause(WARM_UP_MS)
  const [before, startedAt] = [traffic.requests, performance.now()]
  await pause(MEASURED_MS)
  const perSecond = ((traffic.requests - before) * 1000) / (performance.now() - startedAt)
  isStopping = true
  await Promise.all(visits)
  return { perSecond: Math.round(perSecond), lost: traffic.lost }
}
