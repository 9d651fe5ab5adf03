import { type Algorithm, hash, verify } from '@node-rs/argon2'

/** argon2id at OWASP's first recommendation: 19 MiB, 2 passes, 1 lane. Runs on threads of its own. */
const OPTIONS = {
  algorithm: 2 satisfies Algorithm.Argon2id as Algorithm,
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
}

export const hashPassword = (password: string): Promise<string> => hash(password.normalize('NFKC'), OPTIONS)

let stranger: Promise<string> | undefined

/**
 * False for a hash that cannot be read, that of an account without a password. Takes as long for such an account and for
 * an address without one, so that the time does not tell which addresses have one.
 */
export async function passwordIs(password: string, passwordHash: string | undefined): Promise<boolean> {
  stranger ??= hashPassword('the password of nobody')
  const given = password.normalize('NFKC')
  const nobody = await stranger
  const verifyNobody = () => verify(nobody, given).then(() => false)
  return passwordHash === undefined ? verifyNobody() : verify(passwordHash, given).catch(verifyNobody)
}
