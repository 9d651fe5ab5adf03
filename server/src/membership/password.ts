import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import type argon2 from '@node-rs/argon2'
import { createLimiter } from '../platform/concurrency-limiter.ts'
import { loadOnFirstUse } from '../platform/on-first-use.ts'

const loadArgon2 = loadOnFirstUse<typeof argon2>('@node-rs/argon2')

/** argon2id at OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. */
const ARGON2_OPTIONS = {
  algorithm: 2 satisfies argon2.Algorithm.Argon2id as argon2.Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/**
 * Hashing uses a core and one of libuv's four threads, which sending files needs too, so at most two run at once.
 * Measured on two cores with a hundred simultaneous sign-ins (`npm run bench -- sign-in`): two at once handle twice as
 * many as one, and lists still respond in a few milliseconds.
 */
export const hashingLimiter = createLimiter({
  concurrency: Math.min(2, availableParallelism()),
  maxWaiting: 200,
})

/** Stored instead of a hash when there is no password: no password matches it. */
export const UNUSABLE_PASSWORD_HASH = '!'

/** Throws `service_unavailable` when too many requests are waiting. */
export const hashPassword = (password: string): Promise<string> =>
  hashingLimiter.pass(() => loadArgon2().hash(password.normalize('NFKC'), ARGON2_OPTIONS))

const toUnpaddedBase64 = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** A hash of the same cost that matches no known password. */
const DUMMY_HASH = `$argon2id$v=19$m=${ARGON2_OPTIONS.memoryCost},t=${ARGON2_OPTIONS.timeCost},p=1$${toUnpaddedBase64(randomBytes(16))}$${toUnpaddedBase64(randomBytes(32))}`

/**
 * Returns false for an unreadable hash, as of an account without a password. Takes equally long for such an account and
 * for an unknown address, so that the duration does not reveal which addresses have accounts. Throws
 * `service_unavailable`.
 */
export function verifyPassword(password: string, passwordHash: string | undefined): Promise<boolean> {
  const candidate = password.normalize('NFKC')
  const { verify } = loadArgon2()
  const verifyDummy = () => verify(DUMMY_HASH, candidate).then(() => false)
  return hashingLimiter.pass(() =>
    passwordHash === undefined ? verifyDummy() : verify(passwordHash, candidate).catch(verifyDummy),
  )
}
