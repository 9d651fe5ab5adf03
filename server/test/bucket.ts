import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import S3rver from '@20minutes/s3rver'

export type Asked = { method: string; path: string; headers: IncomingMessage['headers']; bytes: number }

/** A bucket at a server of its own, and what can happen to it. */
export type TestBucket = {
  /** What the environment of a pool says about it. */
  settings: { STORAGE_URL: string; STORAGE_ACCESS_KEY_ID: string; STORAGE_SECRET_ACCESS_KEY: string }
  endpoint: string
  /** What was asked of it so far. */
  asked: Asked[]
  /** How many replies are on their way. */
  sending(): number
  /** Called with all that is asked, before it is answered. */
  onAsked(listener: (asked: Asked) => void): void
  /** Breaks every connection, those that are open and those that come, until told otherwise. */
  away(isAway: boolean): void
  /** Each of the next so many replies breaks off after so many bytes of its body, or ends there as if that were all. */
  breakReplies(times: number, afterBytes: number, how?: 'broken' | 'ended'): void
  close(): Promise<void>
}

/**
 * s3rver knows the protocol and checks signatures; it does not look at what the hash of a body says. The proxy in front of
 * it does, as Amazon's server does, and breaks what a test wants broken.
 */
export async function startBucket(prefix = 'pool'): Promise<TestBucket> {
  const directory = mkdtempSync(path.join(tmpdir(), 'dubplate-bucket-'))
  const options = { address: '127.0.0.1', port: 0, silent: true, vhostBuckets: false, directory }
  const server = new S3rver({ ...options, configureBuckets: [{ name: 'music' }] })
  const { port } = await server.run()
  const asked: Asked[] = []
  const sockets = new Set<Socket>()
  const sending = new Set<ServerResponse>()
  let listener = (_asked: Asked): void => {}
  let isAway = false
  let broken: Break & { times: number } = { times: 0, afterBytes: 0, how: 'broken' }
  const proxy = createServer(async (asking, reply) => {
    const body = await bodyOf(asking)
    const { method = '', url = '', headers } = asking
    asked.push({ method, path: url, headers, bytes: body.length })
    listener({ method, path: url, headers, bytes: body.length })
    if (!isWhatItSays(asking, body)) return reply.writeHead(400).end(MISMATCH)
    const breaks = asking.method === 'GET' && broken.times-- > 0 ? broken : undefined
    sending.add(reply)
    reply.on('close', () => sending.delete(reply))
    pass(port, asking, body, reply, breaks)
  })
  proxy.on('connection', (socket) => {
    if (isAway) return socket.destroy()
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const endpoint = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`
  return {
    endpoint,
    asked,
    sending: () => sending.size,
    onAsked: (heard) => {
      listener = heard
    },
    settings: {
      STORAGE_URL: `s3://music/${prefix}?endpoint=${endpoint}&redirect=on`,
      STORAGE_ACCESS_KEY_ID: 'S3RVER',
      STORAGE_SECRET_ACCESS_KEY: 'S3RVER',
    },
    away: (away) => {
      isAway = away
      if (away) for (const socket of sockets) socket.destroy()
    },
    breakReplies: (times, afterBytes, how = 'broken') => {
      broken = { times, afterBytes, how }
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

async function bodyOf(asking: IncomingMessage): Promise<Buffer> {
  const pieces: Buffer[] = []
  for await (const piece of asking) pieces.push(piece)
  return Buffer.concat(pieces)
}

function isWhatItSays({ headers }: IncomingMessage, body: Buffer): boolean {
  const told = String(headers['x-amz-content-sha256'] ?? '')
  return !/^[0-9a-f]{64}$/.test(told) || told === createHash('sha256').update(body).digest('hex')
}

/** s3rver takes the signature of `/music/`, which the SDK asks for, as that of `/music`; without one it lists as well. */
const isListing = ({ method, url = '' }: IncomingMessage): boolean =>
  method === 'GET' && /^\/music\/?\?(?=.*prefix=)/.test(url)

function pass(port: number, asking: IncomingMessage, body: Buffer, reply: ServerResponse, breaks?: Break): void {
  const { method, url: path } = asking
  const headers = { ...asking.headers }
  if (isListing(asking)) delete headers.authorization
  const most = breaks?.afterBytes ?? Number.POSITIVE_INFINITY
  const passed = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (answer) => {
    const answered = { ...answer.headers }
    if (breaks?.how === 'ended') delete answered['content-length']
    reply.writeHead(answer.statusCode ?? 500, answered)
    let sent = 0
    const breakOff = () => (breaks?.how === 'ended' ? reply.end() : reply.destroy())
    answer.on('data', (piece: Buffer) => {
      const part = piece.subarray(0, most - sent)
      sent += part.length
      if (part.length > 0) reply.write(part, () => sent >= most && breakOff())
      else if (sent >= most) breakOff()
    })
    answer.on('end', () => reply.end())
  })
  passed.on('error', () => reply.destroy())
  reply.on('close', () => passed.destroy())
  passed.end(body)
}
