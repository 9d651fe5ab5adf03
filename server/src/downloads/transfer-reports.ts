import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { AppContext } from '../app-context.ts'
import { ApiError } from '../platform/api-error.ts'
import type { ByteRange } from '../platform/send-bytes.ts'
import { createFrontServerCheck, FAILED_HEADER } from '../platform/sendfile.ts'
import type { Link } from './links.ts'
import { type BytesToReserve, completeTransfer, reservedBytes } from './transfers.ts'

/** nginx requests it once a transfer has ended, however it ended: see deploy/nginx-sendfile.conf. */
export const TRANSFER_REPORT_PATH = '/internal/transfer-ended'

const SIGNING_PURPOSE = 'transfer-report'
/** The report of a transfer that takes longer is not accepted: its download is no longer in progress. */
const REPORT_HOURS = 24

/**
 * Reserves the bytes of a request that the front server sends, and returns the token for the report about its end.
 * Undefined if the front server must not send them: they are more than the link allows, or its earlier transfers that
 * were not reported, together with this one, are more than one file. A lost report thus costs a download at most one of
 * its two copies.
 */
export async function reserveReported(
  { sql, signing, now }: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  toReserve: BytesToReserve,
  { from, to }: ByteRange,
): Promise<string | undefined> {
  const { link, length } = toReserve
  const [report] = await sql<{ report_id: number }[]>`
    with ${reservedBytes(
      sql,
      toReserve,
      sql`
      and (select coalesce(sum(r.end_byte - r.first_byte), 0) from transfer_report r join download_link l using (link_id)
        where l.transfer_id = t.transfer_id) + ${to - from} <= ${length}`,
    )}
    insert into transfer_report (link_id, first_byte, end_byte, length)
    select ${link.link_id}, ${from}, ${to}, ${length} from reserved returning report_id`
  if (!report) return undefined
  const endsAt = new Date(now().getTime() + REPORT_HOURS * 3_600_000)
  return signing.sign(SIGNING_PURPOSE, [report.report_id], endsAt)
}

type ReportedEnd = {
  /** How many bytes were passed to the network. */
  sent: number
  isFinished: boolean
}

/**
 * Records the end of a transfer: releases what was not sent, and completes the download when the link has sent every
 * byte. A second report about the same transfer has no effect. Throws `invalid_link` and `link_expired`.
 */
async function endReported(
  { sql, signing, now }: Pick<AppContext, 'sql' | 'signing' | 'now'>,
  token: string,
  { sent, isFinished }: ReportedEnd,
): Promise<void> {
  const [reportId = ''] = signing.open(SIGNING_PURPOSE, token, now())
  const [ended] = await sql<(Pick<Link, 'download_id' | 'bundle_id'> & { is_whole: boolean })[]>`
    with report as (
      delete from transfer_report where report_id = ${Number(reportId)}
      returning link_id, first_byte, end_byte, length, least(${sent}::bigint, end_byte - first_byte) as sent),
    link as (
      update download_link l set sent_at = now(),
        sent = l.sent + int8multirange(int8range(report.first_byte, report.first_byte + report.sent))
      from report where l.link_id = report.link_id
      returning l.transfer_id, l.sent @> int8range(0, report.length) as is_whole,
        report.end_byte - report.first_byte - report.sent as unsent)
    update download_transfer t set sent_bytes = greatest(0, t.sent_bytes - link.unsent), sent_at = now() from link
    where t.transfer_id = link.transfer_id returning t.download_id, t.bundle_id, link.is_whole`
  if (ended?.is_whole && isFinished) await completeTransfer(sql, ended)
}

/** POST /internal/transfer-ended: for nginx alone, which connects without a visitor's address. */
export function serveTransferReports(app: FastifyInstance, ctx: AppContext): void {
  if (ctx.config.sendfile !== 'nginx') return
  const isFrontServer = createFrontServerCheck(ctx.config)
  app.post(TRANSFER_REPORT_PATH, (request, reply) => {
    if (!isFrontServer(request)) throw new ApiError('unknown_endpoint', 'Unknown API endpoint.')
    return receiveReport(ctx, request, reply)
  })
}

async function receiveReport(ctx: AppContext, { headers }: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> {
  const isSent = headers['x-transfer-status'] === '200' || headers['x-transfer-status'] === '206'
  const sent = Number(headers['x-transfer-bytes'])
  // Anything else is an error page instead of the file.
  await endReported(ctx, String(headers['x-transfer']), {
    sent: isSent && Number.isSafeInteger(sent) && sent > 0 ? sent : 0,
    isFinished: headers['x-transfer-completion'] === 'OK',
  })
  return reply.code(204).send()
}

/** Releases the bytes of a file that nginx could not open, when it sends the request again. */
export async function releaseFailed(ctx: AppContext, { headers }: FastifyRequest): Promise<void> {
  const token = headers[FAILED_HEADER]
  if (ctx.config.sendfile !== 'nginx' || typeof token !== 'string' || token === '') return
  await endReported(ctx, token, { sent: 0, isFinished: false })
}

/**
 * Deletes transfers whose end was never reported, for example because nginx crashed: their bytes remain counted as
 * sent, and their downloads are no longer in progress.
 */
export async function sweepTransferReports({ sql, log }: Pick<AppContext, 'sql' | 'log'>): Promise<void> {
  const lost = await sql`
    delete from transfer_report where created_at < now() - make_interval(hours => ${REPORT_HOURS}) returning 1`
  if (lost.length === 0) return
  log.warn(
    { transfers: lost.length },
    'nginx did not report the end of some downloads within 24 hours. If this happens every day, compare its configuration with deploy/nginx-sendfile.conf.',
  )
}
