import { type RefObject, useLayoutEffect } from 'react'

/** The keys of a list go on with the next item when this one leaves it. */
export function useFocusPassedOn(item: RefObject<HTMLElement | null>) {
  useLayoutEffect(() => {
    const own = item.current
    return () => {
      if (!own?.contains(document.activeElement)) return
      const beside = own.nextElementSibling ?? own.previousElementSibling
      if (beside instanceof HTMLElement) beside.focus()
    }
  }, [item])
}
