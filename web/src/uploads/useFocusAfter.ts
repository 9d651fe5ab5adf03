import { type RefObject, useEffect, useState } from 'react'

/**
 * Where the focus goes when the item that had it is gone: to the same control of the item that took its place, or of the
 * last one. `controls` finds that control of every item. Answers with what hears which item went, from 0.
 */
export function useFocusAfter(list: RefObject<HTMLElement | null>, controls: string): (at: number) => void {
  const [removed, setRemoved] = useState<{ at: number }>()
  useEffect(() => {
    // Somebody may have gone on elsewhere meanwhile.
    if (!removed || document.activeElement !== document.body) return
    const all = list.current?.querySelectorAll<HTMLElement>(controls) ?? []
    all[Math.min(removed.at, all.length - 1)]?.focus()
  }, [removed, list, controls])
  return (at) => setRemoved({ at })
}
