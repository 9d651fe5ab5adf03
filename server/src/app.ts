import { existsSync } from 'node:fs'
import path from 'node:path'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import type { AppContext } from './app-context.ts'
import { storageRoutes } from './backups/routes.ts'
import { terminateSubscriptions } from './billing/member-changes.ts'
import { billingData } from './billing/own-data.ts'
import { billingRoutes } from './billing/routes.ts'
import { serveSandbox } from './billing/sandbox-pages.ts'
import { serveWebhooks } from './billing/webhooks.ts'
import { deletePicture, servePictures } from './catalogue/pictures.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { serveMetricsFile } from './dashboard/metrics-file.ts'
import { dashboardRoutes } from './dashboard/routes.ts'
import { createDispatcher } from './dispatcher.ts'
import { serveBundles } from './downloads/bundles.ts'
import { serveFiles } from './downloads/files.ts'
import { downloadsData } from './downloads/own-data.ts'
import { downloadsRoutes } from './downloads/routes.ts'
import { FRAME_POLICY } from './gateways/stripe/frame-policy.ts'
import { serveTicketFiles } from './helpdesk/files.ts'
import { serveInboundWebhook } from './helpdesk/inbound-webhook.ts'
import { helpdeskData } from './helpdesk/own-data.ts'
import { helpdeskRoutes } from './helpdesk/routes.ts'
import { serveTicketWatch } from './helpdesk/ticket-stream.ts'
import { serveImportReport } from './imports/report-file.ts'
import { serveInvoices } from './invoices/invoice-links.ts'
import { libraryData } from './library/own-data.ts'
import { libraryRoutes } from './library/routes.ts'
import { accountRoutes } from './membership/account-routes.ts'
import { accessRules, authorize, canAccess, findCallerOrViewer, type Route } from './membership/caller.ts'
import { serveExports } from './membership/export.ts'
import { serveOutsideSignIn } from './membership/external-sign-in.ts'
import { membershipData, type OwnData } from './membership/own-data.ts'
import { profileRoutes } from './membership/profile-routes.ts'
import { membershipRoutes } from './membership/routes.ts'
import { signUpRoutes } from './membership/sign-up-routes.ts'
import { poolMetrics } from './metrics.ts'
import { serveOneClickUnsubscribe } from './newsletter/one-click-unsubscribe.ts'
import { newsletterData } from './newsletter/own-data.ts'
import { newsletterRoutes } from './newsletter/routes.ts'
import { notificationsData } from './notices/own-data.ts'
import { notificationRoutes } from './notices/routes.ts'
import { ApiError } from './platform/api-error.ts'
import { callerAddress, createTrustCheck } from './platform/caller-address.ts'
import { serveHealth } from './platform/health.ts'
import { createRateLimitStore } from './platform/limits.ts'
import { rejectRemoteCallers } from './platform/local-only.ts'
import { serveOpenApi } from './platform/openapi.ts'
import { projectRoot } from './platform/project-root.ts'
import { rejectOtherOrigins } from './platform/same-origin.ts'
import { type OnUndeclaredCode, reject, serveCalls } from './platform/serve.ts'
import { SharedReplies } from './platform/shared-replies.ts'
import { CONNECTION_TIMEOUTS, closeSlowBodies } from './platform/slow-bodies.ts'
import { serveWeb } from './platform/web-files.ts'
import { serveMedia } from './player/media.ts'
import { playerData } from './player/own-data.ts'
import { playerRoutes } from './player/routes.ts'
import { serveFeeds } from './saved-searches/feed.ts'
import { savedSearchesData } from './saved-searches/own-data.ts'
import { savedSearchRoutes } from './saved-searches/routes.ts'
import { createPageRenderer, serveTheme } from './site/branding.ts'
import { serveLogo } from './site/logo.ts'
import { serveManifest } from './site/manifest.ts'
import { siteData } from './site/own-data.ts'
import { siteRoutes } from './site/routes.ts'
import { serveSitemap } from './site/sitemap.ts'
import { serveAuditFile } from './staff/audit-file.ts'
import { commerceRoutes } from './staff/commerce.ts'
import { serveCommerceFiles } from './staff/commerce-files.ts'
import { curationRoutes } from './staff/curation.ts'
import { editingRoutes } from './staff/editing.ts'
import { genreMaintenanceRoutes } from './staff/genre-maintenance.ts'
import { importRoutes } from './staff/imports.ts'
import { memberRoutes } from './staff/members.ts'
import { staffData } from './staff/notes.ts'
import { paymentRoutes } from './staff/payments.ts'
import { staffRoutes } from './staff/routes.ts'
import { settingsRoutes } from './staff/settings.ts'
import { songMaintenanceRoutes } from './staff/song-maintenance.ts'
import { songRoutes } from './staff/songs.ts'
import { supportRoutes } from './staff/support.ts'
import { systemRoutes } from './staff/system.ts'
import { uploadReviewRoutes } from './staff/uploads.ts'
import { authorizeViewer } from './staff/view-as-member.ts'
import { uploadsData } from './uploads/own-data.ts'
import { serveResumable } from './uploads/resumable.ts'
import { uploadsRoutes } from './uploads/routes.ts'
import { serveUploadMedia } from './uploads/upload-media.ts'
import { serveUploadWatch } from './uploads/upload-stream.ts'

