import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { freePort } from '../server/test/free-port.ts'
import { type Drill, type DrillOptions, type DrillResult, withTemporaryFolder } from './drill.ts'
import { startPool } from './pool-process.ts'

const CONNECTIONS = 50
/** 30 seconds without a byte, or a minute at less than 500 B/s, and a margin for a busy machine. */
const CLOSE_TIMEOUT_MS = 80_000
/** 2 kB a second, for longer than the slow connections may last. */
const UPLOAD_BYTES = 200_000
const UPLOAD_BYTES_PER_SECOND = 2000

const SIGN_IN = '/api/customer/sign-in.json'

export const slowBodies: Drill = {
  name: 'slow-bodies',
  summary: 'closes connections that stall their request, and accepts a slow but steady upload',
  run: (options) => withTemporaryFolder((folder) => runRounds(folder, options)),
}

async function runRounds(folder: string, { rounds = CONNECTIONS, report }: DrillOptions): Promise<DrillResult> {
  const port = await freePort()
  const pool = startPool(folder, port, { GATEWAYS: 'manual', LOG_LEVEL: 'warn' })
  try {
    if (!(await pool.untilReady())) throw new Error(`The pool did not start: ${pool.lines.slice(-5).join('\n')}`)
    report(`${rounds} slow connections and one slow upload of ${UPLOAD_BYTES / 1000} kB …`)
    const upload = sendSlowly(port)
    const ages = await Promise.all(
      Array.from({ length: rounds }, (_, n) => openSlowConnection(port, KINDS[n % KINDS.length]!)),
    )
    const closedAges = ages.filter((age) => age !== undefined)
    report(`closed: ${closedAges.length}, the last after ${Math.ceil(Math.max(0, ...closedAges) / 1000)} s`)
    const { status, seconds } = await upload
    report(`the upload returned ${status} after ${seconds} s`)
    const hasPassed = closedAges.length === rounds && status === 401
    return {
      metric: `${closedAges.length} of ${rounds} slow connections closed after at most ${Math.ceil(Math.max(0, ...closedAges) / 1000)} s; an upload at 2 kB/s took ${seconds} s and was answered`,
      hasPassed,
    }
  } finally {
    await pool.stop()
  }
}

const HEAD = `POST ${SIGN_IN} HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n`

/** Ways to keep a connection open: the bytes sent at once, and those sent every second after that. */
const KINDS = [
  { first: `${HEAD}content-length: 100000\r\n\r\n{`, again: '' },
  { first: `${HEAD}content-length: 100000\r\n\r\n{`, again: ' ' },
  { first: `POST ${SIGN_IN} HTTP/1.1\r\nhost: localhost\r\n`, again: 'x: y\r\n' },
  { first: `POST /api/none.json HTTP/1.1\r\nhost: localhost\r\ncontent-length: 100000\r\n\r\n`, again: ' ' },
  { first: `${HEAD}transfer-encoding: chunked\r\n\r\n1\r\n{\r\n`, again: '1\r\n \r\n' },
]

/** How long the server kept such a connection open; undefined when it was still open at the end of the drill. */
async function openSlowConnection(
  port: number,
  { first, again: dripBytes }: (typeof KINDS)[number],
): Promise<number | undefined> {
  const socket = await open(port)
  const startedAt = performance.now()
  const closed = once(socket, 'close').then(() => performance.now() - startedAt)
  socket.resume()
  socket.write(first)
  const dripTimer = setInterval(() => dripBytes && socket.write(dripBytes), 1000)
  const age = await Promise.race([closed, pause(CLOSE_TIMEOUT_MS, undefined)])
  clearInterval(dripTimer)
  socket.destroy()
  return age
}

/** A sign-in with a very long extra field, sent at the speed of a slow connection. */
async function sendSlowly(port: number): Promise<{ status: number; seconds: number }> {
  const text = JSON.stringify({ email: 'nobody@example.test', password: 'wrong', padding: 'x'.repeat(UPLOAD_BYTES) })
  const socket = await open(port)
  const startedAt = performance.now()
  const response = once(socket, 'data')
  socket.write(`${HEAD}content-length: ${text.length}\r\nconnection: close\r\n\r\n`)
  for (let from = 0; from < text.length && !socket.destroyed; from += UPLOAD_BYTES_PER_SECOND) {
    socket.write(text.slice(from, from + UPLOAD_BYTES_PER_SECOND))
    await pause(1000)
  }
  const [head] = await Promise.race([response, once(socket, 'close').then(() => [''])])
  socket.destroy()
  const status = Number(/^HTTP\/1\.1 (\d+)/.exec(String(head))?.[1] ?? 0)
  return { status, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1').on('error', () => {})
  await once(socket, 'connect')
  return socket
}
