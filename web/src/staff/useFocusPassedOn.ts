import { type RefObject, useLayoutEffect } from 'react'

/** Moves the focus to the next item when this one leaves the list, so that its keys keep working. */
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
