import type { ownLibrary } from '@dubplate/contract'
import { type RefObject, useEffect } from 'react'
import { useLatest } from '../ui/useLatest.ts'

type ReviewCommands = {
  matches: readonly ownLibrary.EntryMatch[]
  reject: (match: ownLibrary.EntryMatch) => void
  undoLast: () => void
}

/** Elements that handle keys themselves. */
const OWN_KEYS = 'input,textarea,select,[contenteditable=true],dialog,[role=dialog],[role=menu],[role=combobox]'

const isShortcut = ({ defaultPrevented, ctrlKey, metaKey, altKey, shiftKey, target }: KeyboardEvent) =>
  !defaultPrevented &&
  !(ctrlKey || metaKey || altKey || shiftKey) &&
  !document.getElementById('root')?.inert &&
  !(target instanceof Element && target.closest(OWN_KEYS))

/**
 * Y confirms the first song of a file, N rejects it, Z undoes the last decision. They are about the file that has the
 * focus, by default the first one to review. J and K move between files, as in every list.
 */
export function useReviewKeys(list: RefObject<HTMLElement | null>, commands: ReviewCommands) {
  const latest = useLatest(commands)
  useEffect(() => {
    const rows = () => [...(list.current?.children ?? [])]
    const focusNextAfter = (row: Element | undefined) => {
      const all = rows()
      const next = all.slice(row ? all.indexOf(row) + 1 : 0).find((each) => each.querySelector('[data-confirm]'))
      next?.querySelector<HTMLElement>('[data-row-play]')?.focus({ preventScroll: true })
      next?.scrollIntoView({ block: 'nearest' })
    }
    const decide = (key: 'y' | 'n') => {
      const focused = rows().find((row) => row.contains(document.activeElement))
      const row = focused ?? rows().find((each) => each.querySelector('[data-confirm]'))
      if (!row) return
      const match = latest.current.matches[rows().indexOf(row)]
      if (match?.state !== 'review') return
      if (key === 'n') latest.current.reject(match)
      else row.querySelector<HTMLElement>('[data-confirm]')?.click()
      focusNextAfter(row)
    }
    const handle = (event: KeyboardEvent) => {
      const key = event.key.toLowerCase()
      if (!isShortcut(event) || !['y', 'n', 'z'].includes(key)) return
      event.preventDefault()
      // A key that is held down must not decide about many files.
      if (event.repeat) return
      if (key === 'z') latest.current.undoLast()
      else decide(key as 'y' | 'n')
    }
    addEventListener('keydown', handle, { capture: true })
    return () => removeEventListener('keydown', handle, { capture: true })
  }, [list, latest])
}
