import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { unsubscribe } from './subscribers.ts'

const MAX_BODY_BYTES = 4096

/**
 * POST /newsletter/leave/TOKEN: sent by a mail program when the recipient presses its own button (RFC 8058), without a
 * question and without a session. The URL alone identifies the subscriber, so the body, a form of one field, is
 * accepted with any type. GET shows the page at the same URL, and fetching it has no effect.
 */
export function serveOneClickUnsubscribe(app: FastifyInstance, ctx: AppContext): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'string', bodyLimit: MAX_BODY_BYTES }, async () => null)
    scope.post('/newsletter/leave/:token', async (request, reply) => {
      await unsubscribe(ctx, (request.params as { token: string }).token)
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('You’ve been unsubscribed.\n')
    })
  })
}
