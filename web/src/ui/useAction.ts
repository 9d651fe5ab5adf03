import { useState } from 'react'

/** Runs an action that shows its own errors, and tells whether it is still running. Until it has ended, calls do nothing. */
export function useAction<Input extends unknown[]>(
  action: (...input: Input) => Promise<unknown>,
): [run: (...input: Input) => void, isBusy: boolean] {
  const [isBusy, setBusy] = useState(false)
  const run = (...input: Input) => {
    if (isBusy) return
    setBusy(true)
    void action(...input).finally(() => setBusy(false))
  }
  return [run, isBusy]
}
