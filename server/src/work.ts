import type pg from 'pg'
import { renewBodies } from './audio/body-renewal.ts'
import { findRestoredOriginals } from './audio/originals.ts'
import { makeAskedBackup } from './backups/back-up-now.ts'
import { measureStorage } from './backups/measuring.ts'
import { queueScheduledBackup } from './backups/schedule.ts'
import { scrubFiles } from './backups/scrub.ts'
import { returnDoubles } from './billing/refunds.ts'
import { lookAtDue, reconcile, sweepPaymentEvents } from './billing/renewals.ts'
import { foldDownloads, foldListens, forgetHours } from './catalogue/chart-rollups.ts'
import { refreshDueCharts } from './catalogue/chart-snapshots.ts'
import { rebuildAnchors } from './catalogue/lists.ts'
import { recountWords } from './catalogue/search-index.ts'
import { countFigures, recountFigures } from './desk/figure-days.ts'
import { sweepBundles } from './downloads/bundles.ts'
import { closeSentTransfers, sweepTransfers } from './downloads/transfers.ts'
import { CHECK_GATEWAYS_EVERY_MS, checkGatewaysDue } from './gateways/gateway-health.ts'
import { sweepUnsent } from './helpdesk/files.ts'
import { openMailDoors } from './helpdesk/inbound-doors.ts'
import { sweepInboundMail } from './helpdesk/inbound-mail.ts'
import { startImporting } from './imports/import-loop.ts'
import { sweepSent } from './imports/sent-files.ts'
import { mailReceipts } from './invoices/receipts.ts'
import { sweepPlaylists } from './library/own-playlists.ts'
import { answerMailRequests } from './membership/mail-requests.ts'
import { sweepLinks } from './membership/mailed-links.ts'
import { sweepSessions } from './membership/session.ts'
import { sweepSignUps } from './membership/sign-up.ts'
import { sendDigests, sweepDigests } from './newsletter/digests.ts'
import { sweepUnconfirmed } from './newsletter/subscribers.ts'
import { sweepNotices } from './notices/notices.ts'
import { STALE_SECONDS, startHeartbeat } from './platform/heartbeat.ts'
import { type Job, startJobs } from './platform/jobs.ts'
import { sendDueMail, sweepMail } from './platform/outbox.ts'
import { sweepRates } from './platform/rate.ts'
import { repeat } from './platform/repeat.ts'
import { openPost } from './platform/smtp.ts'
import { tellSavedSearches } from './saved-searches/telling.ts'
import { refreshStore } from './site/store-refresh.ts'
import { type Task, TIMETABLE } from './timetable.ts'
import { startAnalysing } from './uploads/analysis-loop.ts'
import { sweepUsage } from './uploads/analysis-usage.ts'
import { expireSongs, remindUploaders } from './uploads/expiry.ts'
import { sweepRemoved } from './uploads/removed-files.ts'
import { sweepUnfinished } from './uploads/resumable.ts'
import type { World } from './world.ts'

const FOLD_EVERY_MS = 3000
const FOLD_AT_ONCE = 5000
const MAIL_EVERY_MS = 2000
const PAYMENTS_EVERY_MS = 5000

export type Work = {
  /** Why this worker does not work; undefined while it does. */
  findProblem(): string | undefined
  stop(): Promise<void>
}

