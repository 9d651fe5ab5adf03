import { randomBytes } from 'node:crypto'
import { connect as connectSocket } from 'node:net'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { aReport, createPlainBounce } from '../server/test/bounces.ts'
import { freePort } from '../server/test/free-port.ts'
import { openMailServer } from '../server/test/mail-server.ts'
import { type Drill, startProgram, withTemporaryFolder } from './drill.ts'

const ROUNDS = 100

/**
 * A pool of real processes sends mail through a real mail server. For each mail a bounce is delivered by SMTP: reports,
 * plain-text bounces, and forgeries. Every real one has to mark its address as bounced, and no forged one may.
 */
export const bounce: Drill = {
  name: 'bounce',
  summary: 'delivers real and forged bounces by SMTP',
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
        await waitUntilReady(port)
        report(`the pool runs; ${rounds} emails are sent`)
        const memberEmails = Array.from({ length: rounds }, (_, n) => `dj${n}@gone.example`)
        for (const [n, email] of memberEmails.entries()) await subscribeToNewsletter(port, email, n)
        await waitUntil(() => mailServer.mails.length >= rounds, 120_000)
        report('emails sent; delivering bounces')
        let realBounces = 0
        for (const [n, mail] of mailServer.mails.entries()) {
          const to = mail.to?.[0]?.address ?? ''
          const returnPath = mailServer.senders[n] ?? ''
          const forgedReturnPath = returnPath.replace(/[a-z2-7]{26}@/, `${'a'.repeat(26)}@`)
          const isReal = n % 4 !== 3
          if (isReal) realBounces++
          const [address, messageId] = isReal ? [returnPath, mail.messageId ?? ''] : [forgedReturnPath, '']
          const messages = [
            aReport({ to, back: address, messageId }),
            createPlainBounce({ back: address, messageId }, `<${to}>: no such user (#5.1.1)`),
            // The return path was lost on the way, but the original mail is attached.
            aReport({ to, back: 'help@pool.example', messageId }),
          ]
          const message = messages[n % messages.length] as Buffer
          await deliver(inboundPort, isReal && n % messages.length === 2 ? 'help@pool.example' : address, message)
        }
        const bounceCount = await waitUntil(async () => {
          const found = await readBounceCount(port)
          return found >= realBounces ? found : undefined
        }, 30_000).catch(() => readBounceCount(port))
        // A forged bounce would have been counted by now: it was delivered before the last real one.
        const hasPassed = bounceCount === realBounces
        return {
          metric: `${Math.min(bounceCount, realBounces)} of ${realBounces} bounces marked, ${Math.max(bounceCount - realBounces, 0)} of ${rounds - realBounces} forged ones`,
          hasPassed,
        }
      } finally {
        pool.child.kill('SIGTERM')
        await pool.exited
        await mailServer.close()
      }
    }),
}

async function waitUntil<T>(check: () => T | Promise<T>, timeoutMs: number): Promise<NonNullable<T>> {
  const deadline = Date.now() + timeoutMs
  while (Date.now() < deadline) {
    const found = await check()
    if (found) return found
    await pause(200)
  }
  throw new Error('Timed out.')
}

/** Each from another IP address, as given by a proxy on this machine: one address may subscribe ten times an hour. */
async function subscribeToNewsletter(port: number, email: string, index: number): Promise<void> {
  const response = await fetch(`http://127.0.0.1:${port}/api/common/newsletter.json`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-forwarded-for': `127.7.${index >> 8}.${index & 255}` },
    body: JSON.stringify({ email }),
  })
  if (!response.ok) throw new Error(`Couldn’t subscribe to the newsletter: ${await response.text()}`)
}

const waitUntilReady = (port: number) =>
  waitUntil(
    () =>
      fetch(`http://127.0.0.1:${port}/readyz`).then(
        ({ ok }) => ok,
        () => false,
      ),
    120_000,
  )

/** The count in /metrics, which is updated at most every 15 seconds. */
async function readBounceCount(port: number): Promise<number> {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text()
  return Number(/^dubplate_mail_bounced (\d+)$/m.exec(text)?.[1] ?? 0)
}

/** Sends a mail by SMTP with an empty envelope sender, as bounces have. */
async function deliver(port: number, to: string, message: Buffer): Promise<void> {
  const socket = connectSocket(port, '127.0.0.1')
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]()
  const response = async (expected: string) => {
    for (;;) {
      const { value, done } = await lines.next()
      if (done || !value.startsWith(expected)) throw new Error(`The listener said: ${value}`)
      if (value[3] === ' ') return
    }
  }
  const sendLine = async (line: string, expected: string) => {
    socket.write(`${line}\r\n`)
    await response(expected)
  }
  await response('220')
  await sendLine('EHLO mx.example', '250')
  await sendLine('MAIL FROM:<>', '250')
  await sendLine(`RCPT TO:<${to}>`, '250')
  await sendLine('DATA', '354')
  await sendLine(`${message.toString('latin1').replace(/^\./gm, '..')}\r\n.`, '250')
  socket.end('QUIT\r\n')
}
