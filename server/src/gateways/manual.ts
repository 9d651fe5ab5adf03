import type { Gateway } from './gateway.ts'
import { ownEvent } from './pool-event.ts'

/** Bank transfer or cash: nothing happens automatically. Staff record when money arrives (staff-payments.ts). */
export const manualGateway = (): Gateway => ({
  name: 'manual',
  methods: ['bank_transfer'],
  renews: 'pool',
  cards: 'hosted',
  upgrades: 'next_period',
  start: async () => ({ gateway_ref: null, url: null, events: [] }),
  fetch: async () => [],
  cancel: async (at) => [ownEvent(at, [{ kind: 'cancelled', is_cancelled: true }])],
  resume: async (at) => [ownEvent(at, [{ kind: 'cancelled', is_cancelled: false }])],
  abandon: async (at) => [ownEvent(at, [{ kind: 'abandoned', failure_reason: '' }])],
  // Staff return the money themselves; this only records the refund.
  refund: async (at, { key, charge_ref, amount_minor }) => [
    ownEvent(at, [{ kind: 'refund', refund_ref: key, charge_ref, amount_minor }], `refund:${key}`),
  ],
})
