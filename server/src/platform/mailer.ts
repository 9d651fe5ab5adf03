import type { EmailContent } from './email-template.ts'

/** A file that goes with a letter. */
export type Attachment = { name: string; type: string; bytes: Buffer }

/** A letter on its way: the one with this id and moment of writing is the same letter each time it is sent. */
export type MailMessage = EmailContent & {
  mail_id: number
  created_at: Date
  attachment?: Attachment | undefined
  /** '' where nobody reads an answer. */
  reply_to: string
  headers: Record<string, string>
}

/** The way to the mail server. */
export type Mailer = {
  /** Settles when the server has taken the letter; throws what it said otherwise. */
  send(message: MailMessage): Promise<void>
  close(): void
}

/** So many letters are on their way at once, each on a connection of its own. */
export const MAX_CONNECTIONS = 5

/**
 * Whether a server refused this recipient for good: a 5xx answer to RCPT TO (RFC 5321, 4.2.1), or an address that is
 * none. A refusal by policy (5.7.x of RFC 3463) is about who sends, which the operator can mend.
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
