import { useState } from 'react'
import { history } from './address.ts'

/** How many pages were loaded, by history entry and list: Back shows as many again. */
const pageCounts = new Map<string, number>()

const entryOf = (list: string) => `${history.location.state.__TSR_key} ${list}`

/** The number of pages of a list that are shown one below the other, at first one, and a function that adds the next. */
export function useLoadedPages(list: string): [count: number, loadMore: () => void] {
  const [loaded, setLoaded] = useState(() => ({ list, count: pageCounts.get(entryOf(list)) ?? 1 }))
  if (loaded.list !== list) setLoaded({ list, count: 1 })
  const count = loaded.list === list ? loaded.count : 1
  const loadMore = () => {
    pageCounts.set(entryOf(list), count + 1)
    setLoaded({ list, count: count + 1 })
  }
  return [count, loadMore]
}
