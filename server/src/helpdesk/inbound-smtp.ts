import { once } from 'node:events'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import { ConfigError } from '../platform/config.ts'
import type { InboundSmtp } from '../platform/inbound-config.ts'
import type { World } from '../world.ts'
import { isPassing, LARGEST_MAIL_BYTES, takeInMail, type Verdict } from './inbound-mail.ts'
import { isInboundAddress } from './mail-address.ts'

const MOST_CLIENTS = 50
/** Of all mails that are under way at once; another one is asked to come back. */
const MOST_BYTES = 4 * LARGEST_MAIL_BYTES
const SILENCE_MS = 60_000
/** So long a stopping process waits for mails under way. */
const STOP_WITHIN_MS = 10_000
/** Another worker on this machine may have the port; when it ends, this one takes over. */
const TRY_AGAIN_MS = 15_000

/** Why a mail is sent back. The others are taken, so that their senders hear nothing. */
const SENT_BACK: Partial<Record<Verdict, string>> = {
  unknown: 'Ticket not found. Please contact support from your account',
  stranger: 'Replies are only accepted from the email address of the account that opened the ticket',
  empty: 'This email contains only quoted text. Please write your reply and send it again',
  too_many: 'Too many emails for this ticket (limit: 20 per hour). Please wait or reply on the ticket page',
}

/** A no that SMTP says with a code of its own (RFC 5321, 4.2.3). */
const no = (responseCode: number, sentence: string): Error => Object.assign(new Error(sentence), { responseCode })

export type SmtpDoor = { port: number; stop(): Promise<void> }

/** What a listener has under way. */
type Turn = { mails: Set<Promise<void>>; bytes: number; mostBytes: number; isStopping: boolean }

/**
 * Listens for mail by SMTP, for the inbound address alone. A mail is answered with 250 once it is written down, with 451
 * while we cannot. Throws ConfigError where it cannot listen; a port that somebody else has is tried again.
 */
export async function listenForMail(
  world: World,
  smtp: InboundSmtp,
  { mostBytes = MOST_BYTES, tryAgainMs = TRY_AGAIN_MS }: { mostBytes?: number; tryAgainMs?: number } = {},
): Promise<SmtpDoor> {
  const turn: Turn = { mails: new Set(), bytes: 0, mostBytes, isStopping: false }
  const server = makeServer(world, smtp, turn)
  server.on('error', (error) => world.log.debug({ err: error }, 'Inbound SMTP connection closed unexpectedly'))
  const listening = await keepListening(world, server, smtp, tryAgainMs)
  return {
    port: (server.server.address() as { port: number } | null)?.port ?? smtp.port,
    stop: async () => {
      turn.isStopping = true
      listening.stop()
      await Promise.race([Promise.all(turn.mails), new Promise((late) => setTimeout(late, STOP_WITHIN_MS).unref())])
      await new Promise<void>((closed) => server.close(closed))
    },
  }
}

const makeServer = (world: World, { tls }: InboundSmtp, turn: Turn): SMTPServer =>
  new SMTPServer({
    name: new URL(world.config.publicUrl).hostname,
    get banner() {
      return world.settings.poolName.replace(/[^\x20-\x7e]/g, '')
    },
    size: LARGEST_MAIL_BYTES,
    rejectOversized: true,
    authOptional: true,
    disabledCommands: ['AUTH', 'WIZ', 'SHELL', ...(tls ? [] : ['STARTTLS'])],
    ...tls,
    disableReverseLookup: true,
    maxClients: MOST_CLIENTS,
    // A mail to two tickets is two: whoever sends it hands it over once for each.
    maxRecipients: 1,
    socketTimeout: SILENCE_MS,
    closeTimeout: 50,
    logger: false,
    onMailFrom: (_address, _session, done) =>
      done(turn.isStopping ? no(421, 'The server is shutting down. Try again later') : null),
    onRcptTo: ({ address }, _session, done) =>
      done(isInboundAddress(world, address) ? null : no(550, 'This address does not accept mail')),
    onData: (stream, session, done) => {
      const mail = takeIn(world, stream, session, turn).then(() => done(), done)
      turn.mails.add(mail)
      void mail.finally(() => turn.mails.delete(mail))
    },
  })

/** Throws what is to be said, unless it was written down. */
async function takeIn(
  world: World,
  stream: SMTPServerDataStream,
  { envelope, remoteAddress }: SMTPServerSession,
  turn: Turn,
): Promise<void> {
  const chunks: Buffer[] = []
  try {
    await readInto(chunks, stream, turn)
    const to = envelope.rcptTo.map(({ address }) => address)
    const returnPath = envelope.mailFrom ? envelope.mailFrom.address : ''
    const sentBack = SENT_BACK[await takeInMail(world, { raw: Buffer.concat(chunks), to, returnPath })]
    if (sentBack) throw no(550, sentBack)
  } catch (error) {
    if ((error as { responseCode?: number }).responseCode) throw error
    const level = stream.destroyed && !stream.readableEnded ? 'debug' : isPassing(error) ? 'warn' : 'error'
    world.log[level]({ err: error, remoteAddress }, 'Could not process an inbound email')
    throw no(451, 'Temporary failure. Try again later')
  } finally {
    turn.bytes -= bytesOf(chunks)
  }
}

/** Reads a mail to its end. What is too much is let go of, and said once the end has come. */
async function readInto(chunks: Buffer[], stream: SMTPServerDataStream, turn: Turn): Promise<void> {
  let isFull = false
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    isFull ||= turn.bytes + chunk.length > turn.mostBytes
    if (isFull || stream.sizeExceeded) turn.bytes -= bytesOf(chunks.splice(0))
    else {
      chunks.push(chunk)
      turn.bytes += chunk.length
    }
  }
  if (stream.sizeExceeded) throw no(552, `Message too large. The limit is ${LARGEST_MAIL_BYTES / 1024 / 1024} MB`)
  if (isFull) throw no(451, 'Too many messages right now. Try again later')
}

const bytesOf = (chunks: Buffer[]): number => chunks.reduce((sum, { length }) => sum + length, 0)

/** Listens; where the port is taken, again and again until it is free. */
async function keepListening(
  world: World,
  server: SMTPServer,
  { host, port }: InboundSmtp,
  tryAgainMs: number,
): Promise<{ stop(): void }> {
  const tcp = server.server
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const listen = async () => {
    tcp.listen(port, host)
    await once(tcp, 'listening')
  }
  const tryAgain = () => {
    if (isStopped) return
    timer = setTimeout(() => {
      listen().then(() => world.log.info({ host, port }, 'Inbound SMTP server started'), tryAgain)
    }, tryAgainMs)
  }
  await listen().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') {
      throw new ConfigError(`Invalid INBOUND_SMTP_HOST="${host}" or INBOUND_SMTP_PORT="${port}": ${error.message}.`)
    }
    world.log.error({ host, port }, 'Inbound SMTP port is in use by another worker or program; will keep retrying')
    tryAgain()
  })
  return {
    stop: () => {
      isStopped = true
      clearTimeout(timer)
    },
  }
}
