import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import type { AppContext } from '../src/app-context.ts'
import { processMailRequests } from '../src/membership/mail-requests.ts'
import { sendDueMail } from '../src/platform/outbox.ts'
import { createMailer } from '../src/platform/smtp.ts'

export type MailServer = {
  url: string
  port: number
  /** The received emails, in order. */
  mails: Email[]
  /** Their envelope senders, in the same order: the return paths for bounces. */
  senders: string[]
  close(): Promise<void>
}

/** A real mail server. It rejects recipients with the text that `reject` returns. */
export async function openMailServer(
  options: {
    port?: number
    reject?: (address: string) => string | undefined
    /** The same for the envelope sender. */
    rejectSender?: (address: string) => string | undefined
    /** The account that may send; everyone if missing. */
    sender?: { user: string; password: string }
  } = {},
): Promise<MailServer> {
  const mails: Email[] = []
  const senders: string[] = []
  const server = new SMTPServer({
    authOptional: !options.sender,
    allowInsecureAuth: true,
    disabledCommands: options.sender ? ['STARTTLS'] : ['STARTTLS', 'AUTH'],
    onAuth: ({ username, password }, _session, done) => {
      const { user, password: expectedPassword } = options.sender ?? {}
      if (username === user && password === expectedPassword) return done(null, { user: username })
      done(new Error('Invalid username or password'))
    },
    onRcptTo: ({ address }, _session, done) => {
      done(toSmtpError(options.reject?.(address)))
    },
    onMailFrom: ({ address }, _session, done) => done(toSmtpError(options.rejectSender?.(address))),
    onData: (stream, { envelope }, done) => {
      buffer(stream)
        .then(async (bytes) => {
          mails.push(await PostalMime.parse(bytes))
          senders.push(envelope.mailFrom ? envelope.mailFrom.address : '')
        })
        .then(() => done(), done)
    },
  })
  server.on('error', () => {})
  await new Promise<void>((listening) => server.listen(options.port ?? 0, '127.0.0.1', listening))
  const { port } = server.server.address() as { port: number }
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    mails,
    senders,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

const toSmtpError = (rejection: string | undefined) =>
  rejection ? Object.assign(new Error(rejection.slice(4)), { responseCode: Number(rejection.slice(0, 3)) }) : undefined

/** Does what a worker does: renders queued emails and sends what is due. */
export async function deliverMail(ctx: AppContext): Promise<void> {
  const post = createMailer(ctx)
  await processMailRequests(ctx)
  while (await sendDueMail(ctx, post));
  post?.close()
}

const mailId = ({ messageId = '' }: Email): number => Number(/^<(\d+)\./.exec(messageId)?.[1])

/** Emails to an address in the order they were written. */
export const findMailTo = ({ mails }: MailServer, address: string): Email[] =>
  mails.filter(({ to }) => to?.some((one) => one.address === address)).sort((a, b) => mailId(a) - mailId(b))

/** The token of the link of this kind in an email. */
export function extractToken(mail: Email | undefined, kind: 'confirm' | 'reset-password'): string {
  const token = new RegExp(`/${kind}[/#](?:[^/\\s]+/)?([\\w-]{43})$`, 'm').exec(mail?.text ?? '')?.[1]
  if (!token) throw new Error(`There is no ${kind} link in: ${mail?.text}`)
  return token
}
