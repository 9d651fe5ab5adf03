import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { serveHealth } from './platform/health.ts'
import { refuse } from './platform/serve.ts'
import type { Part } from './process.ts'
import type { Work } from './work.ts'
import type { World } from './world.ts'

/**
 * /healthz, /readyz and /metrics of a worker, on HEALTH_PORT; nothing where that is not set. /readyz answers 503 while the
 * worker does not work.
 */
export async function startWorkerHealth(
  world: Pick<World, 'sql' | 'storage' | 'log' | 'config'>,
  { findProblem }: Pick<Work, 'findProblem'>,
): Promise<Part & { port: number | undefined }> {
  const { health, dataDir, backupDir, metricsToken } = world.config
  if (!health) return { port: undefined, stop: async () => {} }
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  serveHealth(app, world, { findProblem, metricsToken, folders: { data: dataDir, backups: backupDir } })
  await app.listen(health)
  const address = app.server.address()
  return { port: typeof address === 'object' && address ? address.port : undefined, stop: () => app.close() }
}
