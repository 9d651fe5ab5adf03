import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'

/** A rendered reply: its bytes, its ETag and, once somebody asked for it, its gzip form. */
export type Rendered = { bytes: Buffer; etag: string; gzip?: Buffer }

type Kept = { reply: Promise<Rendered>; until: number; bytes: number }

const LIFE_MS = 1000
const MOST_BYTES = 32 * 1024 * 1024

/**
 * Keeps the bytes of replies that are the same for everybody, each for at most a second. Requests that come together wait
 * for one rendering.
 */
export class SharedReplies {
  readonly #kept = new Map<string, Kept>()
  #bytes = 0

  /** The reply kept under a key, or the one that `render` makes. A rendering that fails is not kept. */
  take(key: string, render: () => Promise<Buffer>): Promise<Rendered> {
    const now = Date.now()
    const found = this.#kept.get(key)
    if (found && found.until > now) return found.reply
    const kept: Kept = { reply: render().then(withTag), until: now + LIFE_MS, bytes: 0 }
    this.#drop(key)
    this.#kept.set(key, kept)
    kept.reply.then(
      ({ bytes }) => this.#count(key, kept, (bytes.length + key.length) * 2),
      () => this.#kept.get(key) === kept && this.#drop(key),
    )
    return kept.reply
  }

  #count(key: string, kept: Kept, bytes: number): void {
    if (this.#kept.get(key) !== kept) return
    kept.bytes = bytes
    this.#bytes += bytes
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= MOST_BYTES) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.bytes ?? 0
    this.#kept.delete(key)
  }
}

const withTag = (bytes: Buffer): Rendered => ({
  bytes,
  etag: `"${createHash('sha1').update(bytes).digest('base64url')}"`,
})

/** The gzip form, made once; small replies travel as they are. */
export const gzipped = (reply: Rendered): Buffer => {
  reply.gzip ??= gzipSync(reply.bytes, { level: 4 })
  return reply.gzip
}
