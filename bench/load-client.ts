import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'

/** Input of the load client, as JSON on its standard input. */
export type Load = {
  port: number
  connections: number
  /** Sent in turn, distributed over all connections. */
  requests: { method: 'GET' | 'POST'; path: string; body?: unknown; headers?: Record<string, string> }[]
  /** Total number of requests, or how long to send them. */
  count?: number
  seconds?: number
  /** Each response is JSON whose `data.url` is requested too, as a part of the same request. */
  followsLinks?: boolean
}

/** Output of the load client. Latencies are in milliseconds, from the first byte sent to the last byte received. */
export type LoadResult = { requests: number; bytes: number; seconds: number; latencies: number[] }

const load = JSON.parse(readFileSync(0, 'utf8')) as Load
const requests = load.requests.map(toHttpBytes)
const latencies: number[] = []
const started = performance.now()
let sent = 0
let bytes = 0

function toHttpBytes({ method, path, body, headers }: Load['requests'][number]): Buffer {
  const payload = body === undefined ? '' : JSON.stringify(body)
  const all = {
    host: `127.0.0.1:${load.port}`,
    ...(payload ? { 'content-type': 'application/json', 'content-length': Buffer.byteLength(payload) } : {}),
    ...headers,
  }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${payload}`)
}

const hasFinished = (): boolean =>
  load.count === undefined ? performance.now() - started >= (load.seconds ?? 1) * 1000 : sent >= load.count

/**
 * Sends requests one after another over one keep-alive connection. It uses little CPU, so that the server is the
 * bottleneck.
 */
function drive(socket: Socket): Promise<void> {
  return new Promise((resolve, failed) => {
    let head: Buffer = Buffer.alloc(0)
    let remainingBytes = -1
    let startedAt = 0
    let link: Buffer[] | undefined
    const send = (bytes: Buffer) => {
      remainingBytes = -1
      head = Buffer.alloc(0)
      socket.write(bytes)
    }
    const next = () => {
      if (hasFinished()) return socket.end(resolve)
      startedAt = performance.now()
      link = load.followsLinks ? [] : undefined
      send(requests[sent++ % requests.length]!)
    }
    socket.on('data', (chunk: Buffer) => {
      let body = chunk
      if (remainingBytes < 0) {
        head = head.length > 0 ? Buffer.concat([head, chunk]) : chunk
        const end = head.indexOf('\r\n\r\n')
        if (end < 0) return
        remainingBytes = bodyLength(head.subarray(0, end).toString('latin1'))
        body = head.subarray(end + 4)
      }
      remainingBytes -= body.length
      bytes += body.length
      link?.push(body)
      if (remainingBytes > 0) return
      if (link) {
        const { data } = JSON.parse(Buffer.concat(link).toString('utf8')) as { data: { url: string } }
        link = undefined
        return send(toHttpBytes({ method: 'GET', path: data.url }))
      }
      latencies.push(performance.now() - startedAt)
      next()
    })
    socket.on('error', failed)
    socket.on('close', () =>
      remainingBytes > 0 ? failed(new Error('The server closed the connection during a response.')) : resolve(),
    )
    next()
  })
}

function bodyLength(head: string): number {
  const status = Number(head.slice(9, 12))
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1]
  if ((status !== 200 && status !== 206) || length === undefined)
    throw new Error(`Response without Content-Length or not OK: ${head}`)
  return Number(length)
}

const open = (): Promise<Socket> =>
  new Promise((resolve, failed) => {
    const socket = connect(load.port, '127.0.0.1', () => resolve(socket.setNoDelay(true)))
    socket.once('error', failed)
  })

await Promise.all(Array.from({ length: load.connections }, async () => drive(await open())))
const seconds = (performance.now() - started) / 1000
process.stdout.write(JSON.stringify({ requests: latencies.length, bytes, seconds, latencies } satisfies LoadResult))
