import type { payments } from '@dubplate/contract'
import type { Sql } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import { type Gateway, type GatewayName, type ProviderProblem, ProviderUnavailableError } from './gateway.ts'
import type { Gateways } from './gateways.ts'

/**
 * Whether each payment provider responds and accepts the pool's keys. Every call to a provider reports its failure
 * here; a successful check or checkout start reports that it works again.
 */

type Deps = { sql: Sql; log: Log }

/** Reasons that count as an outage; the others concern a single request. */
const OUTAGE_REASONS: readonly ProviderProblem[] = ['keys_rejected', 'unreachable', 'timeout', 'provider_error']

/** Wraps a gateway so that its failures are counted, and logged once per outage. */
export function watchGateway(gateway: Gateway, deps: Deps): Gateway {
  const wrap =
    (name: string, call: (...args: unknown[]) => unknown) =>
    async (...args: unknown[]) => {
      try {
        const answer = await call(...args)
        if (name === 'start' || name === 'check') await reportSuccess(deps, gateway.name)
        return answer
      } catch (error) {
        if (error instanceof ProviderUnavailableError) await reportFailure(deps, gateway.name, error)
        throw error
      }
    }
  const entries = Object.entries(gateway).map(([name, value]) => [
    name,
    typeof value === 'function' ? wrap(name, value as (...args: unknown[]) => unknown) : value,
  ])
  return Object.fromEntries(entries) as Gateway
}

/** A payment must not fail because the state of a provider could not be saved. */
const logErrors = (log: Log, work: Promise<unknown>): Promise<unknown> =>
  work.catch((error) => log.warn({ err: error }, 'Could not save the state of a payment provider'))

const reportFailure = ({ sql, log }: Deps, gateway: GatewayName, { reason, detail }: ProviderUnavailableError) =>
  logErrors(
    log,
    (async () => {
      await sql`
        insert into gateway_failure (gateway, reason) values (${gateway}, ${reason})
        on conflict (gateway, reason) do update set n = gateway_failure.n + 1, last_at = now()`
      if (!OUTAGE_REASONS.includes(reason)) {
        log.warn({ gateway, reason, detail }, 'A payment provider did not accept a request.')
        return
      }
      const started = await sql`
        insert into gateway_health (gateway, is_up, reason, detail) values (${gateway}, false, ${reason}, ${detail})
        on conflict (gateway) do update set is_up = false, reason = excluded.reason, detail = excluded.detail, since = now(),
          checked_at = now() where gateway_health.is_up
        returning 1`
      if (started.count > 0) {
        log.error({ gateway, reason, detail }, 'A payment provider is not working. Members can’t pay with it.')
        return
      }
      await sql`
        update gateway_health set reason = ${reason}, detail = ${detail}, checked_at = now()
        where gateway = ${gateway} and not is_up`
    })(),
  )

const reportSuccess = ({ sql, log }: Deps, gateway: GatewayName) =>
  logErrors(
    log,
    (async () => {
      const endedOutages = await sql<{ since: Date }[]>`
        with before as (select since from gateway_health where gateway = ${gateway} and not is_up for update)
        update gateway_health h set is_up = true, reason = '', detail = '', since = now(), checked_at = now()
        from before where h.gateway = ${gateway} returning before.since`
      if (endedOutages[0])
        log.info({ gateway, down_since: endedOutages[0].since }, 'A payment provider is working again.')
      else {
        await sql`
          insert into gateway_health (gateway, is_up) values (${gateway}, true)
          on conflict (gateway) do update set checked_at = now()`
      }
    })(),
  )

type HealthDeps = Deps & { gateways: Gateways }

/** Checks whether each provider accepts the pool's keys. Never throws: failures are reported. */
export async function checkGateways({ gateways }: Pick<HealthDeps, 'gateways'>): Promise<void> {
  await Promise.all([...gateways.values()].map(({ check }) => check?.().catch(() => {})))
}

const CHECK_EVERY_SECONDS = 30

/** Does the same for providers that were not checked recently. Only one of several workers checks. */
export async function checkGatewaysDue({ sql, gateways }: HealthDeps): Promise<void> {
  const names = [...gateways.values()].filter(({ check }) => check).map(({ name }) => name)
  const healthRows = await sql<{ gateway: GatewayName; is_due: boolean }[]>`
    with due as (
      update gateway_health set checked_at = now()
      where gateway = any(${names}) and checked_at < now() - make_interval(secs => ${CHECK_EVERY_SECONDS - 1})
      returning gateway)
    select gateway, gateway in (select gateway from due) as is_due from gateway_health where gateway = any(${names})`
  const dueNames = names.filter((name) => healthRows.find(({ gateway }) => gateway === name)?.is_due ?? true)
  await checkGateways({ gateways: new Map([...gateways].filter(([name]) => dueNames.includes(name))) })
}

export const CHECK_GATEWAYS_EVERY_MS = CHECK_EVERY_SECONDS * 1000

type HealthRow = {
  gateway: GatewayName
  is_up: boolean
  reason: ProviderProblem | ''
  detail: string
  since: Date
  checked_at: Date
}

/**
 * Returns the states of the pool's providers, in their order. Gateways without a provider (transfers, the sandbox) are
 * left out.
 */
export async function readGatewayStates({
  sql,
  gateways,
}: Pick<HealthDeps, 'sql' | 'gateways'>): Promise<payments.GatewayState[]> {
  const rows = await sql<HealthRow[]>`select * from gateway_health`
  return [...gateways.values()]
    .filter(({ check }) => check)
    .map(({ name: gateway }) => {
      const row = rows.find((each) => each.gateway === gateway)
      if (!row)
        return { gateway, state: 'unchecked' as const, reason: '' as const, detail: '', since: null, checked_at: null }
      const { is_up, reason, detail, since, checked_at } = row
      const state = is_up ? ('up' as const) : ('down' as const)
      return { gateway, state, reason, detail, since: since.toISOString(), checked_at: checked_at.toISOString() }
    })
}
