import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { type Attachment, MAX_CONNECTIONS, type Mailer, type MailMessage } from './mailer.ts'
import { createMessageId, createReturnPath } from './return-path.ts'
import type { Settings } from './settings.ts'

const REPLY_TIMEOUT_MS = 10_000

/** The time limit for sending an email, so that a stopping process can wait for it. */
const SEND_TIMEOUT_MS = 20_000

type MailerDeps = {
  config: Pick<Config, 'smtpUrl' | 'publicUrl' | 'inbound' | 'secret'>
  settings: Pick<Settings, 'mailFrom'>
  log?: Pick<Log, 'warn'>
}

/** Connects to the configured mail server; undefined if none is set. */
export function createMailer({ config, settings, log }: MailerDeps): Mailer | undefined {
  const { smtpUrl } = config
  if (!smtpUrl) return undefined
  let isReturnPathRejected = false
  let opened: Promise<Transport> | undefined
  return {
    send: async (message) => {
      opened ??= openTransport(smtpUrl)
      const transport = await opened.catch((error) => {
        // The outbox tries again.
        opened = undefined
        throw error
      })
      const returnPath = isReturnPathRejected
        ? undefined
        : createReturnPath({ config }, settings.mailFrom.address, message)
      try {
        await transport.sendMail(toMail(message, returnPath))
      } catch (error) {
        if (!returnPath || !isSenderRejected(error)) throw error
        isReturnPathRejected = true
        log?.warn(
          { err: error },
          'The mail server rejects INBOUND_ADDRESS as the return path. Email is sent without it, so bounces are not detected.',
        )
        await transport.sendMail(toMail(message, undefined))
      }
    },
    close: () => void opened?.then((transport) => transport.close({ force: true })),
  }

  function toMail(message: MailMessage, returnPath: string | undefined) {
    const { to, subject, html, text, attachment, reply_to, headers } = message
    return {
      from: settings.mailFrom,
      ...(returnPath ? { envelope: { from: returnPath, to } } : {}),
      // As an object, so that no part of an address is parsed as a name or a second address.
      to: { name: '', address: to },
      subject,
      html,
      text,
      ...(reply_to ? { replyTo: { name: '', address: reply_to } } : {}),
      attachments: attachment ? [toAttachment(attachment)] : [],
      // The same each time it is sent: a recipient who gets it twice sees it once (RFC 5322, 3.6.4).
      messageId: createMessageId({ config }, message),
      // RFC 3834: prevents automatic replies.
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      signal: AbortSignal.timeout(SEND_TIMEOUT_MS),
    }
  }
}

type Transport = Awaited<ReturnType<typeof openTransport>>

async function openTransport(smtpUrl: string) {
  const { createTransport } = await import('nodemailer')
  return createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    // Failed emails are retried from the outbox, which knows when and how often.
    maxRequeues: 0,
    idleTimeout: REPLY_TIMEOUT_MS,
    connectionTimeout: REPLY_TIMEOUT_MS,
    greetingTimeout: REPLY_TIMEOUT_MS,
    socketTimeout: SEND_TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
}

/** Some servers only send for addresses they know. */
const isSenderRejected = (error: unknown): boolean => {
  const { code, command } = error as { code?: string; command?: string }
  return code === 'EENVELOPE' && command === 'MAIL FROM'
}

const toAttachment = ({ name, type, bytes }: Attachment) => ({ filename: name, contentType: type, content: bytes })
