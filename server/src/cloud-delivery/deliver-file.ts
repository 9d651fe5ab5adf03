import { cloud } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { recordUnreadable } from '../downloads/conversions.ts'
import { OriginalReadError } from '../downloads/segments.ts'
import { isDatabaseUnavailable } from '../platform/db.ts'
import { closeFile, closeOpenFiles, completeFile } from './file-states.ts'
import { findExisting } from './find-existing.ts'
import { notifyOfFailure } from './notifications.ts'
import { countDownload, NotReadyError, type PreparedFile, prepareFile, UnsendableError } from './prepare-file.ts'
import { CloudError, type CloudProvider } from './provider.ts'
import { requireProvider } from './providers.ts'
import {
  expireConnection,
  extendLease,
  forgetUpload,
  type Lease,
  leaseConnection,
  pauseConnection,
  postponeFile,
  type QueuedFile,
  releaseLease,
  resetAttempts,
  takeFile,
} from './queue.ts'
import { findAccessToken, renewAccessToken } from './tokens.ts'
import { StoppedError, uploadFile } from './upload-file.ts'

const HEARTBEAT_MS = 15_000
/** Every 10 minutes, about a day. */
const MAX_ATTEMPTS = 150
const FIRST_DELAY_MS = 5000
const MAX_DELAY_MS = 600_000
/** An upload that has expired so often is given up on. */
const MAX_RESTARTS = 3

/**
 * Sends the next file of any member. Returns false if there is none that can be sent now. Safe to be killed at any point:
 * after the lease, a worker continues with what the provider has confirmed.
 */
export async function deliverNext(ctx: AppContext, signal: AbortSignal): Promise<boolean> {
  const lease = await leaseConnection(ctx)
  if (!lease) return false
  const heartbeat = setInterval(() => {
    extendLease(ctx.sql, lease).catch((error) => ctx.log.warn(error, 'Could not extend a lease'))
  }, HEARTBEAT_MS)
  try {
    const file = await takeFile(ctx.sql, lease)
    if (file) await deliverFile(ctx, lease, file, signal)
  } finally {
    clearInterval(heartbeat)
    await releaseLease(ctx.sql, lease)
  }
  return true
}

async function deliverFile(ctx: AppContext, lease: Lease, file: QueuedFile, signal: AbortSignal): Promise<void> {
  const provider = requireProvider(ctx, lease.provider)
  try {
    if (file.is_cancelled) throw new StoppedError('cancelled')
    const prepared = await prepareFile(ctx, lease.customer_id, file)
    await sendPrepared(ctx, { lease, file, prepared, provider, signal }).catch(async (error: unknown) => {
      if (!(error instanceof OriginalReadError)) throw error
      const isLost = await recordUnreadable(ctx, prepared.sourceFile, error)
      throw isLost
        ? new UnsendableError('The file is damaged on our side. This download wasn’t counted.')
        : new CloudError('unavailable', 'The storage of this pool did not respond.', { cause: error.cause })
    })
  } catch (error) {
    if (!signal.aborted) await handleError(ctx, lease, file, error)
  }
}

type Sending = {
  lease: Lease
  file: QueuedFile
  prepared: PreparedFile
  provider: CloudProvider
  signal: AbortSignal
}

/** Sends a file with a token that is renewed once if the provider does not accept it. */
async function sendPrepared(ctx: AppContext, sending: Sending): Promise<void> {
  const { lease, provider } = sending
  const token = await findAccessToken(ctx, provider, lease)
  try {
    await sendWithToken(ctx, sending, token)
  } catch (error) {
    if (!(error instanceof CloudError) || error.kind !== 'unauthorized') throw error
    const renewed = await renewAccessToken(ctx, provider, lease)
    await sendWithToken(ctx, { ...sending, file: await reloadFile(ctx, sending.file) }, renewed)
  }
}

/** What an attempt with an expired token has recorded. */
async function reloadFile({ sql }: AppContext, file: QueuedFile): Promise<QueuedFile> {
  const [row] = await sql<Pick<QueuedFile, 'etag' | 'upload' | 'sent_bytes' | 'download_id'>[]>`
    select etag, upload, sent_bytes, download_id from cloud_delivery_file
    where delivery_file_id = ${file.delivery_file_id}`
  if (!row) throw new StoppedError('lost')
  return { ...file, ...row }
}

