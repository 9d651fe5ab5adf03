import type { EmailContent } from './email-template.ts'

/** A file attached to an email. */
export type Attachment = { name: string; type: string; bytes: Buffer }

/** An email to send: with the same id and creation time it is the same email each time it is sent. */
export type MailMessage = EmailContent & {
  mail_id: number
  created_at: Date
  attachment?: Attachment | undefined
  /** '' if replies are not read. */
  reply_to: string
  headers: Record<string, string>
}

/** Sends email through the mail server. */
export type Mailer = {
  /** Resolves when the server has accepted the email; throws its error otherwise. */
  send(message: MailMessage): Promise<void>
  close(): void
}

/** The most emails sent at once, each on its own connection. */
export const MAX_CONNECTIONS = 5

/**
 * Returns whether a server rejected this recipient permanently: a 5xx reply to RCPT TO (RFC 5321, 4.2.1), or an invalid
 * address. A rejection by policy (5.7.x of RFC 3463) concerns the sender, which the operator can fix.
 */
export function isPermanentRejection(error: unknown): boolean {
  const { code, command, responseCode, response } = error as {
    code?: string
    command?: string
    responseCode?: number
    response?: string
  }
  if (code !== 'EENVELOPE') return false
  if (responseCode === undefined) return true
  return command === 'RCPT TO' && responseCode >= 500 && !/^\d{3}[ -]5\.7\./.test(response ?? '')
}
