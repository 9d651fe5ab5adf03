import { createHash, type Hash } from 'node:crypto'

export type ContentHash = {
  update(bytes: Uint8Array): void
  /** In hex. Nothing can be added afterwards. */
  digest(): string
}

const DROPBOX_BLOCK_BYTES = 4 * 1024 * 1024

/**
 * Dropbox's `content_hash`: the SHA-256 of the SHA-256 of each block of 4 MiB
 * (https://www.dropbox.com/developers/reference/content-hash).
 */
export function dropboxContentHash(): ContentHash {
  const whole = createHash('sha256')
  let block: Hash | undefined
  let blockBytes = 0
  const closeBlock = () => {
    if (block) whole.update(block.digest())
    block = undefined
    blockBytes = 0
  }
  return {
    update: (bytes) => {
      for (let from = 0; from < bytes.length; ) {
        block ??= createHash('sha256')
        const part = bytes.subarray(from, from + DROPBOX_BLOCK_BYTES - blockBytes)
        block.update(part)
        blockBytes += part.length
        from += part.length
        if (blockBytes === DROPBOX_BLOCK_BYTES) closeBlock()
      }
    },
    digest: () => {
      closeBlock()
      return whole.digest('hex')
    },
  }
}

/** `md5Checksum` of the Google Drive API. Detects damage; nothing relies on it for security. */
export function md5Hash(): ContentHash {
  const hash = createHash('md5')
  return { update: (bytes) => void hash.update(bytes), digest: () => hash.digest('hex') }
}
