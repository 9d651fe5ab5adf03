import { ImapFlow } from 'imapflow'
import type { InboundImap } from '../platform/inbound-config.ts'
import type { World } from '../world.ts'
import { isPassing, LARGEST_MAIL_BYTES, recordLost, takeInMail } from './inbound-mail.ts'

const LOOK_EVERY_MS = 30_000
/** Doubled with each failure, up to the most. */
const FIRST_WAIT_MS = 5_000
const MOST_WAIT_MS = 5 * 60_000
const ANSWER_WITHIN_MS = 20_000
/** A mail that fails so often for no reason that passes is written down as lost. */
const MOST_ATTEMPTS = 3
const MOST_AT_A_LOOK = 200
const STOP_WITHIN_MS = 8_000

/** How often each mail failed, by its number in the mailbox. */
type Attempts = Map<number, number>

export type ImapDoor = { stop(): Promise<void> }

type Timing = { lookEveryMs?: number; firstWaitMs?: number }

/** What goes on from one visit to the next. */
type Watch = {
  lookEveryMs: number
  attempts: Attempts
  /** One for each visit and each pause: what is left of one does not ring in the next. */
  bell: Bell
  client: ImapFlow | undefined
  isStopping: boolean
  isAway: boolean
}

/**
 * Looks into a mailbox for mail nobody has seen, takes it in, and marks it as seen once it is written down. Looks at once when
 * the server tells of new mail, else every half minute; comes back when the server was away.
 */
export function watchMailbox(world: World, imap: InboundImap, timing: Timing = {}): ImapDoor {
  const { lookEveryMs = LOOK_EVERY_MS, firstWaitMs = FIRST_WAIT_MS } = timing
  const watch: Watch = {
    ...{ lookEveryMs, attempts: new Map(), bell: makeBell(), client: undefined, isStopping: false, isAway: false },
  }
  const running = keepVisiting(world, imap, watch, firstWaitMs)
  return {
    stop: async () => {
      watch.isStopping = true
      watch.bell.ring()
      if (!watch.client?.usable) watch.client?.close()
      const late = setTimeout(() => watch.client?.close(), STOP_WITHIN_MS)
      await running
      clearTimeout(late)
    },
  }
}

async function keepVisiting(world: World, imap: InboundImap, watch: Watch, firstWaitMs: number): Promise<void> {
  let wait_ms = firstWaitMs
  while (!watch.isStopping) {
    try {
      await visit(world, imap, watch)
      wait_ms = firstWaitMs
    } catch (error) {
      if (!watch.isAway && !watch.isStopping) world.log.error({ host: imap.host, why: reasonOf(error) }, AWAY)
      watch.isAway = true
      wait_ms = Math.min(wait_ms * 2, MOST_WAIT_MS)
    }
    watch.bell = makeBell()
    if (!watch.isStopping) await watch.bell.wait(wait_ms)
  }
}

/** Stays in the mailbox until the connection ends, or the watch does. */
async function visit(world: World, imap: InboundImap, watch: Watch): Promise<void> {
  const [client, bell] = [openClient(imap), makeBell()]
  Object.assign(watch, { client, bell })
  for (const event of ['error', 'close', 'exists']) client.on(event, bell.ring)
  try {
    await client.connect()
    await client.mailboxOpen(imap.mailbox)
    if (watch.isAway) world.log.info({ host: imap.host }, 'IMAP mailbox is reachable again')
    watch.isAway = false
    while (!watch.isStopping && client.usable) {
      await look(world, client, watch)
      if (!watch.isStopping && client.usable) await bell.wait(watch.lookEveryMs)
    }
    if (client.usable) await client.logout()
  } finally {
    client.close()
  }
}

const AWAY = 'Could not read the mailbox at INBOUND_IMAP_URL; will keep retrying'

const openClient = ({ host, port, secure, user, password }: InboundImap): ImapFlow =>
  new ImapFlow({
    ...{ host, port, secure, auth: { user, pass: password }, logger: false },
    // In plain text to this machine alone.
    ...(secure ? {} : { doSTARTTLS: !isHere(host) }),
    ...{ connectionTimeout: ANSWER_WITHIN_MS, greetingTimeout: ANSWER_WITHIN_MS, socketTimeout: 3 * 60_000 },
    ...{ maxLiteralSize: 2 * LARGEST_MAIL_BYTES, maxIdleTime: 2 * 60_000, autoIdleDelay: 500 },
  })

const isHere = (host: string): boolean => ['localhost', '127.0.0.1', '::1'].includes(host)

/** What the server said, without what was asked: that may hold a password. */
const reasonOf = (error: unknown): string => {
  const { responseText, message } = error as { responseText?: string; message?: string }
  return responseText ?? message ?? String(error)
}

/** Takes in what nobody has seen. What fails for now stays unseen, and ends the look: the next one begins with it. */
async function look(world: World, client: ImapFlow, watch: Watch): Promise<void> {
  const unseen = (await client.search({ seen: false }, { uid: true })) || []
  for (const uid of unseen.slice(0, MOST_AT_A_LOOK)) {
    if (watch.isStopping) return
    const told = await client.fetchOne(String(uid), { uid: true, size: true }, { uid: true })
    if (!told) continue
    const isTooLarge = (told.size ?? 0) > LARGEST_MAIL_BYTES
    const source = isTooLarge ? { start: 0, maxLength: 64 * 1024 } : true
    const mail = await client.fetchOne(String(uid), { uid: true, source }, { uid: true })
    if (!mail || mail.source === undefined) continue
    if (isTooLarge) await recordLost(world, mail.source, 'The email is larger than 40 MB.')
    else if (!(await takeIn(world, mail.source, uid, watch.attempts))) return
    await client.messageFlagsAdd(String(uid), ['\\Seen'], { uid: true })
    watch.attempts.delete(uid)
  }
}

/** True when it is written down, as what it is or as lost. */
async function takeIn(world: World, raw: Buffer, uid: number, attempts: Attempts): Promise<boolean> {
  try {
    await takeInMail(world, { raw })
    return true
  } catch (error) {
    const n = isPassing(error) ? 0 : (attempts.get(uid) ?? 0) + 1
    attempts.set(uid, n)
    world.log[n === 0 ? 'warn' : 'error']({ err: error, uid }, 'Could not process an inbound email from the mailbox')
    if (n < MOST_ATTEMPTS) return false
    await recordLost(world, raw, `Could not process the email: ${(error as Error).message}`)
    return true
  }
}

type Bell = { ring(): void; wait(most_ms: number): Promise<void> }

/** Ends a wait before its time. What rang while nobody waited ends the next one. */
function makeBell(): Bell {
  let rang = false
  let wake = () => {}
  return {
    ring: () => {
      rang = true
      wake()
    },
    wait: async (most_ms) => {
      let timer: NodeJS.Timeout | undefined
      await new Promise<void>((woken) => {
        if (rang) return woken()
        wake = woken
        timer = setTimeout(woken, most_ms)
      })
      clearTimeout(timer)
      rang = false
    },
  }
}
