import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import type { AppContext } from './app-context.ts'
import type { Worker } from './background-worker.ts'
import { reject } from './platform/error-replies.ts'
import { serveHealth } from './platform/health.ts'
import type { Stoppable } from './process.ts'

/**
 * Serves /healthz, /readyz and /metrics of a worker on HEALTH_PORT; does nothing if that is not set. /readyz returns
 * 503 while the worker does not work.
 */
export async function startWorkerHealth(
  ctx: Pick<AppContext, 'sql' | 'storage' | 'log' | 'config'>,
  { findProblem }: Pick<Worker, 'findProblem'>,
): Promise<Stoppable & { port: number | undefined }> {
  const { health, dataDir, backupDir, metricsToken } = ctx.config
  if (!health) return { port: undefined, stop: async () => {} }
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    forceCloseConnections: true,
  })
  app.setErrorHandler((error, request, reply) => reject(error, request, reply))
  serveHealth(app, ctx, { findProblem, metricsToken, folders: { data: dataDir, backups: backupDir } })
  await app.listen(health)
  const address = app.server.address()
  return { port: typeof address === 'object' && address ? address.port : undefined, stop: () => app.close() }
}
