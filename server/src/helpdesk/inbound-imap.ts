import { ImapFlow } from 'imapflow'
import type { AppContext } from '../app-context.ts'
import type { InboundImap } from '../platform/inbound-config.ts'
import { isTransientError, MAX_MAIL_BYTES, processInboundMail, recordUnreadableMail } from './inbound-mail.ts'

const POLL_INTERVAL_MS = 30_000
/** Doubled after each failure, up to the maximum. */
const INITIAL_RETRY_MS = 5_000
const MAX_RETRY_DELAY_MS = 5 * 60_000
const IMAP_RESPONSE_TIMEOUT_MS = 20_000
/** An email that fails this often for a permanent reason is recorded as lost. */
const MAX_ATTEMPTS = 3
const MAX_MESSAGES_PER_POLL = 200
const STOP_TIMEOUT_MS = 8_000

/** How often each email failed, by its UID in the mailbox. */
type AttemptCounts = Map<number, number>

export type ImapListener = { stop(): Promise<void> }

type PollTiming = { pollIntervalMs?: number; initialRetryMs?: number }

/** State that is kept between connections. */
type MailboxWatcher = {
  pollIntervalMs: number
  attempts: AttemptCounts
  /** A new one for each connection and each pause, so that a notification of one does not end the next. */
  wakeSignal: WakeSignal
  client: ImapFlow | undefined
  isStopping: boolean
  isUnavailable: boolean
}

/**
 * Checks a mailbox for unseen emails, processes them, and marks each as seen once it is recorded. Checks at once when
 * the server announces new mail, otherwise every 30 seconds, and reconnects after an outage.
 */
export function watchMailbox(ctx: AppContext, imap: InboundImap, timing: PollTiming = {}): ImapListener {
  const { pollIntervalMs = POLL_INTERVAL_MS, initialRetryMs = INITIAL_RETRY_MS } = timing
  const watcher: MailboxWatcher = {
    ...{
      pollIntervalMs,
      attempts: new Map(),
      wakeSignal: createWakeSignal(),
      client: undefined,
      isStopping: false,
      isUnavailable: false,
    },
  }
  const running = pollMailbox(ctx, imap, watcher, initialRetryMs)
  return {
    stop: async () => {
      watcher.isStopping = true
      watcher.wakeSignal.notify()
      if (!watcher.client?.usable) watcher.client?.close()
      const closeTimer = setTimeout(() => watcher.client?.close(), STOP_TIMEOUT_MS)
      await running
      clearTimeout(closeTimer)
    },
  }
}

async function pollMailbox(
  ctx: AppContext,
  imap: InboundImap,
  watcher: MailboxWatcher,
  initialRetryMs: number,
): Promise<void> {
  let delayMs = initialRetryMs
  while (!watcher.isStopping) {
    try {
      await checkMailbox(ctx, imap, watcher)
      delayMs = initialRetryMs
    } catch (error) {
      if (!watcher.isUnavailable && !watcher.isStopping)
        ctx.log.error({ host: imap.host, why: errorReason(error) }, MAILBOX_UNAVAILABLE)
      watcher.isUnavailable = true
      delayMs = Math.min(delayMs * 2, MAX_RETRY_DELAY_MS)
    }
    watcher.wakeSignal = createWakeSignal()
    if (!watcher.isStopping) await watcher.wakeSignal.wait(delayMs)
  }
}

/** Stays connected to the mailbox until the connection or the watcher ends. */
async function checkMailbox(ctx: AppContext, imap: InboundImap, watcher: MailboxWatcher): Promise<void> {
  const [client, wakeSignal] = [openClient(imap), createWakeSignal()]
  Object.assign(watcher, { client, wakeSignal })
  for (const event of ['error', 'close', 'exists']) client.on(event, wakeSignal.notify)
  try {
    await client.connect()
    await client.mailboxOpen(imap.mailbox)
    if (watcher.isUnavailable) ctx.log.info({ host: imap.host }, 'IMAP mailbox is reachable again')
    watcher.isUnavailable = false
    while (!watcher.isStopping && client.usable) {
      await fetchUnseen(ctx, client, watcher)
      if (!watcher.isStopping && client.usable) await wakeSignal.wait(watcher.pollIntervalMs)
    }
    if (client.usable) await client.logout()
  } finally {
    client.close()
  }
}

