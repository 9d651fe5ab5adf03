import { createTransport } from 'nodemailer'
import type { Config } from './config.ts'
import { type Attachment, CONNECTIONS, type Post } from './post.ts'
import type { Settings } from './settings.ts'

const ANSWER_WITHIN_MS = 10_000

/** No letter is on its way for longer than this, so that a stopping process can wait for it. */
export const SENT_WITHIN_MS = 20_000

type From = { config: Pick<Config, 'smtpUrl' | 'publicUrl'>; settings: Pick<Settings, 'mailFrom'> }

/** Opens the way to the mail server of the configuration; undefined where none is set. */
export function openPost({ config: { smtpUrl, publicUrl }, settings }: From): Post | undefined {
  if (!smtpUrl) return undefined
  const { hostname } = new URL(publicUrl)
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
    send: async ({ mail_id, created_at, to, subject, html, text, attachment, reply_to, headers }) => {
      await transport.sendMail({
        from: settings.mailFrom,
        // As an object, so that nothing in an address is read as a name or a second address.
        to: { name: '', address: to },
        subject,
        html,
        text,
        ...(reply_to ? { replyTo: { name: '', address: reply_to } } : {}),
        attachments: attachment ? [asAttachment(attachment)] : [],
        // The same each time it is sent: whoever gets it twice sees it once (RFC 5322, 3.6.4).
        messageId: `<${mail_id}.${created_at.getTime()}@${hostname}>`,
        // RFC 3834: no holiday notices in answer.
        headers: { 'Auto-Submitted': 'auto-generated', ...headers },
        signal: AbortSignal.timeout(SENT_WITHIN_MS),
      })
    },
    close: () => transport.close({ force: true }),
  }
}

const asAttachment = ({ name, type, bytes }: Attachment) => ({ filename: name, contentType: type, content: bytes })
