import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

/** Encrypts data that only this pool may read, each purpose with its own key. */
export type Encryption = {
  /** Encrypts data and binds it to its owner (a row's id, for example): copied elsewhere, it cannot be decrypted. */
  seal(purpose: string, owner: string, plain: Uint8Array): Buffer
  /** Decrypts it; undefined if it was changed, moved, or encrypted with another secret. */
  open(purpose: string, owner: string, sealed: Uint8Array): Buffer | undefined
  /** A keyed hash of a short text: without the secret it cannot be found by brute force. */
  hash(purpose: string, text: string): Buffer
}

const NONCE_BYTES = 12
const TAG_BYTES = 16

/**
 * AES-256-GCM (NIST SP 800-38D) with keys derived from the secret by HKDF (RFC 5869). Format: nonce, tag, ciphertext.
 */
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
