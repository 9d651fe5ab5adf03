import { existsSync } from 'node:fs'
import path from 'node:path'
import helmet from '@fastify/helmet'
import multipart from '@fastify/multipart'
import rateLimit from '@fastify/rate-limit'
import Fastify, { type FastifyBaseLogger, type FastifyInstance, type FastifyRequest, LogController } from 'fastify'
import { answersOf } from './answers.ts'
import { storageRoutes } from './backups/routes.ts'
import { endForGood } from './billing/changes.ts'
import { billingData } from './billing/own-data.ts'
import { billingRoutes } from './billing/routes.ts'
import { serveSandbox } from './billing/sandbox-pages.ts'
import { serveWebhooks } from './billing/webhooks.ts'
import { forgetPicture, servePictures } from './catalogue/pictures.ts'
import { catalogueRoutes } from './catalogue/routes.ts'
import { serveFiguresFile } from './desk/figures-file.ts'
import { deskRoutes } from './desk/routes.ts'
import { serveBundles } from './downloads/bundles.ts'
import { serveFiles } from './downloads/files.ts'
import { downloadsData } from './downloads/own-data.ts'
import { downloadsRoutes } from './downloads/routes.ts'
import { FRAME_POLICY } from './gateways/stripe/frame-policy.ts'
import { gauges } from './gauges.ts'
import { serveTicketFiles } from './helpdesk/files.ts'
import { serveInboundWebhook } from './helpdesk/inbound-webhook.ts'
import { helpdeskData } from './helpdesk/own-data.ts'
import { helpdeskRoutes } from './helpdesk/routes.ts'
import { serveTicketWatch } from './helpdesk/watch.ts'
import { serveImportReport } from './imports/report-file.ts'
import { serveInvoices } from './invoices/invoice-links.ts'
import { libraryData } from './library/own-data.ts'
import { libraryRoutes } from './library/routes.ts'
import { accountRoutes } from './membership/account-routes.ts'
import { type Asker, admit, doorRules, findAskerOrViewer, isOpen } from './membership/asker.ts'
import { serveExports } from './membership/export.ts'
import { joiningRoutes } from './membership/joining-routes.ts'
import { serveOutsideSignIn } from './membership/outside-sign-in.ts'
import { membershipData, type OwnData } from './membership/own-data.ts'
import { profileRoutes } from './membership/profile-routes.ts'
import { membershipRoutes } from './membership/routes.ts'
import { serveOneClick } from './newsletter/one-click.ts'
import { newsletterData } from './newsletter/own-data.ts'
import { newsletterRoutes } from './newsletter/routes.ts'
import { noticesData } from './notices/own-data.ts'
import { noticeRoutes } from './notices/routes.ts'
import { callerAddress, trustOf } from './platform/caller-address.ts'
import { serveHealth } from './platform/health.ts'
import { limitsIn } from './platform/limits.ts'
import { refuseRemoteCallers } from './platform/local-only.ts'
import { serveOpenApi } from './platform/openapi.ts'
import { Refusal } from './platform/refusal.ts'
import { projectRoot } from './platform/root.ts'
import { refuseOtherOrigins } from './platform/same-origin.ts'
import { type Call, type OnUndeclaredCode, refuse, serveCalls } from './platform/serve.ts'
import { SharedReplies } from './platform/shared-replies.ts'
import { CONNECTION_TIMEOUTS, closeSlowBodies } from './platform/slow-bodies.ts'
import { serveWeb } from './platform/web-files.ts'
import { serveMedia } from './player/media.ts'
import { playerData } from './player/own-data.ts'
import { playerRoutes } from './player/routes.ts'
import { serveFeeds } from './saved-searches/feed.ts'
import { savedSearchesData } from './saved-searches/own-data.ts'
import { savedSearchRoutes } from './saved-searches/routes.ts'
import { serveLogo } from './site/logo.ts'
import { dressing, serveTheme } from './site/looks.ts'
import { serveManifest } from './site/manifest.ts'
import { siteData } from './site/own-data.ts'
import { siteRoutes } from './site/routes.ts'
import { serveSitemap } from './site/sitemap.ts'
import { serveAuditFile } from './staff/audit-file.ts'
import { commerceRoutes } from './staff/commerce.ts'
import { serveCommerceFiles } from './staff/commerce-files.ts'
import { editingRoutes } from './staff/editing.ts'
import { genreUpkeepRoutes } from './staff/genre-upkeep.ts'
import { importRoutes } from './staff/imports.ts'
import { memberRoutes } from './staff/members.ts'
import { staffData } from './staff/notes.ts'
import { operationRoutes } from './staff/operations.ts'
import { paymentRoutes } from './staff/payments.ts'
import { programmingRoutes } from './staff/programming.ts'
import { staffRoutes } from './staff/routes.ts'
import { settingsRoutes } from './staff/settings.ts'
import { songUpkeepRoutes } from './staff/song-upkeep.ts'
import { songDeskRoutes } from './staff/songs.ts'
import { supportRoutes } from './staff/support.ts'
import { uploadReviewRoutes } from './staff/uploads.ts'
import { admitViewer } from './staff/viewing.ts'
import { uploadsData } from './uploads/own-data.ts'
import { serveResumable } from './uploads/resumable.ts'
import { uploadsRoutes } from './uploads/routes.ts'
import { serveUploadMedia } from './uploads/upload-media.ts'
import { serveUploadWatch } from './uploads/upload-watch.ts'
import type { World } from './world.ts'

