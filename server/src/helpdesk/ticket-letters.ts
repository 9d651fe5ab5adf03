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
    lines: [`Hello ${dj_name},`, `the help desk answered your ticket “${answer.subject}”:`],
    html: answer.html,
    button: { label: 'Open the ticket', url: `${sender.publicUrl}/ticket/details/${answer.ticket_number}` },
    note: [
      filesOf(answer),
      answer.closed ? 'It is closed now; whatever you write opens it again.' : '',
      answeringOf(answer),
    ]
      .filter(Boolean)
      .join(' '),
  })

const filesOf = ({ files }: Answer): string => {
  if (files === 0) return ''
  return files === 1
    ? 'A file goes with it: it is in the ticket.'
    : `${files} files go with it: they are in the ticket.`
}

const answeringOf = ({ canAnswer }: Answer): string =>
  canAnswer
    ? 'You can answer this mail, from this address of yours; files come along.'
    : 'Answers to this mail are not read: please answer in the ticket.'
