import { once } from 'node:events'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { AppContext } from '../app-context.ts'
import { ConfigError } from '../platform/config.ts'
import type { InboundSmtp } from '../platform/inbound-config.ts'
import { isTransientError, MAX_MAIL_BYTES, processInboundMail, type Verdict } from './inbound-mail.ts'
import { isInboundAddress } from './mail-address.ts'

const MAX_CLIENTS = 50
/** Limit for all emails in progress together. Above it, the sender is asked to retry later. */
const MAX_PENDING_BYTES = 4 * MAX_MAIL_BYTES
const IDLE_TIMEOUT_MS = 60_000
/** How long a stopping process waits for emails in progress. */
const STOP_TIMEOUT_MS = 10_000
/** Another worker on this machine may have the port; when it ends, this one takes over. */
const RETRY_DELAY_MS = 15_000

/** The verdicts that reject an email. Others are accepted silently, so that senders get no response. */
const REJECTION_MESSAGES: Partial<Record<Verdict, string>> = {
  unknown: 'Ticket not found. Please contact support from your account',
  unknown_sender: 'Replies are only accepted from the email address of the account that opened the ticket',
  empty: 'This email contains only quoted text. Please write your reply and send it again',
  too_many: 'Too many emails for this ticket (limit: 20 per hour). Please wait or reply on the ticket page',
}

/** A rejection with an SMTP reply code (RFC 5321, 4.2.3). */
const smtpError = (responseCode: number, sentence: string): Error =>
  Object.assign(new Error(sentence), { responseCode })

export type SmtpListener = { port: number; stop(): Promise<void> }

/** The emails a listener is receiving. */
type IntakeState = { emails: Set<Promise<void>>; bytes: number; maxBytes: number; isStopping: boolean }

/**
 * Listens for mail by SMTP, for the inbound address only. Replies 250 once the mail is stored, and 451 while it cannot
 * be stored. Throws ConfigError if it cannot listen; a port that is in use is retried.
 */
export async function listenForMail(
  ctx: AppContext,
  smtp: InboundSmtp,
  { maxBytes = MAX_PENDING_BYTES, retryDelayMs = RETRY_DELAY_MS }: { maxBytes?: number; retryDelayMs?: number } = {},
): Promise<SmtpListener> {
  const intake: IntakeState = { emails: new Set(), bytes: 0, maxBytes, isStopping: false }
  const server = createSmtpServer(ctx, smtp, intake)
  server.on('error', (error) => ctx.log.debug({ err: error }, 'Inbound SMTP connection closed unexpectedly'))
  const listening = await listenWithRetry(ctx, server, smtp, retryDelayMs)
  return {
    port: (server.server.address() as { port: number } | null)?.port ?? smtp.port,
    stop: async () => {
      intake.isStopping = true
      listening.stop()
      await Promise.race([
        Promise.all(intake.emails),
        new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref()),
      ])
      await new Promise<void>((resolve) => server.close(resolve))
    },
  }
}

const createSmtpServer = (ctx: AppContext, { tls }: InboundSmtp, intake: IntakeState): SMTPServer =>
  new SMTPServer({
    name: new URL(ctx.config.publicUrl).hostname,
    get banner() {
      return ctx.settings.poolName.replace(/[^\x20-\x7e]/g, '')
    },
    size: MAX_MAIL_BYTES,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', ...(tls ? [] : ['STARTTLS'])],
    ...tls,
    disableReverseLookup: true,
    maxClients: MAX_CLIENTS,
    // A mail to two tickets counts as two: the sending server delivers it once for each recipient.
    maxRecipients: 1,
    socketTimeout: IDLE_TIMEOUT_MS,
    closeTimeout: 50,
    logger: false,
    onMailFrom: (_address, _session, done) =>
      done(intake.isStopping ? smtpError(421, 'The server is shutting down. Try again later') : null),
    onRcptTo: ({ address }, _session, done) =>
      done(isInboundAddress(ctx, address) ? null : smtpError(550, 'This address does not accept mail')),
    onData: (stream, session, done) => {
      const mail = ingestMessage(ctx, stream, session, intake).then(() => done(), done)
      intake.emails.add(mail)
      void mail.finally(() => intake.emails.delete(mail))
    },
  })

/** Throws the SMTP response, unless the email was recorded. */
async function ingestMessage(
  ctx: AppContext,
  stream: SMTPServerDataStream,
  { envelope, remoteAddress }: SMTPServerSession,
  intake: IntakeState,
): Promise<void> {
  const chunks: Buffer[] = []
  try {
    await collectStream(chunks, stream, intake)
    const to = envelope.rcptTo.map(({ address }) => address)
    const returnPath = envelope.mailFrom ? envelope.mailFrom.address : ''
    const rejectionMessage =
      REJECTION_MESSAGES[await processInboundMail(ctx, { raw: Buffer.concat(chunks), to, returnPath })]
    if (rejectionMessage) throw smtpError(550, rejectionMessage)
  } catch (error) {
    if ((error as { responseCode?: number }).responseCode) throw error
    const level = stream.destroyed && !stream.readableEnded ? 'debug' : isTransientError(error) ? 'warn' : 'error'
    ctx.log[level]({ err: error, remoteAddress }, 'Could not process an inbound email')
    throw smtpError(451, 'Temporary failure. Try again later')
  } finally {
    intake.bytes -= totalBytes(chunks)
  }
}

/** Reads an email to its end. One that is too large is discarded, and rejected once its end has arrived. */
async function collectStream(chunks: Buffer[], stream: SMTPServerDataStream, intake: IntakeState): Promise<void> {
  let isFull = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    isFull ||= intake.bytes + chunk.length > intake.maxBytes
    if (isFull || stream.sizeExceeded) intake.bytes -= totalBytes(chunks.splice(0))
    else {
      chunks.push(chunk)
      intake.bytes += chunk.length
    }
  }
  if (stream.sizeExceeded) throw smtpError(552, `Message too large. The limit is ${MAX_MAIL_BYTES / 1024 / 1024} MB`)
  if (isFull) throw smtpError(451, 'Too many messages right now. Try again later')
}

const totalBytes = (chunks: Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

/** Listens on the port, and retries until it is free when it is in use. */
async function listenWithRetry(
  ctx: AppContext,
  server: SMTPServer,
  { host, port }: InboundSmtp,
  retryDelayMs: number,
): Promise<{ stop(): void }> {
  const tcp = server.server
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const listen = async () => {
    tcp.listen(port, host)
    await once(tcp, 'listening')
  }
  const retryListen = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      listen().then(() => ctx.log.info({ host, port }, 'Inbound SMTP server started'), retryListen)
    }, retryDelayMs)
  }
  await listen().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') {
      throw new ConfigError(`Invalid INBOUND_SMTP_HOST="${host}" or INBOUND_SMTP_PORT="${port}": ${error.message}.`)
    }
    ctx.log.error({ host, port }, 'Inbound SMTP port is in use by another worker or program; will keep retrying')
    retryListen()
  })
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