/** What each room keeps about a member. */
const ownData: OwnData[] = [
  ...membershipData,
  ...noticesData,
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

/** Every call of every room. */
export const allCalls = (world: World): Call<Asker>[] => [
  ...membershipRoutes(world),
  ...accountRoutes(world, {
    parts: ownData,
    forgetPicture: (sha256) => forgetPicture(world, sha256),
    endPayments: (customerId) => endForGood(world, customerId),
  }),
  ...joiningRoutes(world, ownData),
  ...profileRoutes(world, (sha256) => forgetPicture(world, sha256)),
  ...noticeRoutes(world),
  ...billingRoutes(world),
  ...catalogueRoutes(world),
  ...playerRoutes(world),
  ...libraryRoutes(world),
  ...downloadsRoutes(world),
  ...uploadsRoutes(world),
  ...newsletterRoutes(world),
  ...savedSearchRoutes(world),
  ...helpdeskRoutes(world),
  ...siteRoutes(world),
  ...staffRoutes(world),
  ...paymentRoutes(world),
  ...commerceRoutes(world),
  ...uploadReviewRoutes(world),
  ...editingRoutes(world),
  ...supportRoutes(world),
  ...memberRoutes(world),
  ...operationRoutes(world),
  ...songUpkeepRoutes(world),
  ...genreUpkeepRoutes(world),
  ...importRoutes(world),
  ...settingsRoutes(world),
  ...songDeskRoutes(world),
  ...storageRoutes(world),
  ...deskRoutes(world),
  ...programmingRoutes(world),
]

/** On every reply; the page's own policy is in platform/web-files.ts. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), usb=()',
}

/** Once it was reached by TLS, a browser comes by nothing else for a year (RFC 6797); other names of the host are not ours. */
const TLS_ALONE = { 'strict-transport-security': 'max-age=31536000' }

/** Largest body of a call; files come in by other doors. */
const BODY_BYTES = 256 * 1024

/** Read at once: a connection that is closed later no longer has an address, and the audit log needs it. */
const keepAddress = (request: FastifyRequest) =>
  Object.defineProperty(request, 'ip', { value: callerAddress(request), enumerable: true })

export type AppOptions = {
  /** True while the process shuts down: the application is not ready then. */
  isLeaving?: () => boolean
  onUndeclaredCode?: OnUndeclaredCode
}

/** The web process's one application: calls, media, downloads and the built screens. */
export async function makeApp(world: World, options: AppOptions = {}): Promise<FastifyInstance> {
  const { isLeaving = () => false, onUndeclaredCode } = options
  const app = Fastify({
    loggerInstance: world.log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true }),
    bodyLimit: BODY_BYTES,
    ...CONNECTION_TIMEOUTS,
    trustProxy: trustOf(world.config.trustProxy),
    forceCloseConnections: 'idle',
    // A signed address carries what was asked for: two texts of 120 letters of three bytes each make 1100 of it.
    routerOptions: { maxParamLength: 2400 },
  })
  app.setErrorHandler((error, request, reply) => refuse(error, request, reply))
  app.setNotFoundHandler(() => {
    throw new Refusal('unknown_endpoint', 'Unknown API endpoint.')
  })
  await app.register(helmet, { global: false })
  await app.register(rateLimit, { global: false, store: limitsIn(world.sql) })
  await app.register(multipart)
  const headers = { ...HEADERS, ...(world.config.publicUrl.startsWith('https:') ? TLS_ALONE : {}) }
  app.addHook('onRequest', (request, reply, done) => {
    keepAddress(request)
    reply.headers(headers)
    // Whoever keeps a connection asks another process next.
    if (isLeaving()) reply.header('connection', 'close')
    done()
  })
  closeSlowBodies(app)
  refuseRemoteCallers(app, world.config, world.log)
  refuseOtherOrigins(app, world.config)
  const calls = allCalls(world)
  serveCalls(app, calls, {
    findAsker: (token) => findAskerOrViewer(world, token),
    answer: answersOf(world, allCalls),
    admit: (endpoint, asker) => {
      admit(endpoint, asker, doorRules(world))
      admitViewer(endpoint, asker)
    },
    isOpen: (access) => isOpen(access, world.settings),
    shared: new SharedReplies(),
    edition: () => world.settings.edition,
    onUndeclaredCode,
  })
  const { dataDir, backupDir, metricsToken } = world.config
  serveHealth(app, world, { gauges, isLeaving, metricsToken, folders: { data: dataDir, backups: backupDir } })
  serveOpenApi(
    app,
    calls.map((call) => call.endpoint),
  )
  servePictures(app, world)
  serveMedia(app, world)
  serveFiles(app, world)
  serveBundles(app, world)
  serveResumable(app, world)
  serveUploadMedia(app, world)
  serveUploadWatch(app, world)
  serveFeeds(app, world)
  serveTicketFiles(app, world)
  serveTicketWatch(app, world)
  serveOneClick(app, world)
  serveManifest(app, world)
  serveSitemap(app, world)
  serveTheme(app, world)
  serveLogo(app, world)
  serveInvoices(app, world)
  serveSandbox(app, world)
  serveWebhooks(app, world)
  serveInboundWebhook(app, world)
  serveExports(app, world, ownData)
  serveAuditFile(app, world)
  serveImportReport(app, world)
  serveCommerceFiles(app, world)
  serveFiguresFile(app, world)
  await serveOutsideSignIn(app, world)
  const built = path.join(projectRoot, 'web', 'dist')
  const isFramed = world.config.payments.stripe?.checkout === 'embedded'
  if (existsSync(built))
    await serveWeb(app, built, { dress: dressing(world), wider: isFramed ? FRAME_POLICY : undefined })
  return app
}
