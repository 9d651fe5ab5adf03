import { useState } from 'react'

/** A copy of a value that can be edited; it starts again when the value itself changes. */
export function useEditableCopy<T>(value: T): [T, (copy: T) => void] {
  const [state, setState] = useState({ value, copy: value })
  if (!Object.is(state.value, value)) setState({ value, copy: value })
  return [Object.is(state.value, value) ? state.copy : value, (copy) => setState({ value, copy })]
}
