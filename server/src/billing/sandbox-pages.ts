import type { FastifyInstance, FastifyReply } from 'fastify'
import { toDecimal } from '../gateways/money.ts'
import { ownEvent } from '../gateways/pool-event.ts'
import { decideApproval, payApproved, readAccount, type SandboxAccount } from '../gateways/sandbox.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { escapeHtml } from '../platform/html.ts'
import type { BillingContext } from './billing-context.ts'
import { currentTimeFor } from './clock.ts'
import { applyEvents } from './ledger.ts'
import { readSubscription } from './subscriptions.ts'

type ApprovalParams = { Params: { ref: string } }

/** Serves the sandbox's approval pages, which correspond to those of a provider. */
export function serveSandbox(app: FastifyInstance, billingCtx: BillingContext): void {
  if (!billingCtx.gateways.has('sandbox')) return
  app.get<ApprovalParams>('/sandbox/approve/:ref', async ({ params }, reply) => {
    const account = await readAccount(billingCtx.sql, params.ref)
    if (!account) throw new ApiError('unknown_payment', 'Payment not found.')
    // A member who returns with the browser's Back button sees the result.
    if (account.approval !== 'waiting')
      return reply.redirect(`${billingCtx.config.publicUrl}/account/manage-subscription`, 303)
    return sendPage(reply, approvalPage(account, billingCtx.settings.poolName))
  })
  // The forms are sent as text/plain, which Fastify reads without a plugin; they have no fields.
  app.post<ApprovalParams>('/sandbox/approve/:ref/yes', async ({ params }, reply) => {
    return reply.redirect(await approve(billingCtx, params.ref), 303)
  })
  app.post<ApprovalParams>('/sandbox/approve/:ref/no', async ({ params }, reply) => {
    return reply.redirect(await declinePayment(billingCtx, params.ref), 303)
  })
}

async function findPendingAccount(sql: Sql, ref: string): Promise<SandboxAccount> {
  const account = await readAccount(sql, ref)
  if (account?.approval !== 'waiting') throw new ApiError('unknown_payment', 'This payment has already been completed.')
  return account
}

/** A card is charged at once; a PayPal payment is confirmed when the member returns. */
async function approve(billingCtx: BillingContext, ref: string): Promise<string> {
  const account = await findPendingAccount(billingCtx.sql, ref)
  const { method, return_url } = account.checkout
  if (!(await decideApproval(billingCtx.sql, ref, 'approved')))
    throw new ApiError('unknown_payment', 'This payment has already been completed.')
  if (method === 'paypal') return `${return_url}?token=${encodeURIComponent(ref)}`
  const now = await accountTime(billingCtx, account)
  await applyEvents(billingCtx, 'sandbox', await payApproved(billingCtx.sql, account, now))
  return return_url
}

async function declinePayment(billingCtx: BillingContext, ref: string): Promise<string> {
  const account = await findPendingAccount(billingCtx.sql, ref)
  const { subscription_id, cancel_url } = account.checkout
  if (!(await decideApproval(billingCtx.sql, ref, 'declined')))
    throw new ApiError('unknown_payment', 'This payment has already been completed.')
  const now = await accountTime(billingCtx, account)
  const failure_reason = 'The payment was not approved.'
  const event = ownEvent({ subscription_id, gateway_ref: ref, now }, [{ kind: 'abandoned', failure_reason }])
  await applyEvents(billingCtx, 'sandbox', [event])
  return cancel_url
}

async function accountTime(billingCtx: BillingContext, { checkout }: SandboxAccount): Promise<Date> {
  const subscription = await readSubscription(billingCtx.sql, checkout.subscription_id)
  return subscription ? currentTimeFor(billingCtx.sql, billingCtx, subscription.customer_id) : billingCtx.now()
}

/** No scripts, no images, nothing from other origins. */
const POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'"

const sendPage = (reply: FastifyReply, html: string) =>
  reply
    .header('content-security-policy', POLICY)
    .header('cache-control', 'no-store')
    .type('text/html; charset=utf-8')
    .send(html)

const STYLE = `
  :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif }
  body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f3f4f6, #0c0d10) }
  main { width: min(26rem, 100% - 3rem); padding: 2rem; border-radius: 12px; background: light-dark(#fff, #16181d); box-sizing: border-box }
  h1 { margin: 0 0 .25rem; font-size: 1.25rem }
  p { margin: 0 0 1rem }
  .amount { font-size: 2rem; font-weight: 600; font-variant-numeric: tabular-nums }
  .note { color: light-dark(#4a525e, #a7aeb9); font-size: .875rem }
  form { display: grid; gap: .75rem }
  button { min-height: 44px; font: inherit; font-weight: 600; border-radius: 8px; border: 1px solid light-dark(#c5cad3, #3a3f49); background: none; color: inherit; cursor: pointer }
  button.yes { border: 0; background: light-dark(#14171c, #f2f4f8); color: light-dark(#fff, #14171c) }
  button:focus-visible { outline: 3px solid #3b82f6; outline-offset: 2px }`

function approvalPage({ ref, checkout }: SandboxAccount, poolName: string): string {
  const { charge, method } = checkout
  const at = `/sandbox/approve/${encodeURIComponent(ref)}`
  const what = method === 'paypal' ? 'Sandbox PayPal' : 'Sandbox bank'
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Approve payment · ${what}</title><style>${STYLE}</style></head>
<body><main>
<h1>${what}</h1>
<p>Payment to ${escapeHtml(poolName)}</p>
<p class="amount">${toDecimal(charge.amount_minor)} ${escapeHtml(charge.currency)}</p>
<form method="post" enctype="text/plain">
<button class="yes" formaction="${at}/yes">Approve</button>
<button formaction="${at}/no">Decline</button>
</form>
<p class="note" style="margin-top:1rem">Test mode. You won’t be charged.</p>
</main></body></html>
`
}
