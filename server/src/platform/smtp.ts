import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import type { Log } from './log.ts'
import { type Attachment, CONNECTIONS, type Post, type Posting } from './post.ts'
import { messageIdOf, returnPathOf } from './return-path.ts'
import type { Settings } from './settings.ts'

const ANSWER_WITHIN_MS = 10_000

/** No letter is on its way for longer than this, so that a stopping process can wait for it. */
export const SENT_WITHIN_MS = 20_000

type From = {
  config: Pick<Config, 'smtpUrl' | 'publicUrl' | 'inbound' | 'secret'>
  settings: Pick<Settings, 'mailFrom'>
  log?: Pick<Log, 'warn'>
}

/** Opens the way to the mail server of the configuration; undefined where none is set. */
export function openPost({ config, settings, log }: From): Post | undefined {
  const { smtpUrl } = config
  if (!smtpUrl) return undefined
  let isReturnPathRefused = false
  const transport = createTransport({
    url: smtpUrl,
    pool: true,
    maxConnections: CONNECTIONS,
    // What failed is tried again from the outbox, which knows when and how often.
    maxRequeues: 0,
    idleTimeout: ANSWER_WITHIN_MS,
    connectionTimeout: ANSWER_WITHIN_MS,
    greetingTimeout: ANSWER_WITHIN_MS,
    socketTimeout: SENT_WITHIN_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (posting) => {
      const returnPath = isReturnPathRefused ? undefined : returnPathOf({ config }, settings.mailFrom.address, posting)
      try {
        await transport.sendMail(asMail(posting, returnPath))
      } catch (error) {
        if (!returnPath || !isSenderRefused(error)) throw error
        isReturnPathRefused = true
        log?.warn(
          { err: error },
          'The mail server refuses INBOUND_ADDRESS as the return path. Mail is sent without it, so bounces are not noticed.',
        )
        await transport.sendMail(asMail(posting, undefined))
      }
    },
    close: () => transport.close({ force: true }),
  }

  function asMail(posting: Posting, returnPath: string | undefined) {
    const { to, subject, html, text, attachment, reply_to, headers } = posting
    return {
      from: settings.mailFrom,
      ...(returnPath ? { envelope: { from: returnPath, to } } : {}),
      // As an object, so that nothing in an address is read as a name or a second address.
      to: { name: '', address: to },
      subject,
      html,
      text,
      ...(reply_to ? { replyTo: { name: '', address: reply_to } } : {}),
      attachments: attachment ? [asAttachment(attachment)] : [],
      // The same each time it is sent: a recipient who gets it twice sees it once (RFC 5322, 3.6.4).
      messageId: messageIdOf({ config }, posting),
      // RFC 3834: no holiday notices in answer.
      headers: { 'Auto-Submitted': 'auto-generated', ...headers },
      signal: AbortSignal.timeout(SENT_WITHIN_MS),
    }
  }
}

/** Some servers send only for addresses they know. */
const isSenderRefused = (error: unknown): boolean => {
  const { code, command } = error as { code?: string; command?: string }
  return code === 'EENVELOPE' && command === 'MAIL FROM'
}

const asAttachment = ({ name, type, bytes }: Attachment) => ({ filename: name, contentType: type, content: bytes })
