import { setImmediate as othersFirst } from 'node:timers/promises'
import { joining } from '@dubplate/contract'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ApiError } from '../platform/api-error.ts'
import { createLimiter } from '../platform/concurrency-limiter.ts'

export type PasswordStrength = {
  /** From 0, guessed at once, to 4. */
  score: 0 | 1 | 2 | 3 | 4
  accepted: boolean
  /** One sentence, or ''. */
  advice: string
}

/**
 * Below this a stolen database gives the password away: 10^8 guesses are hours even at argon2id's cost
 * (Wheeler, zxcvbn, USENIX Security 2016). What stands on a list of common passwords never gets there.
 */
const MIN_SCORE = 3

/**
 * What comes after does not make it weaker. Looking at all of 256 letters, or at every way to read `4` and `$` as
 * letters, would keep a core for a second; so a password made for that costs some 30 ms.
 */
const MAX_SCORED_CHARACTERS = 40
const LEET_CHARACTERS = 20

const MIN_WORD_LENGTH = 3

/** An estimate keeps the only thread: one at a time, and between two of them whatever else waits. */
export const estimatorLimiter = createLimiter({ concurrency: 1, maxWaiting: 20 })

let estimator: Promise<ZxcvbnFactory> | undefined

/** Reads the lists, some megabytes, once. A process that serves people does so early, lest the first of them waits. */
export function getEstimator(): Promise<ZxcvbnFactory> {
  estimator ??= loadEstimator()
  return estimator
}

async function loadEstimator(): Promise<ZxcvbnFactory> {
  const [core, common, english] = await Promise.all([
    import('@zxcvbn-ts/core'),
    import('@zxcvbn-ts/language-common'),
    import('@zxcvbn-ts/language-en'),
  ])
  return new core.ZxcvbnFactory({
    dictionary: { ...common.dictionary, ...english.dictionary },
    graphs: common.adjacencyGraphs,
    translations: english.translations,
    maxLength: MAX_SCORED_CHARACTERS,
    l33tMaxSubstitutions: LEET_CHARACTERS,
  })
}

/**
 * How hard a password is to guess for somebody who knows these words: the name, the address. Throws
 * `service_unavailable` when too many wait.
 */
export async function estimateStrength(password: string, words: readonly string[]): Promise<PasswordStrength> {
  const { score, feedback } = await estimatorLimiter.pass(async () => {
    const ready = await getEstimator()
    await othersFirst()
    return ready.check(password.slice(0, MAX_SCORED_CHARACTERS), splitWords(words))
  })
  if ([...password].length < joining.MIN_PASSWORD_LENGTH) {
    return { score, accepted: false, advice: `Use at least ${joining.MIN_PASSWORD_LENGTH} characters.` }
  }
  if (score >= MIN_SCORE) return { score, accepted: true, advice: '' }
  const advice =
    feedback.warning || feedback.suggestions[0] || 'This password is easy to guess. Add another word or two.'
  return { score, accepted: false, advice: /[.!]$/.test(advice) ? advice : `${advice}.` }
}

/** The words themselves and what they are made of: `dj.kwame@pool.test` also as `kwame` and `pool`. */
const splitWords = (words: readonly string[]): string[] =>
  words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length >= MIN_WORD_LENGTH)

/** The same for a form that is wrong elsewhere: only of what can be a password. */
export async function rejectWeakText(password: unknown, words: readonly unknown[], field: string): Promise<void> {
  const isLong = typeof password === 'string' && [...password].length >= joining.MIN_PASSWORD_LENGTH
  if (!isLong || password.length > joining.MAX_PASSWORD_LENGTH) return
  const known = words.filter((word) => typeof word === 'string').map((word) => word.slice(0, MAX_SCORED_CHARACTERS))
  await rejectWeakPassword(password, known, field)
}

/** Throws `weak_password` at this field of the form, with what would make it better. */
export async function rejectWeakPassword(password: string, words: readonly string[], field: string): Promise<void> {
  const { accepted, advice } = await estimateStrength(password, words)
  if (!accepted) throw new ApiError('weak_password', advice, { fields: { [field]: advice } })
}
