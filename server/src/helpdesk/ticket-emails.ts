import { type EmailContent, renderEmail, type Sender } from '../platform/email-template.ts'

/** The recipient of an email. */
type Recipient = { email: string; dj_name: string }

type ReplyEmail = {
  ticket_number: number
  subject: string
  /** The reply, cleaned. */
  html: string
  /** How many files are attached to it. */
  files: number
  /** Whether it closed the ticket. */
  closed: boolean
  /** Whether replies to this email are read. */
  canAnswer: boolean
}

export const staffReplyEmail = (sender: Sender, { email: to, dj_name }: Recipient, answer: ReplyEmail): EmailContent =>
  renderEmail(sender, {
    to,
    // The same for all emails of a ticket, so that mail programs group them.
    subject: `Re: ${answer.subject} [ticket ${answer.ticket_number}]`,
    lines: [`Hi ${dj_name},`, `You have a reply to your ticket “${answer.subject}”:`],
    html: answer.html,
    button: { label: 'View ticket', url: `${sender.publicUrl}/ticket/details/${answer.ticket_number}` },
    note: [
      attachmentNote(answer),
      answer.closed ? 'This ticket is closed. Reply to reopen it.' : '',
      replyInstructions(answer),
    ]
      .filter(Boolean)
      .join(' '),
  })

const attachmentNote = ({ files }: ReplyEmail): string => {
  if (files === 0) return ''
  return files === 1 ? 'One file is attached to the ticket.' : `${files} files are attached to the ticket.`
}

const replyInstructions = ({ canAnswer }: ReplyEmail): string =>
  canAnswer
    ? 'You can reply to this email from your account’s email address. Attachments are added to the ticket.'
    : 'Replies to this email aren’t monitored. Please reply in the ticket.'
