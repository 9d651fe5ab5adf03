import { defineModule } from '../module.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { CHECK_GATEWAYS_EVERY_MS, checkGatewaysDue } from './gateway-health.ts'

export const gateways = defineModule({
  name: 'gateways',
  tables: ['gateway_failure', 'gateway_health', 'gateway_plan', 'sandbox_account', 'sandbox_charge', 'sandbox_refund'],
  // The first check is at the start, so that wrong keys are found before anyone pays.
  loops: [(ctx) => repeatEvery(CHECK_GATEWAYS_EVERY_MS, ctx.log, () => checkGatewaysDue(ctx))],
})