async function sendWithToken(ctx: AppContext, sending: Sending, token: string): Promise<void> {
  const { lease, file, prepared, provider, signal } = sending
  const folder = provider.openFolder(token, ctx.settings.poolName, signal)
  const existing = await findExisting(ctx, { lease, file, prepared, folder, provider })
  if ('file' in existing) {
    // What was counted before it was found is an upload whose confirmation was lost.
    const state = file.download_id === null ? 'already_there' : 'sent'
    return finishFile(ctx, lease, { ...file, etag: prepared.tagged.etag }, { state, file: existing.file })
  }
  const download_id = await countDownload(ctx, file, prepared)
  const remote = await uploadFile(ctx, {
    ...{ lease, file, folder, provider, signal },
    prepared: { ...prepared, target: existing.target },
  })
  await finishFile(ctx, lease, { ...file, download_id, etag: prepared.tagged.etag }, { state: 'sent', file: remote })
}

async function finishFile(
  ctx: AppContext,
  lease: Lease,
  file: QueuedFile,
  arrived: Parameters<typeof completeFile>[2],
): Promise<void> {
  await ctx.sql.begin((sql) => completeFile(sql, file, arrived))
  await resetAttempts(ctx.sql, lease)
}

async function handleError(ctx: AppContext, lease: Lease, file: QueuedFile, error: unknown): Promise<void> {
  const { sql } = ctx
  const { delivery_file_id } = file
  const fail = (reason: string) => failFile(ctx, lease, file, reason)
  if (error instanceof UnsendableError) return fail(error.message)
  if (error instanceof NotReadyError)
    return void (await postponeFile(sql, file, { seconds: error.seconds, reason: error.message }))
  if (error instanceof StoppedError) {
    if (error.reason === 'cancelled')
      await sql.begin((sql) => closeFile(sql, delivery_file_id, { state: 'cancelled', reason: null }))
    return
  }
  if (!(error instanceof CloudError)) {
    if (isDatabaseUnavailable(error)) throw error
    ctx.log.error(error, 'A file could not be sent to cloud storage')
    return fail('Something went wrong on our side. This download wasn’t counted. Try again later.')
  }
  ctx.log.warn({ provider: lease.provider, delivery_file_id, reason: error.message }, 'Sending to cloud storage failed')
  return handleCloudError(ctx, lease, file, error)
}

async function handleCloudError(ctx: AppContext, lease: Lease, file: QueuedFile, error: CloudError): Promise<void> {
  const { sql } = ctx
  const name = cloud.CLOUD_NAMES[lease.provider]
  const failAll = (reason: string, isExpired = false) =>
    sql.begin(async (sql) => {
      await closeOpenFiles(sql, lease.connection_id, { state: 'failed', reason })
      if (isExpired) await expireConnection(sql, lease)
      await notifyOfFailure(sql, lease, isExpired)
    })
  switch (error.kind) {
    case 'unauthorized':
    case 'revoked':
      return failAll(`${name} no longer accepts the connection. Connect it again, then try again.`, true)
    case 'full':
      return failAll(`Your ${name} is full. Make space, then try again.`)
    case 'upload_expired':
      if (file.restarts < MAX_RESTARTS) return void (await forgetUpload(sql, file))
      return failFile(ctx, lease, file, `${name} discarded the upload several times. Try again later.`)
    case 'rejected':
      return failFile(ctx, lease, file, `${name} didn’t accept this file. Details: ${error.message}`)
    case 'unavailable':
    case 'rate_limited': {
      if (lease.attempts >= MAX_ATTEMPTS) return failAll(`${name} couldn’t be reached for a day. Try again later.`)
      const problem = error.kind === 'rate_limited' ? `${name} asked for a pause.` : `${name} isn’t responding.`
      await pauseConnection(sql, lease, {
        delay_ms: delayOf(lease, error),
        problem: `${problem} Sending continues on its own.`,
      })
    }
  }
}

const failFile = ({ sql }: AppContext, lease: Lease, { delivery_file_id }: QueuedFile, reason: string) =>
  sql.begin(async (sql) => {
    await closeFile(sql, delivery_file_id, { state: 'failed', reason })
    await notifyOfFailure(sql, lease, false)
  })

/** What the provider asks for, otherwise twice as long after each error. */
const delayOf = ({ attempts }: Lease, { retryAfter_ms }: CloudError): number =>
  Math.min(MAX_DELAY_MS, Math.max(retryAfter_ms ?? 0, retryAfter_ms === undefined ? FIRST_DELAY_MS * 2 ** attempts : 0))
