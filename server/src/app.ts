import { existsSync } from 'node:fs'
import path from 'node:path'
import helmet from '@fastify/helmet'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, LogController } from 'fastify'
import { servePictures } from './catalogue/pictures.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { serveBundles } from './downloads/bundles.ts'
import { serveFiles } from './downloads/files.ts'
import { downloadsRoutes } from './downloads/routes.ts'
import { libraryRoutes } from './library/routes.ts'
import { type Asker, admit, findAsker } from './membership/asker.ts'
import { membershipRoutes } from './membership/routes.ts'
import { serveHealth } from './platform/health.ts'
import { serveOpenApi } from './platform/openapi.ts'
import { Refusal } from './platform/refusal.ts'
import { projectRoot } from './platform/root.ts'
import { type Call, refuse, serveCalls } from './platform/serve.ts'
import { SharedReplies } from './platform/shared-replies.ts'
import { serveWeb } from './platform/web-files.ts'
import { serveMedia } from './player/media.ts'
import { playerRoutes } from './player/routes.ts'
import { serveManifest } from './site/manifest.ts'
import { siteRoutes } from './site/routes.ts'
import type { World } from './world.ts'

/** Every call of every room. */
export const allCalls = (world: World): Call<Asker>[] => [
  ...membershipRoutes(world),
  ...catalogueRoutes(world),
  ...playerRoutes(world),
  ...libraryRoutes(world),
  ...downloadsRoutes(world),
  ...siteRoutes(world),
]

/** Largest body of a call; files come in by other doors. */
const BODY_BYTES = 256 * 1024

/** The web process's one application: calls, media, downloads and the built screens. */
export async function makeApp(world: World): Promise<FastifyInstance> {
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    trustProxy: 'loopback',
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 600 },
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  app.setNotFoundHandler(() => {
    throw new Refusal('no_such_call', 'There is no such call.')
  })
  await app.register(helmet, { global: false })
  await app.register(rateLimit, { global: false })
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-content-type-options', 'nosniff').header('referrer-policy', 'same-origin')
    done()
  })
  const calls = allCalls(world)
  const { publicBrowsing } = world.config
  serveCalls(app, calls, {
    findAsker: (token) => findAsker(world.sql, token),
    admit: (access, asker) => admit(access, asker, publicBrowsing),
    isOpen: (access) => access === 'public' || (access === 'browse' && publicBrowsing),
    shared: new SharedReplies(),
  })
  serveHealth(app, world)
  serveOpenApi(
    app,
    calls.map((call) => call.endpoint),
  )
  servePictures(app, world)
  serveMedia(app, world)
  serveFiles(app, world)
  serveBundles(app, world)
  serveManifest(app, world)
  const built = path.join(projectRoot, 'web', 'dist')
  if (existsSync(built)) await serveWeb(app, built)
  return app
}
