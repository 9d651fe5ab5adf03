import { useNavigate } from '@tanstack/react-router'
import type { Sort } from './SortHeader.tsx'

/** Changes what the address says of a list. Another choice begins at page one, and the page stays where it is scrolled to. */
export function useListAddress() {
  const navigate = useNavigate()
  const change = (changes: Record<string, string | number | undefined>) =>
    void navigate({
      to: '.',
      search: (search) => ({ ...search, page: undefined, ...changes }),
      resetScroll: false,
    })
  return {
    change,
    sortBy: ({ order, dir }: Sort) => change({ order, dir }),
  }
}
