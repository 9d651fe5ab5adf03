import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** Starts an SMTP server for one run. It stores emails as files, so that every worker can read them. */
export async function startMailServer(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true })
  let received = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, resolve) => {
      const name = String(++received).padStart(6, '0')
      buffer(stream)
        .then((bytes) => {
          writeFileSync(path.join(folder, `${name}.part`), bytes)
          renameSync(path.join(folder, `${name}.part`), path.join(folder, `${name}.eml`))
          resolve()
        })
        .catch(resolve)
    },
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server has no port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}

/** Returns all emails to an address, oldest first. */
export async function getMailsTo(address: string): Promise<Email[]> {
  const folder = process.env.MAIL_FOLDER
  if (!folder) throw new Error('MAIL_FOLDER is not set: the global setup has not run.')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
  const mails = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(path.join(folder, name)))))
  return mails.filter(({ to }) => to?.some((recipient) => recipient.address?.toLowerCase() === address.toLowerCase()))
}
