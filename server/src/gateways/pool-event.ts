import { randomUUID } from 'node:crypto'
import type { AtGateway, Fact, GatewayEvent } from './gateway.ts'

/** What is so from now on because the pool itself says so: for gateways without a provider outside. */
export const ownEvent = (
  { subscription_id, gateway_ref, now }: Pick<AtGateway, 'subscription_id' | 'gateway_ref' | 'now'>,
  facts: Fact[],
  event_id: string = `own:${randomUUID()}`,
): GatewayEvent => ({ event_id, at: now, gateway_ref, subscription_id, facts })
