import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { buffer } from 'node:stream/consumers'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

/** A real mail server for one run; what it takes is kept as files, so that every worker can read them. */
export async function openMailServer(folder: string): Promise<{ url: string; close(): Promise<void> }> {
  mkdirSync(folder, { recursive: true })
  let taken = 0
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData: (stream, _session, done) => {
      const name = String(++taken).padStart(6, '0')
      buffer(stream)
        .then((bytes) => {
          writeFileSync(path.join(folder, `${name}.part`), bytes)
          renameSync(path.join(folder, `${name}.part`), path.join(folder, `${name}.eml`))
          done()
        })
        .catch(done)
    },
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  const address = server.server.address()
  if (address === null || typeof address === 'string') throw new Error('The mail server got no port.')
  return {
    url: `smtp://127.0.0.1:${address.port}`,
    close: () => new Promise((closed) => server.close(() => closed())),
  }
}

/** Every mail to an address so far, in the order it came. */
export async function mailsTo(address: string): Promise<Email[]> {
  const folder = process.env.MAIL_FOLDER
  if (!folder) throw new Error('MAIL_FOLDER is not set: the mail server of the stories has not been opened.')
  const files = readdirSync(folder)
    .filter((name) => name.endsWith('.eml'))
    .sort()
  const mails = await Promise.all(files.map((name) => PostalMime.parse(readFileSync(path.join(folder, name)))))
  return mails.filter(({ to }) => to?.some((one) => one.address?.toLowerCase() === address.toLowerCase()))
}
