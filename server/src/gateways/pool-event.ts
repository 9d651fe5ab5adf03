import { randomUUID } from 'node:crypto'
import type { AtGateway, Fact, GatewayEvent } from './gateway.ts'

/** An event that the pool itself decides, for gateways without an external provider. */
export const ownEvent = (
  { subscription_id, gateway_ref, now }: Pick<AtGateway, 'subscription_id' | 'gateway_ref' | 'now'>,
  facts: Fact[],
  event_id: string = `own:${randomUUID()}`,
): GatewayEvent => ({ event_id, at: now, gateway_ref, subscription_id, facts })
