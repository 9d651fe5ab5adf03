import { joining, type ReplyOf } from '@dubplate/contract'
import { useEffect, useState } from 'react'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import * as texts from './texts.ts'

export type Strength = ReplyOf<typeof joining.passwordStrength>

/** How long to wait after the last key press before calling the server, in ms. */
const PAUSE_MS = 300

const STRENGTH_LABELS = [
  texts.veryWeakPassword,
  texts.weakPassword,
  texts.fairPassword,
  texts.goodPassword,
  texts.strongPassword,
]

/** The text about a password as it is typed; '' if nothing is known about it. */
export function strengthText(password: string, strength: Strength | undefined): string {
  if (password.length < joining.MIN_PASSWORD_LENGTH)
    return format(texts.useAtLeastCharacters, { min: joining.MIN_PASSWORD_LENGTH })
  if (!strength) return ''
  return strength.advice || (STRENGTH_LABELS[strength.score] ?? '')
}

const isLongEnough = (password: string) =>
  password.length >= joining.MIN_PASSWORD_LENGTH && password.length <= joining.MAX_PASSWORD_LENGTH

/**
 * The server's rating of a password; undefined while it is too short, and when the server cannot be reached.
 * `personalWords` are what an attacker would try first: the name, the address.
 */
export function useStrength(password: string, personalWords: string[]): Strength | undefined {
  const [strength, setStrength] = useState<Strength>()
  const known = personalWords.filter(Boolean).join('\n')
  useEffect(() => {
    if (!isLongEnough(password)) return
    const abortController = new AbortController()
    const input = { password, words: known.split('\n').filter(Boolean) }
    const checkStrength = () =>
      callApi(joining.passwordStrength, input, { signal: abortController.signal }).then(setStrength, () => {
        if (!abortController.signal.aborted) setStrength(undefined)
      })
    const timer = setTimeout(checkStrength, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      abortController.abort()
    }
  }, [password, known])
  return isLongEnough(password) ? strength : undefined
}
