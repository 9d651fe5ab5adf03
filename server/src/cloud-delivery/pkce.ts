import { createHash, randomBytes } from 'node:crypto'

/** A code verifier and its challenge (RFC 7636, 4.1 and 4.2). */
export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url')
  return { verifier, challenge: challengeOf(verifier) }
}

export const challengeOf = (verifier: string): string => createHash('sha256').update(verifier).digest('base64url')
