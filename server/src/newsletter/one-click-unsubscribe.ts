import type { FastifyInstance } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { unsubscribe } from './subscribers.ts'

const MAX_BODY_BYTES = 4096

/**
 * POST /newsletter/leave/TOKEN: what a mail program sends when somebody presses its own button (RFC 8058), without
 * asking anything and without a session. The address alone says whose newsletter ends, so the body, a form of one
 * field, is let pass whatever its type. GET is the page of the same address, which ends nothing by being fetched.
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
