import type pg from 'pg'
import type { AppContext } from './app-context.ts'
import { findRestoredOriginals } from './audio/originals.ts'
import { refreshPayloads } from './audio/payload-refresh.ts'
import { runQueuedBackup } from './backups/backup-jobs.ts'
import { queueScheduledBackup } from './backups/schedule.ts'
import { scrubFiles } from './backups/scrub.ts'
import { measureStorage } from './backups/storage-usage.ts'
import { refundDuplicates } from './billing/refunds.ts'
import { processDueSubscriptions, reconcile, sweepPaymentEvents } from './billing/renewals.ts'
import { deleteOldHours, rollUpDownloads, rollUpListens } from './catalogue/chart-rollups.ts'
import { refreshDueCharts } from './catalogue/chart-snapshots.ts'
import { rebuildAnchors } from './catalogue/lists.ts'
import { recountWords } from './catalogue/search-index.ts'
import { CRON_JOBS, type CronTask } from './cron.ts'
import { countMetrics, recountMetrics } from './dashboard/metric-days.ts'
import { sweepBundles } from './downloads/bundles.ts'
import { closeSentTransfers, sweepTransfers } from './downloads/transfers.ts'
import { CHECK_GATEWAYS_EVERY_MS, checkGatewaysDue } from './gateways/gateway-health.ts'
import { sweepUnsentFiles } from './helpdesk/files.ts'
import { startInboundMail } from './helpdesk/inbound-listeners.ts'
import { sweepInboundMail } from './helpdesk/inbound-mail.ts'
import { startImportLoop } from './imports/import-worker-loop.ts'
import { sweepSentFiles } from './imports/uploaded-files.ts'
import { mailReceipts } from './invoices/receipts.ts'
import { sweepPlaylists } from './library/own-playlists.ts'
import { processMailRequests } from './membership/mail-requests.ts'
import { sweepLinks } from './membership/mailed-links.ts'
import { sweepSessions } from './membership/session.ts'
import { sweepSignUps } from './membership/sign-up.ts'
import { sendDigests, sweepDigests } from './newsletter/digests.ts'
import { sweepUnconfirmed } from './newsletter/subscribers.ts'
import { sweepNotifications } from './notices/notifications.ts'
import { STALE_SECONDS, startHeartbeat } from './platform/heartbeat.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { sendDueMail, sweepMail } from './platform/outbox.ts'
import { sweepRates } from './platform/rate-counter.ts'
import { repeatEvery } from './platform/repeat-every.ts'
import { createMailer } from './platform/smtp.ts'
import { notifySavedSearches } from './saved-searches/search-notifications.ts'
import { refreshStore } from './site/store-refresh.ts'
import { startAnalysisLoop } from './uploads/analysis-loop.ts'
import { sweepUsage } from './uploads/analysis-usage.ts'
import { expireSongs, remindUploaders } from './uploads/expiry.ts'
import { sweepRemovedFiles } from './uploads/removed-files.ts'
import { sweepUnfinishedUploads } from './uploads/resumable.ts'

const ROLL_UP_MS = 3000
const ROLL_UP_BATCH = 5000
const MAIL_EVERY_MS = 2000
const PAYMENTS_EVERY_MS = 5000

export type Worker = {
  /** Returns why this worker does not work; undefined while it does. */
  findProblem(): string | undefined
  stop(): Promise<void>
}

