import { createHash } from 'node:crypto'

/** The hashes of the providers, written a second time for comparison. */

export const md5 = (bytes: Buffer): string => createHash('md5').update(bytes).digest('hex')

const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest()

export function dropboxHash(bytes: Buffer): string {
  const block = 4 * 1024 * 1024
  const count = Math.ceil(bytes.length / block)
  const hashes = Array.from({ length: count }, (_, n) => sha256(bytes.subarray(n * block, (n + 1) * block)))
  return sha256(Buffer.concat(hashes)).toString('hex')
}
