import type { AppContext } from '../app-context.ts'
import { defineModule } from '../module.ts'
import { repeatEvery } from '../platform/repeat-every.ts'
import { serveInvoices } from './invoice-links.ts'
import { terminateSubscriptions } from './member-changes.ts'
import { billingData } from './own-data.ts'
import { mailReceipts } from './receipts.ts'
import { refundDuplicates } from './refunds.ts'
import { processDueSubscriptions, reconcile, sweepPaymentEvents } from './renewals.ts'
import { billingRoutes } from './routes.ts'
import { serveSandbox } from './sandbox-pages.ts'
import { serveWebhooks } from './webhooks.ts'

const PAYMENTS_EVERY_MS = 5000

const startPayments = (ctx: AppContext) =>
  repeatEvery(PAYMENTS_EVERY_MS, ctx.log, async () => {
    while (await processDueSubscriptions(ctx));
    await refundDuplicates(ctx)
    await mailReceipts(ctx)
  })

export const billing = defineModule({
  name: 'billing',
  tables: [
    'plan',
    'coupon',
    'coupon_use',
    'promotion',
    'subscription',
    'subscription_event',
    'cancel_feedback',
    'charge',
    'refund',
    'ledger',
    'payment_event',
    'payment_review',
    'sandbox_clock',
    'invoice',
    'invoice_number',
  ],
  routes: billingRoutes,
  http: (app, ctx) => {
    serveInvoices(app, ctx)
    serveSandbox(app, ctx)
    serveWebhooks(app, ctx)
  },
  jobs: [
    {
      task: 'reconcile_payments',
      schedule: { times: '0 3 * * *', about: 'Syncs open subscriptions with the payment providers.' },
      run: (ctx) => reconcile(ctx),
    },
  ],
  loops: [startPayments],
  sweeps: [sweepPaymentEvents],
  ownData: billingData,
  cancelPayments: terminateSubscriptions,
})
