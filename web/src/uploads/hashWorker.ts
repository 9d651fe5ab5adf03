import { sha256 } from '@noble/hashes/sha2.js'
import { bytesToHex } from '@noble/hashes/utils.js'

/** What the worker says: how far it is, then the SHA-256 in hex; or why the file could not be read. */
export type Hashed = { share: number } | { sha256: string } | { failed: string }

/** Read in pieces: a file of 500 MB never lies in memory as a whole. */
const PIECE_BYTES = 4 * 1024 * 1024

const tell = (said: Hashed) => postMessage(said)

async function measure(file: Blob): Promise<void> {
  const hash = sha256.create()
  for (let at = 0; at < file.size; at += PIECE_BYTES) {
    hash.update(new Uint8Array(await file.slice(at, at + PIECE_BYTES).arrayBuffer()))
    tell({ share: Math.min(1, (at + PIECE_BYTES) / file.size) })
  }
  tell({ sha256: bytesToHex(hash.digest()) })
}

addEventListener('message', ({ data }: MessageEvent<Blob>) => {
  measure(data).catch((error: unknown) => tell({ failed: String(error) }))
})