/** The personal data each module stores. */
const ownData: OwnData[] = [
  ...membershipData,
  ...notificationsData,
  ...billingData,
  ...libraryData,
  ...playerData,
  ...downloadsData,
  ...uploadsData,
  ...newsletterData,
  ...savedSearchesData,
  ...helpdeskData,
  ...siteData,
  ...staffData,
]

/** Every endpoint of every module. */
export const allRoutes: Route[] = [
  ...membershipRoutes,
  ...accountRoutes({ parts: ownData, deletePicture, cancelPayments: terminateSubscriptions }),
  ...signUpRoutes(ownData),
  ...profileRoutes(deletePicture),
  ...notificationRoutes,
  ...billingRoutes,
  ...catalogueRoutes,
  ...playerRoutes,
  ...libraryRoutes,
  ...downloadsRoutes,
  ...uploadsRoutes,
  ...newsletterRoutes,
  ...savedSearchRoutes,
  ...helpdeskRoutes,
  ...siteRoutes,
  ...staffRoutes,
  ...paymentRoutes,
  ...commerceRoutes,
  ...uploadReviewRoutes,
  ...editingRoutes,
  ...supportRoutes,
  ...memberRoutes,
  ...systemRoutes,
  ...songMaintenanceRoutes,
  ...genreMaintenanceRoutes,
  ...importRoutes,
  ...settingsRoutes,
  ...songRoutes,
  ...storageRoutes,
  ...dashboardRoutes,
  ...curationRoutes,
]

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
}

/** Creates the web process's application: API, media, downloads and the built front end. */
export async function makeApp(ctx: AppContext, options: AppOptions = {}): Promise<FastifyInstance> {
  const { isShuttingDown = () => false, onUndeclaredCode } = options
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
  closeSlowBodies(app)
  rejectRemoteCallers(app, ctx.config, ctx.log)
  rejectOtherOrigins(app, ctx.config)
  serveCalls(app, allRoutes, {
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
  })
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
  servePictures(app, ctx)
  serveMedia(app, ctx)
  serveFiles(app, ctx)
  serveBundles(app, ctx)
  serveResumable(app, ctx)
  serveUploadMedia(app, ctx)
  serveUploadWatch(app, ctx)
  serveFeeds(app, ctx)
  serveTicketFiles(app, ctx)
  serveTicketWatch(app, ctx)
  serveOneClickUnsubscribe(app, ctx)
  serveManifest(app, ctx)
  serveSitemap(app, ctx)
  serveTheme(app, ctx)
  serveLogo(app, ctx)
  serveInvoices(app, ctx)
  serveSandbox(app, ctx)
  serveWebhooks(app, ctx)
  serveInboundWebhook(app, ctx)
  serveExports(app, ctx, ownData)
  serveAuditFile(app, ctx)
  serveImportReport(app, ctx)
  serveCommerceFiles(app, ctx)
  serveMetricsFile(app, ctx)
  await serveOutsideSignIn(app, ctx)
  const built = path.join(projectRoot, 'web', 'dist')
  const isFramed = ctx.config.payments.stripe?.checkout === 'embedded'
  if (existsSync(built))
    await serveWeb(app, built, {
      renderPage: createPageRenderer(ctx),
      extraPolicy: isFramed ? FRAME_POLICY : undefined,
    })
  return app
}