/** Runs all background work until stopped. */
export async function startWorker(ctx: AppContext, pool: pg.Pool): Promise<Worker> {
  const { sql, log } = ctx
  const tasks: Record<CronTask | 'back_up', Job> = {
    back_up: async (payload, { abortSignal }) => runQueuedBackup(ctx, pool, { payload, signal: abortSignal }),
    count_figures: async () => countMetrics(sql, ctx.now()),
    recount_figures: async () => recountMetrics(sql, ctx.now()),
    measure_storage: async () => measureStorage(ctx),
    schedule_backup: async () => void (await queueScheduledBackup(ctx)),
    scrub_files: async (_payload, { abortSignal }) => scrubFiles(ctx, abortSignal),
    refresh_charts: async () => void (await refreshDueCharts(sql, ctx.now())),
    forget_hours: async () => deleteOldHours(sql, ctx.now()),
    reconcile_payments: async () => reconcile(ctx),
    recount_words: async () => recountWords(sql),
    rebuild_anchors: async () => rebuildAnchors(sql),
    find_returned_files: async () => findRestoredOriginals(ctx),
    close_sent_downloads: async () => closeSentTransfers(ctx),
    renew_bodies: async (_payload, { abortSignal }) => void (await refreshPayloads(ctx, abortSignal)),
    take_in_uploads: async () => sweepUnfinishedUploads(ctx),
    expire_songs: async () => {
      while (await expireSongs(ctx));
      while (await remindUploaders(ctx));
    },
    tell_saved_searches: async () => notifySavedSearches(ctx),
    refresh_store: async () => refreshStore(ctx),
    send_digests: async () => sendDigests(ctx),
    sweep: async () => {
      await sweepSessions(sql, ctx.config.staffIdleHours)
      await sweepSignUps(sql)
      await sweepLinks(sql)
      await sweepMail(sql)
      await sweepNotifications(sql)
      await sweepRates(sql)
      await sweepUnconfirmed(sql)
      await sweepDigests(sql)
      await sweepBundles(sql)
      await sweepTransfers(sql)
      await sweepPlaylists(sql)
      await sweepPaymentEvents(ctx)
      await sweepRemovedFiles(ctx)
      await sweepUsage(sql)
      await sweepUnsentFiles(ctx)
      await sweepInboundMail(sql)
      await sweepSentFiles(ctx)
    },
  }
  const crontab = CRON_JOBS.map(({ times, task }) => `${times} ${task}`).join('\n')
  const inboundMail = await startInboundMail(ctx)
  const jobs = await startJobs({ pool, tasks, crontab, log })
  const heartbeat = await startHeartbeat(sql, log)
  const rollUp = repeatEvery(ROLL_UP_MS, log, async () => {
    while ((await rollUpDownloads(sql, ROLL_UP_BATCH)) === ROLL_UP_BATCH);
    while ((await rollUpListens(sql, ROLL_UP_BATCH)) === ROLL_UP_BATCH);
  })
  const mail = startMailSender(ctx)
  const analysing = await startAnalysisLoop(ctx)
  const importing = startImportLoop(ctx)
  const payments = repeatEvery(PAYMENTS_EVERY_MS, log, async () => {
    while (await processDueSubscriptions(ctx));
    await refundDuplicates(ctx)
    await mailReceipts(ctx)
  })
  // The first check is at the start, so that wrong keys are found before anyone pays.
  const providers = repeatEvery(CHECK_GATEWAYS_EVERY_MS, log, () => checkGatewaysDue(ctx))
  // A pool that was empty or stopped gets its charts immediately, not at the next scheduled time.
  const first = refreshDueCharts(sql, ctx.now()).catch((error) => log.warn(error, 'Could not update the charts'))
  const metricsCount = countMetrics(sql, ctx.now()).catch((error) => log.warn(error, 'Could not update the metrics'))
  const store = refreshStore(ctx).catch((error) => log.warn(error, 'Could not sync products from Shopify'))
  const findProblem = () => {
    if (!jobs.isRunning()) return 'The job queue has stopped. Restart the worker.'
    if (heartbeat.age_ms() < STALE_SECONDS * 1000) return undefined
    return 'The database has not responded for a minute.'
  }
  return {
    findProblem,
    stop: async () => {
      await inboundMail.stop()
      await rollUp.stop()
      await payments.stop()
      await providers.stop()
      await mail.stop()
      await analysing.stop()
      await importing.stop()
      await first
      await metricsCount
      await store
      await jobs.stop()
      await heartbeat.stop()
    },
  }
}

/** Renders and sends due emails until stopped; emails being sent at a stop are finished first. */
function startMailSender(ctx: AppContext): { stop(): Promise<void> } {
  const mailer = createMailer(ctx)
  let isStopping = false
  const sendLoop = repeatEvery(MAIL_EVERY_MS, ctx.log, async () => {
    await processMailRequests(ctx)
    while ((await sendDueMail(ctx, mailer)) && !isStopping);
  })
  return {
    stop: async () => {
      isStopping = true
      await sendLoop.stop()
      mailer?.close()
    },
  }
}
