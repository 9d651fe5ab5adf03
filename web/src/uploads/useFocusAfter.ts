import { type RefObject, useEffect, useState } from 'react'

/**
 * Moves the focus when the item that had it is removed: to the same control of the item that took its place, or of the
 * last one. `controls` is the selector of that control in every item. Returns a function to call with the index of the
 * removed item.
 */
export function useFocusAfter(list: RefObject<HTMLElement | null>, controls: string): (at: number) => void {
  const [removed, setRemoved] = useState<{ at: number }>()
  useEffect(() => {
    // The user may have moved the focus in the meantime.
    if (!removed || document.activeElement !== document.body) return
    const all = list.current?.querySelectorAll<HTMLElement>(controls) ?? []
    all[Math.min(removed.at, all.length - 1)]?.focus()
  }, [removed, list, controls])
  return (at) => setRemoved({ at })
}
