import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'

export type RecordedRequest = { method: string; path: string; headers: IncomingMessage['headers']; bytes: number }

/** A bucket on its own server, and ways to make it fail. */
export type TestBucket = {
  /** The environment settings of a pool with this bucket. */
  settings: { STORAGE_URL: string; STORAGE_ACCESS_KEY_ID: string; STORAGE_SECRET_ACCESS_KEY: string }
  endpoint: string
  /** The recorded requests. */
  requests: RecordedRequest[]
  /** The number of replies in progress. */
  countActive(): number
  /** Called for every request before the response. */
  onRequest(listener: (requests: RecordedRequest) => void): void
  /** Breaks all open and new connections until it is called with false. */
  setUnavailable(isUnavailable: boolean): void
  /** Each of the next replies breaks off after this many bytes of its body, or ends there as if it were complete. */
  breakReplies(times: number, afterBytes: number, how?: 'broken' | 'ended'): void
  close(): Promise<void>
}

/**
 * s3rver implements the protocol and checks signatures, but not the hash of a body. The proxy in front of it does, like
 * Amazon's server, and breaks connections for the tests.
 */
export async function startBucket(prefix = 'pool'): Promise<TestBucket> {
  const directory = mkdtempSync(path.join(tmpdir(), 'dubplate-bucket-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false, directory }
  const server = new S3rver({ ...options, configureBuckets: [{ name: 'music' }] })
  const { port } = await server.run()
  const requests: RecordedRequest[] = []
  const sockets = new Set<Socket>()
  const countActive = new Set<ServerResponse>()
  let listener = (_asked: RecordedRequest): void => {}
  let isUnavailable = false
  let breakPlan: Break & { times: number } = { times: 0, afterBytes: 0, how: 'broken' }
  const proxy = createServer(async (incoming, reply) => {
    const body = await readBody(incoming)
    const { method = '', url = '', headers } = incoming
    requests.push({ method, path: url, headers, bytes: body.length })
    listener({ method, path: url, headers, bytes: body.length })
    if (!hasValidChecksum(incoming, body)) return reply.writeHead(400).end(MISMATCH)
    const breaks = incoming.method === 'GET' && breakPlan.times-- > 0 ? breakPlan : undefined
    countActive.add(reply)
    reply.on('close', () => countActive.delete(reply))
    forwardRequest(port, incoming, body, reply, breaks)
  })
  proxy.on('connection', (socket) => {
    if (isUnavailable) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    endpoint,
    requests,
    countActive: () => countActive.size,
    onRequest: (onRequest) => {
      listener = onRequest
    },
    settings: {
      STORAGE_URL: `s3://music/${prefix}?endpoint=${endpoint}&redirect=on`,
      STORAGE_ACCESS_KEY_ID: 'S3RVER',
      STORAGE_SECRET_ACCESS_KEY: 'S3RVER',
    },
    setUnavailable: (setUnavailable) => {
      isUnavailable = setUnavailable
      if (setUnavailable) for (const socket of sockets) socket.destroy()
    },
    breakReplies: (times, afterBytes, how = 'broken') => {
      breakPlan = { times, afterBytes, how }
    },
    close: async () => {
      for (const socket of sockets) socket.destroy()
      proxy.close()
      await server.close()
      rmSync(directory, { recursive: true, force: true })
    },
  }
}

type Break = { afterBytes: number; how: 'broken' | 'ended' }

const MISMATCH = '<Error><Code>XAmzContentSHA256Mismatch</Code></Error>'

async function readBody(incoming: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of incoming) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function hasValidChecksum({ headers }: IncomingMessage, body: Buffer): boolean {
  const declaredHash = String(headers['x-amz-content-sha256'] ?? '')
  return !/^[0-9a-f]{64}$/.test(declaredHash) || declaredHash === createHash('sha256').update(body).digest('hex')
}

/**
 * s3rver verifies the signature of `/music/`, which the SDK sends, as that of `/music`; without a signature it lists as
 * well.
 */
const isListing = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && /^\/music\/?\?(?=.*prefix=)/.test(url)

function forwardRequest(
  port: number,
  incoming: IncomingMessage,
  body: Buffer,
  reply: ServerResponse,
  breaks?: Break,
): void {
  const { method, url: path } = incoming
  const headers = { ...incoming.headers }
  if (isListing(incoming)) delete headers.authorization
  const maxBytes = breaks?.afterBytes ?? Number.POSITIVE_INFINITY
  const forwarded = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    const replyHeaders = { ...answer.headers }
    if (breaks?.how === 'ended') delete replyHeaders['content-length']
    reply.writeHead(answer.statusCode ?? 500, replyHeaders)
    let sent = 0
    const interruptReply = () => (breaks?.how === 'ended' ? reply.end() : reply.destroy())
    answer.on('data', (chunk: Buffer) => {
      const part = chunk.subarray(0, maxBytes - sent)
      sent += part.length
      if (part.length > 0) reply.write(part, () => sent >= maxBytes && interruptReply())
      else if (sent >= maxBytes) interruptReply()
    })
    answer.on('end', () => reply.end())
  })
  forwarded.on('error', () => reply.destroy())
  reply.on('close', () => forwarded.destroy())
  forwarded.end(body)
}
