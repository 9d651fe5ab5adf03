import { createHash } from 'node:crypto'
import { compress, type Encoding } from './compression.ts'

/** A rendered reply: its bytes, its ETag and its compressed forms, each made when it is first requested. */
export type Rendered = { bytes: Buffer; etag: string; compressed: Map<Encoding, Buffer> }

type CachedReply = { reply: Promise<Rendered>; expiresAt: number; bytes: number }

const CACHE_TTL_MS = 1000
const MAX_CACHED_BYTES = 32 * 1024 * 1024

/**
 * Caches the bytes of replies that are the same for everyone, each for at most a second, or for good if it never changes.
 * Concurrent requests share one rendering.
 */
export class SharedReplies {
  readonly #kept = new Map<string, CachedReply>()
  readonly #constant = new Map<string, Promise<Rendered>>()
  #bytes = 0

  /** Returns the reply of a key that never changes; renders it once. A failed rendering is not cached. */
  getConstant(key: string, render: () => Promise<Buffer>): Promise<Rendered> {
    const found = this.#constant.get(key)
    if (found) return found
    const reply = render().then(withEtag)
    this.#constant.set(key, reply)
    reply.catch(() => this.#constant.delete(key))
    return reply
  }

  /** Returns the cached reply of a key, or renders it. A failed rendering is not cached. */
  getOrRender(key: string, render: () => Promise<Buffer>): Promise<Rendered> {
    const now = Date.now()
    const found = this.#kept.get(key)
    if (found && found.expiresAt > now) return found.reply
    this.#dropExpired(now)
    const cachedReplies: CachedReply = { reply: render().then(withEtag), expiresAt: now + CACHE_TTL_MS, bytes: 0 }
    this.#drop(key)
    this.#kept.set(key, cachedReplies)
    cachedReplies.reply.then(
      ({ bytes }) => this.#count(key, cachedReplies, (bytes.length + key.length) * 2),
      () => this.#kept.get(key) === cachedReplies && this.#drop(key),
    )
    return cachedReplies.reply
  }

  /** How many replies are cached, rendered or being rendered. */
  get size(): number {
    return this.#kept.size
  }

  /** The oldest replies are the first to expire: they are all kept equally long. */
  #dropExpired(now: number): void {
    for (const [key, { expiresAt }] of this.#kept) {
      if (expiresAt > now) return
      this.#drop(key)
    }
  }

  #count(key: string, cachedReplies: CachedReply, bytes: number): void {
    if (this.#kept.get(key) !== cachedReplies) return
    cachedReplies.bytes = bytes
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MAX_CACHED_BYTES) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}

const withEtag = (bytes: Buffer): Rendered => ({
  bytes,
  etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
  compressed: new Map(),
})

/** Returns the bytes of a reply in this encoding, compressed once. */
export function compressedForm({ bytes, compressed }: Rendered, encoding: Encoding): Buffer {
  const form = compressed.get(encoding) ?? compress(bytes, encoding)
  compressed.set(encoding, form)
  return form
}