const MAILBOX_UNAVAILABLE = 'Could not read the mailbox at INBOUND_IMAP_URL; will keep retrying'

const openClient = ({ host, port, secure, user, password }: InboundImap): ImapFlow =>
  new ImapFlow({
    ...{ host, port, secure, auth: { user, pass: password }, logger: false },
    // Unencrypted only to this computer.
    ...(secure ? {} : { doSTARTTLS: !isLocalHost(host) }),
    ...{
      connectionTimeout: IMAP_RESPONSE_TIMEOUT_MS,
      greetingTimeout: IMAP_RESPONSE_TIMEOUT_MS,
      socketTimeout: 3 * 60_000,
    },
    ...{ maxLiteralSize: 2 * MAX_MAIL_BYTES, maxIdleTime: 2 * 60_000, autoIdleDelay: 500 },
  })

const isLocalHost = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

/** Returns the server's response without the request, which may contain a password. */
const errorReason = (error: unknown): string => {
  const { responseText, message } = error as { responseText?: string; message?: string }
  return responseText ?? message ?? String(error)
}

/**
 * Processes unseen emails. One that fails temporarily stays unseen and ends the check: the next check starts with it.
 */
async function fetchUnseen(ctx: AppContext, client: ImapFlow, watcher: MailboxWatcher): Promise<void> {
  const unseen = (await client.search({ seen: false }, { uid: true })) || []
  for (const uid of unseen.slice(0, MAX_MESSAGES_PER_POLL)) {
    if (watcher.isStopping) return
    const summary = await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true })
    if (!summary) continue
    const isTooLarge = (summary.size ?? 0) > MAX_MAIL_BYTES
    const fetchRange = isTooLarge ? { start: 0, maxLength: 64 * 1024 } : true
    const mail = await client.fetchOne(String(uid), { uid: true, source: fetchRange }, { uid: true })
    if (!mail || mail.source === undefined) continue
    if (isTooLarge) await recordUnreadableMail(ctx, mail.source, 'The email is larger than 40 MB.')
    else if (!(await ingestMessage(ctx, mail.source, uid, watcher.attempts))) return
    await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    watcher.attempts.delete(uid)
  }
}

/** Returns true once the email is recorded, either processed or as lost. */
async function ingestMessage(ctx: AppContext, raw: Buffer, uid: number, attempts: AttemptCounts): Promise<boolean> {
  try {
    await processInboundMail(ctx, { raw })
    return true
  } catch (error) {
    const n = isTransientError(error) ? 0 : (attempts.get(uid) ?? 0) + 1
    attempts.set(uid, n)
    ctx.log[n === 0 ? 'warn' : 'error']({ err: error, uid }, 'Could not process an inbound email from the mailbox')
    if (n < MAX_ATTEMPTS) return false
    await recordUnreadableMail(ctx, raw, `Could not process the email: ${(error as Error).message}`)
    return true
  }
}

type WakeSignal = { notify(): void; wait(maxMs: number): Promise<void> }

/** Interrupts a wait. A notification without a current wait interrupts the next one. */
function createWakeSignal(): WakeSignal {
  let isNotified = false
  let wake = () => {}
  return {
    notify: () => {
      isNotified = true
      wake()
    },
    wait: async (maxMs) => {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((resolve) => {
        if (isNotified) return resolve()
        wake = resolve
        timer = setTimeout(resolve, maxMs)
      })
      clearTimeout(timer)
      isNotified = false
    },
  }
}
