import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Keeps what only this pool may read, each purpose under a key of its own. */
export type Encryption = {
  /** Encrypts. What it belongs to (a row's id, say) is bound to it: sealed text moved elsewhere does not open. */
  seal(purpose: string, owner: string, plain: Uint8Array): Buffer
  /** The same again; undefined for what was changed, moved, or sealed under another secret. */
  open(purpose: string, owner: string, sealed: Uint8Array): Buffer | undefined
  /** A keyed hash of a short text: without the secret it cannot be found by trying. */
  hash(purpose: string, text: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/** AES-256-GCM (NIST SP 800-38D) under keys derived from the secret by HKDF (RFC 5869). Sealed: nonce, tag, ciphertext. */
export function createEncryption(secret: string): Encryption {
  const keyFor = (purpose: string) => Buffer.from(hkdfSync('sha256', secret, '', `dubplate ${purpose}`, 32))
  return {
    seal: (purpose, owner, plain) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(owner))
      const sealed = Buffer.concat([cipher.update(plain), cipher.final()])
      return Buffer.concat([nonce, cipher.getAuthTag(), sealed])
    },
    open: (purpose, owner, sealed) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const tag = sealed.subarray(NONCE_BYTES, NONCE_BYTES + TAG_BYTES)
      const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
      decipher.setAAD(Buffer.from(owner)).setAuthTag(tag)
      try {
        return Buffer.concat([decipher.update(sealed.subarray(NONCE_BYTES + TAG_BYTES)), decipher.final()])
      } catch {
        return undefined
      }
    },
    hash: (purpose, text) => createHmac('sha256', keyFor(purpose)).update(text).digest(),
  }
}
