/** Bytes that were used recently, by key, up to a total size; the least recently used are dropped first. */
export class RecentBytes {
  readonly #kept = new Map<string, Buffer>()
  readonly #maxBytes: number
  #bytes = 0

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes
  }

  find(key: string): Buffer | undefined {
    const found = this.#kept.get(key)
    if (!found) return undefined
    this.#kept.delete(key)
    this.#kept.set(key, found)
    return found
  }

  add(key: string, bytes: Buffer): void {
    this.#drop(key)
    this.#kept.set(key, bytes)
    this.#bytes += bytes.length
    for (const oldest of this.#kept.keys()) {
      if (this.#bytes <= this.#maxBytes) return
      this.#drop(oldest)
    }
  }

  #drop(key: string): void {
    this.#bytes -= this.#kept.get(key)?.length ?? 0
    this.#kept.delete(key)
  }
}
