import { useEffect, useState } from 'react'

const DEBOUNCE_MS = 120

/** A value once it has not changed for a moment. */
export function useDebouncedValue<T>(value: T): T {
  const [debouncedValue, setDebouncedValue] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setDebouncedValue(value), DEBOUNCE_MS)
    return () => clearTimeout(timer)
  }, [value])
  return debouncedValue
}
