/** Bounces in the formats of mail servers. */

type BounceOptions = {
  to: string
  /** Message-ID of the email that bounced. */
  messageId?: string
  status?: string
  action?: string
  diagnostic?: string
  /** The recipient of the bounce: the return path. */
  back?: string
}

/** A report in the format of RFC 3464. */
export function aReport({
  to,
  messageId = '',
  status = '5.1.1',
  action = 'failed',
  diagnostic,
  back,
}: BounceOptions): Buffer {
  return joinLines([
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example (Mail Delivery System)',
    `To: ${back ?? 'no-reply@pool.example'}`,
    'Subject: Undelivered Mail Returned to Sender',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="B1"',
    '',
    '--B1',
    'Content-Type: text/plain',
    '',
    'Your message could not be delivered.',
    '--B1',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example',
    '',
    `Final-Recipient: rfc822; ${to}`,
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${diagnostic ?? `550 ${status} no`}`,
    '--B1',
    'Content-Type: text/rfc822-headers',
    '',
    `To: ${to}`,
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
    '--B1--',
  ])
}

/** A bounce without machine-readable parts, as qmail and older servers send it. */
export const createPlainBounce = (
  { back = 'no-reply@pool.example', messageId = '' }: Partial<BounceOptions>,
  rejection: string,
): Buffer =>
  joinLines([
    'From: MAILER-DAEMON@old.example',
    `To: ${back}`,
    'Subject: failure notice',
    '',
    rejection,
    '',
    '--- Below this line is a copy of the message.',
    '',
    ...(messageId ? [`Message-ID: ${messageId}`] : []),
  ])

const joinLines = (lines: string[]): Buffer => Buffer.from(lines.join('\r\n'))
