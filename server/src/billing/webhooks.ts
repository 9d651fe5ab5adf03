import type { FastifyInstance } from 'fastify'
import { UnreadableEventError } from '../gateways/gateway.ts'
import { ApiError } from '../platform/api-error.ts'
import type { BillingContext } from './billing-context.ts'
import { throwIfUnavailable } from './checkout.ts'
import { applyEvents } from './ledger.ts'
import { reviewUnreadable } from './payment-reviews.ts'

/** Far more than a provider sends. */
const MAX_BODY_BYTES = 1024 * 1024

/** More than a provider sends in a minute; above it, requests are refused and the provider resends later. */
const RATE_LIMIT = { max: 600, timeWindow: '1 minute' }

/**
 * Receives the webhooks of providers. A signature covers the raw bytes, so they are not parsed first. A 2xx response
 * confirms that the event is stored; after any other response the provider resends it.
 */
export function serveWebhooks(app: FastifyInstance, billingCtx: BillingContext): void {
  app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    for (const gateway of billingCtx.gateways.values()) {
      const read = gateway.readWebhook
      if (!read) continue
      webhooks.post(
        `/webhooks/${gateway.name}`,
        { bodyLimit: MAX_BODY_BYTES, config: { rateLimit: RATE_LIMIT } },
        async (request, reply) => {
          if (!Buffer.isBuffer(request.body)) throw new ApiError('invalid_request', 'The webhook request has no body.')
          try {
            await applyEvents(billingCtx, gateway.name, await throwIfUnavailable(read(request.body, request.headers)))
          } catch (error) {
            // Resending would not make it readable, and after days of errors a provider stops sending anything.
            if (!(error instanceof UnreadableEventError)) throw error
            await reviewUnreadable(billingCtx, gateway.name, error)
          }
          return reply.header('cache-control', 'no-store').send({ received: true })
        },
      )
    }
  })
}
