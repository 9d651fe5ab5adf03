import { existsSync } from 'node:fs'
import path from 'node:path'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { AppContext } from './app-context.ts'
import { createDispatcher } from './dispatcher.ts'
import { FRAME_POLICY } from './gateways/stripe/frame-policy.ts'
import { accessRules, authorize, type Caller, canAccess, findCallerOrViewer, type Route } from './membership/caller.ts'
import { poolMetrics } from './metrics.ts'
import { moduleHooks, modules } from './modules.ts'
import { ApiError } from './platform/api-error.ts'
import { callerAddress, createTrustCheck } from './platform/caller-address.ts'
import { compressReplies } from './platform/compression.ts'
import { reject } from './platform/error-replies.ts'
import { serveHealth } from './platform/health.ts'
import { createRateLimitStore } from './platform/limits.ts'
import { rejectRemoteCallers } from './platform/local-only.ts'
import { serveOpenApi } from './platform/openapi.ts'
import { projectRoot } from './platform/project-root.ts'
import { rejectOtherOrigins } from './platform/same-origin.ts'
import { type CallHandlers, createSharedReader, type OnUndeclaredCode, serveCalls } from './platform/serve.ts'
import { SharedReplies } from './platform/shared-replies.ts'
import { CONNECTION_TIMEOUTS, closeSlowBodies } from './platform/slow-bodies.ts'
import { serveWeb } from './platform/web-files.ts'
import { addShareTags } from './sharing/share-tags.ts'
import { createPageRenderer } from './site/branding.ts'
import { addHomeReplies, HOME_PAGE_WAIT_MS } from './site/home-page.ts'
import { authorizeViewer } from './staff/view-as-member.ts'

/** Every endpoint of every module. */
export const allRoutes: Route[] = modules.flatMap(({ routes = [] }) =>
  typeof routes === 'function' ? routes(moduleHooks) : routes,
)

/** Sent with every reply; the page's own policy is in platform/web-files.ts. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), usb=()',
}

/**
 * After a visit over TLS, browsers use nothing else for a year (RFC 6797); subdomains are not included, because they
 * may not be ours.
 */
const HSTS_HEADERS = { 'strict-transport-security': 'max-age=31536000' }

/** Largest JSON body of a request; file uploads have their own limits. */
const MAX_BODY_BYTES = 256 * 1024

/** Read early: a connection that is closed later no longer has an address, and the audit log needs it. */
const rememberAddress = (request: FastifyRequest) =>
  Object.defineProperty(request, 'ip', { value: callerAddress(request), enumerable: true })

export type AppOptions = {
  /** True while the process shuts down: it is then not ready. */
  isShuttingDown?: () => boolean
  onUndeclaredCode?: OnUndeclaredCode
  /** The folder of the built front end. */
  builtWeb?: string
  /** How long the home page waits for the replies it contains. */
  homePageWait_ms?: number
}

const BUILT_WEB = path.join(projectRoot, 'web', 'dist')

/** Creates the web process's application: API, media, downloads and the built front end. */
export async function makeApp(ctx: AppContext, options: AppOptions = {}): Promise<FastifyInstance> {
  const { isShuttingDown = () => false, onUndeclaredCode } = options
  const { builtWeb = BUILT_WEB, homePageWait_ms = HOME_PAGE_WAIT_MS } = options
  const app = Fastify({
    loggerInstance: ctx.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: MAX_BODY_BYTES,
    ...CONNECTION_TIMEOUTS,
    trustProxy: createTrustCheck(ctx.config.trustProxy),
    forceCloseConnections: 'idle',
    // A signed URL contains its parameters: two texts of 120 characters of three bytes each make 1100 characters.
    routerOptions: { maxParamLength: 2400 },
  })
  app.setErrorHandler((error, request, reply) => reject(error, request, reply))
  app.setNotFoundHandler(() => {
    throw new ApiError('unknown_endpoint', 'Unknown API endpoint.')
  })
  await app.register(helmet, { global: false })
  await app.register(rateLimit, { global: false, store: createRateLimitStore(ctx.sql) })
  await app.register(multipart)
  const headers = { ...HEADERS, ...(ctx.config.publicUrl.startsWith('https:') ? HSTS_HEADERS : {}) }
  app.addHook('onRequest', (request, reply, done) => {
    rememberAddress(request)
    reply.headers(headers)
    // Makes clients with an open connection switch to another process.
    if (isShuttingDown()) reply.header('connection', 'close')
    done()
  })
  compressReplies(app)
  closeSlowBodies(app)
  rejectRemoteCallers(app, ctx.config, ctx.log)
  rejectOtherOrigins(app, ctx.config)
  const handlers: CallHandlers<Caller, AppContext> = {
    ctx,
    findCaller: (token) => findCallerOrViewer(ctx, token),
    handle: createDispatcher(ctx),
    authorize: (endpoint, caller) => {
      authorize(endpoint, caller, accessRules(ctx))
      authorizeViewer(endpoint, caller)
    },
    isPublic: (access) => canAccess(access, ctx.settings),
    shared: new SharedReplies(),
    edition: () => ctx.settings.edition,
    onUndeclaredCode,
  }
  serveCalls(app, allRoutes, handlers)
  const { dataDir, backupDir, metricsToken } = ctx.config
  serveHealth(app, ctx, {
    gauges: poolMetrics,
    isShuttingDown,
    metricsToken,
    folders: { data: dataDir, backups: backupDir },
  })
  serveOpenApi(
    app,
    allRoutes.map(({ endpoint }) => endpoint),
  )
  for (const module of modules) await module.http?.(app, ctx, moduleHooks)
  const brandPage = createPageRenderer(ctx)
  const renderPage = (page: string, path: string) => addShareTags(ctx, brandPage(page), path)
  const readShared = createSharedReader(allRoutes, handlers)
  /** The same for everyone, so it is cached like the replies it contains. */
  const renderHomePage = (page: string, request: FastifyRequest) =>
    handlers.shared.getOrRender(`${handlers.edition()} /`, async () =>
      Buffer.from(await addHomeReplies(await renderPage(page, '/'), { readShared, request, wait_ms: homePageWait_ms })),
    )
  const isFramed = ctx.config.payments.stripe?.checkout === 'embedded'
  if (existsSync(builtWeb))
    await serveWeb(app, builtWeb, {
      renderPage: (page, path, request) => (path === '/' ? renderHomePage(page, request) : renderPage(page, path)),
      extraPolicy: isFramed ? FRAME_POLICY : undefined,
    })
  return app
}
