import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** A message of the worker: the progress, then the SHA-256 in hex; or why the file could not be read. */
export type HashMessage = { share: number } | { sha256: string } | { failed: string }

/** Read in chunks: a file of 500 MB is never in memory as a whole. */
const HASH_CHUNK_BYTES = 4 * 1024 * 1024

const postProgress = (message: HashMessage) => postMessage(message)

async function measure(file: Blob): Promise<void> {
  const hash = sha256.create()
  for (let at = 0; at < file.size; at += HASH_CHUNK_BYTES) {
    hash.update(new Uint8Array(await file.slice(at, at + HASH_CHUNK_BYTES).arrayBuffer()))
    postProgress({ share: Math.min(1, (at + HASH_CHUNK_BYTES) / file.size) })
  }
  postProgress({ sha256: bytesToHex(hash.digest()) })
}

addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  measure(data).catch((error: unknown) => postProgress({ failed: String(error) }))
})
