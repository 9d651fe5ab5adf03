import { type RefObject, useLayoutEffect, useRef } from 'react'

/** The latest value, for event handlers and subscriptions that outlive the render they were created in. */
export function useLatest<T>(value: T): RefObject<T> {
  const latest = useRef(value)
  useLayoutEffect(() => {
    latest.current = value
  })
  return latest
}
