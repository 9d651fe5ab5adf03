import { useNavigate } from '@tanstack/react-router'
import type { Sort } from './SortHeader.tsx'

/** Changes the URL parameters of a list. Any change returns to page 1 without scrolling. */
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
