import { type Letter, type Sender, writeLetter } from '../platform/letter.ts'

/** Whom a letter is for. */
type Told = { email: string; dj_name: string }

type Answer = {
  ticket_number: number
  subject: string
  /** The reply, cleaned. */
  html: string
  /** How many files go with it. */
  files: number
  /** Whether it closed the ticket. */
  closed: boolean
  /** Whether an answer to this letter is read. */
  canAnswer: boolean
}

export const staffReplied = (sender: Sender, { email: to, dj_name }: Told, answer: Answer): Letter =>
  writeLetter(sender, {
    to,
    // The same for all letters of a ticket: mail programs keep those together.
    subject: `Re: ${answer.subject} [ticket ${answer.ticket_number}]`,
    lines: [`Hi ${dj_name},`, `You have a reply to your ticket “${answer.subject}”:`],
    html: answer.html,
    button: { label: 'View ticket', url: `${sender.publicUrl}/ticket/details/${answer.ticket_number}` },
    note: [filesOf(answer), answer.closed ? 'This ticket is closed. Reply to reopen it.' : '', answeringOf(answer)]
      .filter(Boolean)
      .join(' '),
  })

const filesOf = ({ files }: Answer): string => {
  if (files === 0) return ''
  return files === 1 ? 'One file is attached to the ticket.' : `${files} files are attached to the ticket.`
}

const answeringOf = ({ canAnswer }: Answer): string =>
  canAnswer
    ? 'You can reply to this email from your account’s email address. Attachments are added to the ticket.'
    : 'Replies to this email aren’t monitored. Please reply in the ticket.'
