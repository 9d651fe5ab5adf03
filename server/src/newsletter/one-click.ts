import type { FastifyInstance } from 'fastify'
import type { World } from '../world.ts'
import { leaveNewsletter } from './subscribers.ts'

const BODY_BYTES = 4096

/**
 * POST /newsletter/leave/TOKEN: what a mail program sends when somebody presses its own button (RFC 8058), without asking
 * anything and without a session. The address alone says whose newsletter ends, so the body, a form of one field, is let
 * pass whatever its type. GET is the page of the same address, which ends nothing by being fetched.
 */
export function serveOneClick(app: FastifyInstance, world: World): void {
  void app.register(async (door) => {
    door.removeAllContentTypeParsers()
    door.addContentTypeParser('*', { parseAs: 'string', bodyLimit: BODY_BYTES }, async () => null)
    door.post('/newsletter/leave/:token', async (request, reply) => {
      await leaveNewsletter(world, (request.params as { token: string }).token)
      return reply
        .type('text/plain; charset=utf-8')
        .header('cache-control', 'no-store')
        .send('You’ve been unsubscribed.\n')
    })
  })
}
