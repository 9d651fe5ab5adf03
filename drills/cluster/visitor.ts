import { once } from 'node:events'
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'

/** What all visitors of a drill experienced, counted from its start. */
export type Traffic = {
  requests: number
  /** Answers 503 with Retry-After, which visitors repeat. */
  unavailable: number
  /** Downloads that broke off and were continued from their byte. */
  resumed: number
  /** Requests without an answer, or with one that a visitor cannot act on. */
  lost: string[]
  /** When the last request was answered with 503 or lost, as performance.now(). */
  lastFailureAt: number
}

export const createTraffic = (): Traffic => ({ requests: 0, unavailable: 0, resumed: 0, lost: [], lastFailureAt: 0 })

export type Answer = { status: number; headers: IncomingHttpHeaders; body: Buffer; isWhole: boolean }
type Sent = { method?: string; headers?: Record<string, string>; body?: Buffer | string }

const TIMEOUT_MS = 120_000
const LOST_PAUSE_MS = 1000

/** A visitor with a network address of their own. Repeats requests as a browser does: after Retry-After. */
export class Visitor {
  token = ''
  readonly #origin: string
  readonly #traffic: Traffic
  readonly #agent: Agent

  /** `number`, below 65536, gives the address, of 127.0.0.0/8, which belongs to this machine. */
  constructor(origin: string, traffic: Traffic, number: number) {
    this.#origin = origin
    this.#traffic = traffic
    const localAddress = `127.10.${number >> 8}.${number & 255}`
    this.#agent = new Agent({ keepAlive: true, maxSockets: 4, localAddress, rejectUnauthorized: false })
  }

  close(): void {
    this.#agent.destroy()
  }

  /**
   * Calls an endpoint until it is answered. Returns its data, or the error code if it is one of `expected`. Throws an Error
   * for any other answer, which counts as lost.
   */
  async ask<T>(path: string, input: object, expected: readonly string[] = []): Promise<{ data: T; code?: string }> {
    const headers = { 'content-type': 'application/json', ...this.authorization }
    return this.#parse<T>(
      path,
      await this.send(`/api/${path}`, { method: 'POST', headers, body: JSON.stringify(input) }),
      expected,
    )
  }

  /** Calls an endpoint once, without a repetition. Returns whether it succeeded. */
  async tryOnce(path: string, input: object): Promise<boolean> {
    this.#traffic.requests++
    const headers = { 'content-type': 'application/json', ...this.authorization }
    const body = JSON.stringify(input)
    const answer = await this.#sendOnce(`/api/${path}`, { method: 'POST', headers, body }).catch(
      (error: Error) => error,
    )
    if (!(answer instanceof Error) && answer.status === 200 && answer.isWhole) return true
    if (answer instanceof Error || !this.#isUnavailable(answer)) this.#lose(path, answer)
    return false
  }

  /** Uploads a file with the form of `upload/songs.json`. */
  async upload(name: string, bytes: Buffer): Promise<{ data: unknown; code?: string }> {
    const boundary = 'drill-8f1b6c'
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="UploadForm[mp3Files]"; filename="${name}"\r\ncontent-type: audio/wav\r\n\r\n`
    const body = Buffer.concat([Buffer.from(head), bytes, Buffer.from(`\r\n--${boundary}--\r\n`)])
    const headers = { 'content-type': `multipart/form-data; boundary=${boundary}`, ...this.authorization }
    const answer = await this.send('/api/upload/songs.json', { method: 'POST', headers, body })
    return this.#parse('upload/songs.json', answer, ['already_uploaded'])
  }

  /** Downloads a link completely: a transfer that breaks off is continued from its byte. */
  async download(url: string): Promise<Buffer> {
    const parts: Buffer[] = []
    for (let etag: string | undefined; ; ) {
      const have = parts.reduce((sum, part) => sum + part.length, 0)
      const range = have > 0 && etag ? { range: `bytes=${have}-`, 'if-range': etag } : undefined
      const answer = await this.send(url, { headers: range ?? {} })
      if (answer.status === 200) parts.length = 0
      if (answer.status !== 200 && answer.status !== 206) throw this.#lose(`GET ${shorten(url)}`, answer)
      parts.push(answer.body)
      if (answer.isWhole) return Buffer.concat(parts)
      this.#traffic.resumed++
      etag = String(answer.headers.etag)
    }
  }

  /** Sends a request until the answer is not 503 with Retry-After. */
  async send(path: string, sent: Sent): Promise<Answer> {
    for (;;) {
      this.#traffic.requests++
      const answer = await this.#sendOnce(path, sent).catch((error: Error) => error)
      if (answer instanceof Error) {
        this.#lose(`${sent.method ?? 'GET'} ${shorten(path)}`, answer)
        await pause(LOST_PAUSE_MS)
        continue
      }
      if (!this.#isUnavailable(answer)) return answer
      await pause(Number(answer.headers['retry-after']) * 1000)
    }
  }

  /** Returns whether an answer is 503 with Retry-After, and counts it. */
  #isUnavailable({ status, headers }: Answer): boolean {
    if (status !== 503 || !(Number(headers['retry-after']) > 0)) return false
    this.#traffic.unavailable++
    this.#traffic.lastFailureAt = performance.now()
    return true
  }

  /** Sends a request once. Rejects if there is no answer; a body that breaks off is returned with `isWhole` false. */
  async #sendOnce(path: string, { method = 'GET', headers = {}, body }: Sent): Promise<Answer> {
    const length = body === undefined ? {} : { 'content-length': String(Buffer.byteLength(body)) }
    const request = httpsRequest(this.#origin + path, {
      ...{ method, agent: this.#agent, headers: { ...headers, ...length }, timeout: TIMEOUT_MS },
    })
    request.on('timeout', () => request.destroy(new Error(`no answer in ${TIMEOUT_MS / 1000} s`)))
    const answered = once(request, 'response') as Promise<[IncomingMessage]>
    request.end(body)
    const [response] = await answered
    const chunks: Buffer[] = []
    let isWhole = true
    try {
      for await (const chunk of response) chunks.push(chunk as Buffer)
    } catch {
      isWhole = false
    }
    return { status: response.statusCode ?? 0, headers: response.headers, body: Buffer.concat(chunks), isWhole }
  }

  get authorization(): Record<string, string> {
    return this.token ? { authorization: `Bearer ${this.token}` } : {}
  }

  #parse<T>(path: string, answer: Answer, expected: readonly string[]): { data: T; code?: string } {
    if (!answer.isWhole) throw this.#lose(path, new Error('the answer broke off'))
    try {
      const reply = JSON.parse(String(answer.body)) as { data: T; code?: string }
      if (answer.status === 200) return { data: reply.data }
      if (reply.code && expected.includes(reply.code)) return { data: reply.data, code: reply.code }
    } catch {
      // Not JSON: counted below.
    }
    throw this.#lose(path, answer)
  }

  #lose(what: string, why: Answer | Error): Error {
    const reason = why instanceof Error ? why.message : `${why.status} ${String(why.body).slice(0, 200)}`
    this.#traffic.lost.push(`${what}: ${reason}`)
    this.#traffic.lastFailureAt = performance.now()
    return new Error(`${what}: ${reason}`)
  }
}

/** Links contain signatures: only the beginning of a path names the request. */
const shorten = (path: string) => path.slice(0, 40)
