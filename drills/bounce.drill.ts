import { randomBytes } from 'node:crypto'
import { connect as connectSocket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { aReport, inWords } from '../server/test/bounces.ts'
import { freePort } from '../server/test/free-port.ts'
import { openMailServer } from '../server/test/mail-server.ts'
import { type Drill, startProgram, withTemporaryFolder } from './drill.ts'

const ROUNDS = 100

/**
 * A pool on real processes mails through a real mail server; for each mail a bounce comes back by SMTP: reports, words alone,
 * and forgeries. Every real one has to mark its address, and no forged one.
 */
export const bounce: Drill = {
  name: 'bounce',
  summary: 'mail that cannot be delivered comes back by SMTP, real and forged',
  run: ({ rounds = ROUNDS, report }) =>
    withTemporaryFolder(async (folder) => {
      const mailServer = await openMailServer()
      const [port, inboundPort] = [await freePort(), await freePort()]
      const settings = {
        SECRET: randomBytes(32).toString('hex'),
        DATA_DIR: path.join(folder, 'pool'),
        DEMO: 'off',
        PORT: `${port}`,
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        SMTP_URL: mailServer.url,
        MAIL_FROM: 'Night Shift <no-reply@pool.example>',
        INBOUND_ADDRESS: 'help@pool.example',
        INBOUND_SMTP_PORT: `${inboundPort}`,
        LOG_LEVEL: 'warn',
      }
      const pool = startProgram('start', settings)
      try {
        await untilReady(port)
        report(`the pool runs; ${rounds} mails are sent`)
        const joined = Array.from({ length: rounds }, (_, n) => `dj${n}@gone.example`)
        for (const [n, email] of joined.entries()) await askForNewsletter(port, email, n)
        await until(() => mailServer.mails.length >= rounds, 120_000)
        report('they were sent; bounces come back')
        let real = 0
        for (const [n, mail] of mailServer.mails.entries()) {
          const to = mail.to?.[0]?.address ?? ''
          const back = mailServer.senders[n] ?? ''
          const forged = back.replace(/[a-z2-7]{26}@/, `${'a'.repeat(26)}@`)
          const isReal = n % 4 !== 3
          if (isReal) real++
          const [address, messageId] = isReal ? [back, mail.messageId ?? ''] : [forged, '']
          const letters = [
            aReport({ to, back: address, messageId }),
            inWords({ back: address, messageId }, `<${to}>: no such user (#5.1.1)`),
            // The return path was lost on its way; the mail within is there.
            aReport({ to, back: 'help@pool.example', messageId }),
          ]
          const letter = letters[n % letters.length] as Buffer
          await deliver(inboundPort, isReal && n % letters.length === 2 ? 'help@pool.example' : address, letter)
        }
        const metric = await until(async () => {
          const found = await bouncedOf(port)
          return found >= real ? found : undefined
        }, 30_000).catch(() => bouncedOf(port))
        // What is forged would be marked by now as well: it was delivered before the last real one.
        const isPassed = metric === real
        return {
          figure: `${Math.min(metric, real)} of ${real} bounces marked, ${Math.max(metric - real, 0)} of ${rounds - real} forged ones`,
          isPassed,
        }
      } finally {
        pool.child.kill('SIGTERM')
        await pool.exited
        await mailServer.close()
      }
    }),
}

async function until<T>(check: () => T | Promise<T>, withinMs: number): Promise<NonNullable<T>> {
  const end = Date.now() + withinMs
  while (Date.now() < end) {
    const found = await check()
    if (found) return found
    await pause(200)
  }
  throw new Error('It did not happen in time.')
}

/** Each from another place, as a proxy on this machine says: one place may ask ten times an hour. */
async function askForNewsletter(port: number, email: string, place: number): Promise<void> {
  const answer = await fetch(`http://127.0.0.1:${port}/api/common/newsletter.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `127.7.${place >> 8}.${place & 255}` },
    body: JSON.stringify({ email }),
  })
  if (!answer.ok) throw new Error(`The newsletter could not be asked for: ${await answer.text()}`)
}

const untilReady = (port: number) =>
  until(
    () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  )

/** What /metrics counts, which it does at most every 15 seconds. */
async function bouncedOf(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^dubplate_mail_bounced (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** Sends a mail by SMTP with an empty sender, as bounces have. */
async function deliver(port: number, to: string, letter: Buffer): Promise<void> {
  const socket = connectSocket(port, '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const answer = async (wanted: string) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done || !value.startsWith(wanted)) throw new Error(`The listener said: ${value}`)
      if (value[3] === ' ') return
    }
  }
  const say = async (line: string, wanted: string) => {
    socket.write(`${line}\r\n`)
    await answer(wanted)
  }
  await answer('220')
  await say('EHLO mx.example', '250')
  await say('MAIL FROM:<>', '250')
  await say(`RCPT TO:<${to}>`, '250')
  await say('DATA', '354')
  await say(`${letter.toString('latin1').replace(/^\./gm, '..')}\r\n.`, '250')
  socket.end('QUIT\r\n')
}
