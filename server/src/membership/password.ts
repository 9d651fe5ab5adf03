import { randomBytes } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { type Algorithm, hash, verify } from '@node-rs/argon2'
import { makeGate } from '../platform/gate.ts'

/** argon2id at OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. */
const OPTIONS = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

/**
 * A hash keeps a core and one of libuv's four threads, which sending files needs too: half of those at most. Measured on
 * two cores with a hundred at the door (`npm run bench -- sign-in`): two at once let in twice as many as one, and the
 * lists still answer in a few milliseconds.
 */
export const hashingGate = makeGate({
  atOnce: Math.min(2, availableParallelism()),
  mayWait: 200,
})

/** What stands in place of a hash where there is no password: no text has it. */
export const NO_PASSWORD = '!'

/** Refuses `service_unavailable` when too many wait for theirs. */
export const hashPassword = (password: string): Promise<string> =>
  hashingGate.pass(() => hash(password.normalize('NFKC'), OPTIONS))

const unpadded = (bytes: Buffer): string => bytes.toString('base64').replaceAll('=', '')

/** A hash that no password is known to have, of the same cost. */
const NOBODY = `$argon2id$v=19$m=${OPTIONS.memoryCost},t=${OPTIONS.timeCost},p=1$${unpadded(randomBytes(16))}$${unpadded(randomBytes(32))}`

/**
 * False for a hash that cannot be read, that of an account without a password. Takes as long for such an account and for
 * an address without one, so that the time does not tell which addresses have one. Refuses `service_unavailable`.
 */
export function passwordIs(password: string, passwordHash: string | undefined): Promise<boolean> {
  const given = password.normalize('NFKC')
  const verifyNobody = () => verify(NOBODY, given).then(() => false)
  return hashingGate.pass(() =>
    passwordHash === undefined ? verifyNobody() : verify(passwordHash, given).catch(verifyNobody),
  )
}
