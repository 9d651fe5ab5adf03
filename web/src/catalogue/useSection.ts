import { useLocation } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useIsSectionVisible } from '../platform/pool.ts'
import { createTabStorage } from '../platform/tabStorage.ts'
import { LISTS, type ListSection, toSectionParam } from './section.ts'

/** The section of the last list in this tab: links to other lists lead to the same one. */
const lastSeen = createTabStorage<ListSection>('dubplate.section')

type Current = { section: ListSection; isList: boolean }

/** The section the screen shows; on a screen without a list, the one of the last list. */
export function useSection(): Current {
  const isSectionVisible = useIsSectionVisible()
  const shown = useLocation({
    select: ({ pathname, search }) => (LISTS.test(pathname) ? (search.section ?? 'songs') : undefined),
  })
  useEffect(() => {
    if (shown) lastSeen.set(shown)
  }, [shown])
  const section = isSectionVisible('kuts') ? (shown ?? lastSeen.get() ?? 'songs') : 'songs'
  return { section, isList: shown !== undefined }
}

/** The query parameter for another list of the same section. */
export const sameSection = () => toSectionParam(lastSeen.get())
