import { joining, type ReplyOf } from '@dubplate/contract'
import { useEffect, useState } from 'react'
import { ask } from '../platform/api.ts'
import { format } from '../platform/message.ts'
import * as texts from './texts.ts'

export type Strength = ReplyOf<typeof joining.passwordStrength>

/** How long nobody may type before the server is asked, in ms. */
const PAUSE_MS = 300

const IN_WORDS = [
  texts.veryWeakPassword,
  texts.weakPassword,
  texts.fairPassword,
  texts.goodPassword,
  texts.strongPassword,
]

/** What to say of a password as far as it is typed; '' where nothing is known of it. */
export function wordsOn(password: string, strength: Strength | undefined): string {
  if (password.length < joining.SHORTEST_PASSWORD)
    return format(texts.useAtLeastCharacters, { min: joining.SHORTEST_PASSWORD })
  if (!strength) return ''
  return strength.advice || (IN_WORDS[strength.score] ?? '')
}

const isWorthAsking = (password: string) =>
  password.length >= joining.SHORTEST_PASSWORD && password.length <= joining.LONGEST_PASSWORD

/**
 * How hard the password would be to guess, as the server says; undefined while it is too short, and where the server
 * cannot be asked. `words` are what a guesser would try first: the name, the address.
 */
export function useStrength(password: string, words: string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>()
  const known = words.filter(Boolean).join('\n')
  useEffect(() => {
    if (!isWorthAsking(password)) return setStrength(undefined)
    const asking = new AbortController()
    const input = { password, words: known.split('\n').filter(Boolean) }
    const answer = () =>
      ask(joining.passwordStrength, input, { signal: asking.signal }).then(setStrength, () => {
        if (!asking.signal.aborted) setStrength(undefined)
      })
    const timer = setTimeout(answer, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asking.abort()
    }
  }, [password, known])
  return strength
}
