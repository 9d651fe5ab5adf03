import { setImmediate as othersFirst } from 'node:timers/promises'
import { joining } from '@dubplate/contract'
import type { ZxcvbnFactory } from '@zxcvbn-ts/core'
import { ApiError } from '../platform/api-error.ts'
import { createLimiter } from '../platform/concurrency-limiter.ts'

export type PasswordStrength = {
  /** From 0, guessed immediately, to 4. */
  score: 0 | 1 | 2 | 3 | 4
  accepted: boolean
  /** One sentence, or ''. */
  advice: string
}

/**
 * Below this, a stolen database reveals the password: 10^8 guesses take hours even at argon2id's cost (Wheeler, zxcvbn,
 * USENIX Security 2016). Common passwords never reach it.
 */
const MIN_SCORE = 3

/**
 * Later characters do not make a password weaker. Scoring all 256 characters, or every way to read `4` and `$` as
 * letters, would use a core for a second; with these limits, the worst password costs some 30 ms.
 */
const MAX_SCORED_CHARACTERS = 40
const LEET_CHARACTERS = 20

const MIN_WORD_LENGTH = 3

/** Scoring blocks the only thread, so one password is scored at a time, and waiting work runs in between. */
export const estimatorLimiter = createLimiter({ concurrency: 1, maxWaiting: 20 })

let estimator: Promise<ZxcvbnFactory> | undefined

/** Loads the word lists, some megabytes, once. A web process does so early, so that the first request is fast. */
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
 * Estimates how hard a password is to guess for someone who knows these words (name, address). Throws
 * `service_unavailable` when too many requests are waiting.
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

/** Returns the words and their parts: `dj.kwame@pool.test` also as `kwame` and `pool`. */
const splitWords = (words: readonly string[]): string[] =>
  words.flatMap((word) => [word, ...word.split(/[^\p{L}\p{N}]+/u)]).filter((word) => word.length >= MIN_WORD_LENGTH)

/** Does the same for a form with other errors, but only for text that can be a password. */
export async function rejectWeakText(password: unknown, words: readonly unknown[], field: string): Promise<void> {
  const isLong = typeof password === 'string' && [...password].length >= joining.MIN_PASSWORD_LENGTH
  if (!isLong || password.length > joining.MAX_PASSWORD_LENGTH) return
  const known = words.filter((word) => typeof word === 'string').map((word) => word.slice(0, MAX_SCORED_CHARACTERS))
  await rejectWeakPassword(password, known, field)
}

/** Throws `weak_password` for this field of the form, with advice. */
export async function rejectWeakPassword(password: string, words: readonly string[], field: string): Promise<void> {
  const { accepted, advice } = await estimateStrength(password, words)
  if (!accepted) throw new ApiError('weak_password', advice, { fields: { [field]: advice } })
}
