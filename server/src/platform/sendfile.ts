import path from 'node:path'
import type { FastifyRequest } from 'fastify'
import { createTrustCheck } from './caller-address.ts'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { Outage } from './outage.ts'
import type { ByteRange } from './send-bytes.ts'

/** A program in front of this process that can send files of DATA_DIR/media by itself. */
export type FrontServer = Exclude<Config['sendfile'], 'off'>

/** The header in which a front server offers to send files, and its value: the names are those of Rack::Sendfile. */
const OFFER_HEADER = 'x-sendfile-type'
const OFFERS: Record<FrontServer, string> = { nginx: 'X-Accel-Redirect', apache: 'X-Sendfile' }

/** Sent by deploy/nginx-sendfile.conf with a request whose file nginx could not open. */
export const FAILED_HEADER = 'x-sendfile-failed'

const unreadable = new Outage('The front server cannot read DATA_DIR/media, so this process sends the files')

const UNREADABLE_ADVICE =
  'Give the account of the front server read access: see “Downloads behind nginx or Apache” in docs/operating.md.'

type SendfileContext = { config: Pick<Config, 'sendfile' | 'bucket' | 'dataDir'>; log: Log }

/**
 * Returns the front server that offers to send files for this request; undefined if this process sends them. The offer
 * must come with a visitor's address from a trusted proxy: a visitor who connects directly would get an empty body.
 */
export function frontServerOf({ config, log }: SendfileContext, request: FastifyRequest): FrontServer | undefined {
  const { sendfile, bucket } = config
  if (sendfile === 'off' || bucket || request.method !== 'GET') return undefined
  if (request.headers[OFFER_HEADER] !== OFFERS[sendfile] || !isForwarded(request)) return undefined
  if (!request.headers[FAILED_HEADER]) return sendfile
  unreadable.failed(log, new Error(UNREADABLE_ADVICE))
  return undefined
}

/** Fastify lists the addresses of trusted proxies before that of the visitor. */
const isForwarded = ({ ips = [] }: FastifyRequest): boolean => ips.length > 1

/** Returns whether a front server calls on its own behalf, and not for a visitor. */
export function createFrontServerCheck({
  trustProxy,
}: Pick<Config, 'trustProxy'>): (request: FastifyRequest) => boolean {
  const isTrusted = createTrustCheck(trustProxy)
  return ({ raw }) =>
    raw.headers['x-forwarded-for'] === undefined &&
    raw.headers.forwarded === undefined &&
    isTrusted(raw.socket.remoteAddress ?? '', 0)
}

/** A file that a front server sends: its path within DATA_DIR/media, and the token of the report about its end. */
export type HandedOver = { file: string; reportToken?: string }

/** Where deploy/nginx-sendfile.conf has DATA_DIR/media: with and without a report about the end. */
const NGINX_LOCATIONS = { reported: '/_dubplate/downloads/', unreported: '/_dubplate/media/' }

/** Letters and digits in folders: such a path leads to no other folder and needs no encoding. */
const PLAIN_PATH = /^[a-z0-9]+(\/[a-z0-9]+)+(\.[a-z0-9]+)?$/

/** Returns the headers that make the front server send a file. Throws if the path could lead to another folder. */
export function sendfileHeaders(
  { dataDir }: Pick<Config, 'dataDir'>,
  frontServer: FrontServer,
  { file, reportToken }: HandedOver,
): Record<string, string> {
  if (!PLAIN_PATH.test(file)) throw new Error(`Unexpected path of a stored file: ${file}`)
  if (frontServer === 'apache') return { 'x-sendfile': path.join(dataDir, 'media', file) }
  if (reportToken === undefined) return { 'x-accel-redirect': `${NGINX_LOCATIONS.unreported}${file}` }
  return { 'x-accel-redirect': `${NGINX_LOCATIONS.reported}${file}`, 'x-transfer': reportToken }
}

/**
 * Lets the front server of this request send a whole stored file, without a report about its end; undefined if this
 * process sends it.
 */
export function handOverFile(
  ctx: SendfileContext,
  request: FastifyRequest,
  file: string,
): ((range: ByteRange) => Promise<Record<string, string>>) | undefined {
  const frontServer = frontServerOf(ctx, request)
  return frontServer && (async () => sendfileHeaders(ctx.config, frontServer, { file }))
}
