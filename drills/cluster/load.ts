import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { makeWav } from '../../server/test/audio-files.ts'
import type { Acknowledged } from './ledger.ts'
import { createTraffic, Visitor } from './visitor.ts'

export type LoadOptions = {
  origin: string
  password: string
  /** Members without a plan: each visit takes one. */
  members: { customer_id: number; email: string }[]
  versions: number[]
  plan: number
}

const PARALLEL_VISITS = 5
const DOWNLOADS_PER_VISIT = 3
/** Uploads are analysed, which takes a second of CPU: only one visit in this many sends one. */
const VISITS_PER_UPLOAD = 3
/** Between the requests of a member, so that the machine is busy but not overloaded. */
const PAUSE_MS = 100
/** A payment whose request was interrupted is in progress for up to a minute, and then found at the provider. */
const IN_PROGRESS_PAUSE_MS = 5000
/** How often a write is tried, to measure when writes work again. */
const PROBE_INTERVAL_MS = 250

const CARD = {
  cardholder_name: 'Drill',
  card_number: '4242 4242 4242 4242',
  card_type: 'Visa',
  expire_date: '12/40',
  ccv: '123',
}

/** Members who sign in, search, pay, download and upload without end, and what was confirmed to them. */
export class Load {
  readonly traffic = createTraffic()
  readonly acknowledged: Acknowledged = { payments: new Set(), downloads: new Set(), uploads: new Map() }
  /** The writes of the probe, in their order; times as performance.now(). */
  readonly writes: { startedAt: number; endedAt: number; succeeded: boolean }[] = []
  readonly #options: LoadOptions
  #visits = 0
  #isStopping = false
  #running: Promise<unknown> = Promise.resolve()

  constructor(options: LoadOptions) {
    this.#options = options
  }

  start(): void {
    const visitAgain = async () => {
      while (!this.#isStopping) await this.#visit(this.#visits++)
    }
    this.#running = Promise.all([...Array.from({ length: PARALLEL_VISITS }, visitAgain), this.#probe()])
    // Reported by `stop`: an error before that must not end the process while the cluster runs.
    this.#running.catch(() => {})
  }

  /** Resolves when the visits in progress have ended. Rejects if the load could not be kept up. */
  async stop(): Promise<void> {
    this.#isStopping = true
    await this.#running
  }

  async #visit(index: number): Promise<void> {
    const member = this.#options.members[index]
    if (!member) throw new Error('The drill has no members left.')
    const visitor = new Visitor(this.#options.origin, this.traffic, index)
    try {
      await this.#signIn(visitor, member.email)
      await this.#browse(visitor, index)
      await this.#pay(visitor, member.customer_id)
      for (let n = 0; n < DOWNLOADS_PER_VISIT; n++) await this.#download(visitor, member.customer_id, index + n)
      if (index % VISITS_PER_UPLOAD === 0) await this.#upload(visitor, member.customer_id, index)
    } catch {
      // The visit ends early: its request is in `traffic.lost`.
    } finally {
      visitor.close()
    }
  }

  async #signIn(visitor: Visitor, email: string): Promise<void> {
    const { password } = this.#options
    const { data } = await visitor.ask<{ token: string }>('customer/sign-in.json', { email, password })
    visitor.token = data.token
    await pause(PAUSE_MS)
  }

  async #browse(visitor: Visitor, index: number): Promise<void> {
    await visitor.ask('song/get-new-release.json', { page: 1 })
    await pause(PAUSE_MS)
    await visitor.ask('song/search.json', { searchTerm: `drill ${index % 10}` })
    await pause(PAUSE_MS)
  }

  /** A repeated payment is answered with already_subscribed: the first one was made. */
  async #pay(visitor: Visitor, customerId: number): Promise<void> {
    const input = { formData: CARD, subscription: this.#options.plan }
    for (;;) {
      const expected = ['already_subscribed', 'payment_in_progress']
      const { code } = await visitor.ask('subscription/pay-by-card.json', input, expected)
      await pause(PAUSE_MS)
      if (code !== 'payment_in_progress') break
      await pause(IN_PROGRESS_PAUSE_MS)
    }
    this.acknowledged.payments.add(customerId)
  }

  async #download(visitor: Visitor, customerId: number, index: number): Promise<void> {
    const { versions } = this.#options
    const version = versions[index % versions.length] ?? 0
    const { data } = await visitor.ask<{ url: string; bytes: number }>('download/song-version.json', { version })
    const bytes = await visitor.download(data.url)
    if (bytes.length !== data.bytes)
      this.traffic.lost.push(`a download of ${data.bytes} bytes arrived with ${bytes.length}`)
    else this.acknowledged.downloads.add(`${customerId} ${version}`)
    await pause(PAUSE_MS)
  }

  async #upload(visitor: Visitor, customerId: number, index: number): Promise<void> {
    const bytes = makeWav({ seconds: 1, tone: 200 + index })
    await visitor.upload(`Drill - Upload ${index} (Clean).wav`, bytes)
    this.acknowledged.uploads.set(`${customerId} ${createHash('sha256').update(bytes).digest('hex')}`, bytes.length)
  }

  /** A member changes their crate four times a second, without waiting for Retry-After. */
  async #probe(): Promise<void> {
    const member = this.#options.members.at(-1)
    if (!member) return
    const visitor = new Visitor(this.#options.origin, this.traffic, this.#options.members.length)
    await this.#signIn(visitor, member.email)
    const { versions } = this.#options
    for (let n = 0; !this.#isStopping; n++) {
      const startedAt = performance.now()
      const input = { version_ids: [versions[n % versions.length]], action: n % 2 ? 'remove' : 'add' }
      const succeeded = await visitor.tryOnce('crate/change.json', input)
      this.writes.push({ startedAt, endedAt: performance.now(), succeeded })
      await pause(PROBE_INTERVAL_MS)
    }
    visitor.close()
  }
}
