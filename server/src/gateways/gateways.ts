import type { billing } from '@dubplate/contract'
import { ApiError } from '../platform/api-error.ts'
import type { Config } from '../platform/config.ts'
import type { Pool } from '../platform/db.ts'
import type { Log } from '../platform/log.ts'
import type { FindPaidSubscription, Gateway, GatewayName } from './gateway.ts'
import { watchGateway } from './gateway-health.ts'
import { manualGateway } from './manual.ts'
import { paypalGateway } from './paypal/gateway.ts'
import { sandboxGateway } from './sandbox.ts'

export type Gateways = ReadonlyMap<GatewayName, Gateway>

/** Opens the gateways this pool takes payments with, in the order of the configuration. */
export async function openGateways(
  sql: Pool,
  config: Config,
  log: Log,
  findPaidSubscription: FindPaidSubscription,
): Promise<Gateways> {
  const factories: Record<GatewayName, () => Gateway | Promise<Gateway>> = {
    sandbox: () => sandboxGateway({ sql, publicUrl: config.publicUrl }),
    manual: () => manualGateway(),
    // Stripe's library takes 20 MB: only a pool that uses it loads it.
    stripe: async () => {
      const { stripeGateway } = await import('./stripe/gateway.ts')
      return stripeGateway({ sql, config: settingsOf(config.payments.stripe, 'stripe') })
    },
    paypal: () => paypalGateway({ sql, config: settingsOf(config.payments.paypal, 'paypal'), findPaidSubscription }),
  }
  const opened = new Map<GatewayName, Gateway>()
  for (const name of config.payments.gateways) opened.set(name, watchGateway(await factories[name](), { sql, log }))
  return opened
}

function settingsOf<T>(settings: T | undefined, name: GatewayName): T {
  if (!settings) throw new Error(`Gateway ${name} is not configured`)
  return settings
}

/** The payment methods members can choose from. */
export const methodsOf = (gateways: Gateways): billing.PaymentMethod[] => [
  ...new Set([...gateways.values()].flatMap(({ methods }) => methods)),
]

/** Whether cards are entered in the pool's own form. */
export const cardsOf = (gateways: Gateways): 'form' | 'hosted' =>
  [...gateways.values()].find(({ methods }) => methods.includes('credit_card'))?.cards ?? 'hosted'

/** Returns the gateway for a payment method. Throws `payment_method_unavailable`. */
export function gatewayFor(gateways: Gateways, method: billing.PaymentMethod): Gateway {
  const gateway = [...gateways.values()].find(({ methods }) => methods.includes(method))
  if (!gateway) throw new ApiError('payment_method_unavailable', 'This payment method isn’t available.')
  return gateway
}

/**
 * Returns the gateway that can end a subscription. Sandbox and transfer subscriptions, and checkouts that never reached
 * their provider, are ended by the pool itself, even when the operator no longer uses that gateway.
 */
export function gatewayOf(
  gateways: Gateways,
  { gateway, gateway_ref, payer_ref }: { gateway: GatewayName; gateway_ref: string | null; payer_ref: string | null },
): Gateway {
  const isPoolGateway = gateway === 'sandbox' || gateway === 'manual' || (!gateway_ref && !payer_ref)
  if (isPoolGateway && !gateways.has(gateway)) return { ...manualGateway(), name: gateway }
  return requireGateway(gateways, gateway)
}

/**
 * Returns the gateway a subscription was created with. Throws `provider_unavailable` when the operator has removed it.
 */
export function requireGateway(gateways: Gateways, name: GatewayName): Gateway {
  const gateway = gateways.get(name)
  if (!gateway)
    throw new ApiError(
      'provider_unavailable',
      'This payment method is temporarily unavailable. Use another one or contact support.',
    )
  return gateway
}