/** Everything that runs beside the requests, until stopped. */
export async function startWork(world: World, pool: pg.Pool): Promise<Work> {
  const { sql, log } = world
  const tasks: Record<Task | 'back_up', Job> = {
    back_up: async (payload, { abortSignal }) => makeAskedBackup(world, pool, { payload, signal: abortSignal }),
    count_figures: async () => countFigures(sql, world.now()),
    recount_figures: async () => recountFigures(sql, world.now()),
    measure_storage: async () => measureStorage(world),
    schedule_backup: async () => void (await queueScheduledBackup(world)),
    scrub_files: async (_payload, { abortSignal }) => scrubFiles(world, abortSignal),
    refresh_charts: async () => void (await refreshDueCharts(sql, world.now())),
    forget_hours: async () => forgetHours(sql, world.now()),
    reconcile_payments: async () => reconcile(world),
    recount_words: async () => recountWords(sql),
    rebuild_anchors: async () => rebuildAnchors(sql),
    find_returned_files: async () => findRestoredOriginals(world),
    close_sent_downloads: async () => closeSentTransfers(world),
    renew_bodies: async (_payload, { abortSignal }) => void (await renewBodies(world, abortSignal)),
    take_in_uploads: async () => sweepUnfinished(world),
    expire_songs: async () => {
      while (await expireSongs(world));
      while (await remindUploaders(world));
    },
    tell_saved_searches: async () => tellSavedSearches(world),
    refresh_store: async () => refreshStore(world),
    send_digests: async () => sendDigests(world),
    sweep: async () => {
      await sweepSessions(sql, world.config.staffIdleHours)
      await sweepSignUps(sql)
      await sweepLinks(sql)
      await sweepMail(sql)
      await sweepNotices(sql)
      await sweepRates(sql)
      await sweepUnconfirmed(sql)
      await sweepDigests(sql)
      await sweepBundles(sql)
      await sweepTransfers(sql)
      await sweepPlaylists(sql)
      await sweepPaymentEvents(world)
      await sweepRemoved(world)
      await sweepUsage(sql)
      await sweepUnsent(world)
      await sweepInboundMail(sql)
      await sweepSent(world)
    },
  }
  const crontab = TIMETABLE.map(({ times, task }) => `${times} ${task}`).join('\n')
  const mailDoors = await openMailDoors(world)
  const jobs = await startJobs({ pool, tasks, crontab, log })
  const heartbeat = await startHeartbeat(sql, log)
  const fold = repeat(FOLD_EVERY_MS, log, async () => {
    while ((await foldDownloads(sql, FOLD_AT_ONCE)) === FOLD_AT_ONCE);
    while ((await foldListens(sql, FOLD_AT_ONCE)) === FOLD_AT_ONCE);
  })
  const mail = postMail(world)
  const analysing = await startAnalysing(world)
  const importing = startImporting(world)
  const payments = repeat(PAYMENTS_EVERY_MS, log, async () => {
    while (await lookAtDue(world));
    await returnDoubles(world)
    await mailReceipts(world)
  })
  // The first turn is at the start: wrong keys are known before anyone wants to pay.
  const providers = repeat(CHECK_GATEWAYS_EVERY_MS, log, () => checkGatewaysDue(world))
  // A pool that was empty or away has its charts at once, not when the clock next asks.
  const first = refreshDueCharts(sql, world.now()).catch((error) => log.warn(error, 'Could not update the charts'))
  const figures = countFigures(sql, world.now()).catch((error) => log.warn(error, 'Could not update the metrics'))
  const store = refreshStore(world).catch((error) => log.warn(error, 'Could not sync products from Shopify'))
  const findProblem = () => {
    if (!jobs.isRunning()) return 'The job queue has stopped. Restart the worker.'
    if (heartbeat.age_ms() < STALE_SECONDS * 1000) return undefined
    return 'The database has not answered for a minute.'
  }
  return {
    findProblem,
    stop: async () => {
      await mailDoors.stop()
      await fold.stop()
      await payments.stop()
      await providers.stop()
      await mail.stop()
      await analysing.stop()
      await importing.stop()
      await first
      await figures
      await store
      await jobs.stop()
      await heartbeat.stop()
    },
  }
}

/** Writes the letters somebody asked for, and sends what is due, until stopped; what is on its way then arrives first. */
function postMail(world: World): { stop(): Promise<void> } {
  const post = openPost(world)
  let isStopping = false
  const turns = repeat(MAIL_EVERY_MS, world.log, async () => {
    await answerMailRequests(world)
    while ((await sendDueMail(world, post)) && !isStopping);
  })
  return {
    stop: async () => {
      isStopping = true
      await turns.stop()
      post?.close()
    },
  }
}
