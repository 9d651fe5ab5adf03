import { useState } from 'react'
import { getDraft, saveDraft } from '../../platform/drafts.ts'

/** The draft that this tab stores under a name; undefined when there is none, or when it cannot be parsed. */
function kept<T extends object>(name: string): T | undefined {
  try {
    const value: unknown = JSON.parse(getDraft(name) || 'null')
    return typeof value === 'object' && value !== null ? (value as T) : undefined
  } catch {
    return undefined
  }
}

/** Fills in a form before it is opened. */
export const keepFor = (name: string, typed: object) => saveDraft(name, JSON.stringify(typed))

/** The draft of a form. It survives the form and a reload of the page, until it is discarded. */
export function useKept<T extends object>(name: string, first: T) {
  const [typed, setTyped] = useState<T>(() => ({ ...first, ...kept<T>(name) }))
  const [isTouched, setTouched] = useState(() => kept(name) !== undefined)
  const write = (change: Partial<T>) => {
    const next = { ...typed, ...change }
    setTyped(next)
    setTouched(true)
    keepFor(name, next)
  }
  const drop = () => saveDraft(name, '')
  /** Starts again with what was saved. */
  const reset = (value: T) => {
    drop()
    setTyped(value)
    setTouched(false)
  }
  return { typed, isTouched, write, drop, reset }
}
