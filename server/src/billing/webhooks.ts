import type { FastifyInstance } from 'fastify'
import { UnreadableEvent } from '../gateways/gateway.ts'
import { Refusal } from '../platform/refusal.ts'
import { orAway } from './checkout.ts'
import { applyEvents } from './ledger.ts'
import type { Paying } from './paying.ts'
import { reviewUnreadable } from './payment-reviews.ts'

/** Far above what a provider sends. */
const BODY_BYTES = 1024 * 1024

/** More than a provider tells in a minute; who sends more is told to come back, and providers do. */
const RATE = { max: 600, timeWindow: '1 minute' }

/**
 * Where providers tell what happened. A signature covers the bytes as they came, so they are read raw. An answer of 2xx
 * says that it is kept; everything else makes the provider tell it again.
 */
export function serveWebhooks(app: FastifyInstance, paying: Paying): void {
  app.register(async (webhooks) => {
    webhooks.removeAllContentTypeParsers()
    webhooks.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request: unknown, body: Buffer) => body)
    for (const gateway of paying.gateways.values()) {
      const read = gateway.readWebhook
      if (!read) continue
      webhooks.post(
        `/webhooks/${gateway.name}`,
        { bodyLimit: BODY_BYTES, config: { rateLimit: RATE } },
        async (request, reply) => {
          if (!Buffer.isBuffer(request.body)) throw new Refusal('invalid_request', 'The webhook request has no body.')
          try {
            await applyEvents(paying, gateway.name, await orAway(read(request.body, request.headers)))
          } catch (error) {
            // Sent again it would be no easier to read, and after days of errors a provider stops sending anything.
            if (!(error instanceof UnreadableEvent)) throw error
            await reviewUnreadable(paying, gateway.name, error)
          }
          return reply.header('cache-control', 'no-store').send({ received: true })
        },
      )
    }
  })
}
