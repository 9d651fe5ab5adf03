import type { ReactNode } from 'react'
import { TablePage } from '../../admin/TablePage.tsx'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { oneOf, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { CuratedGenres } from './CuratedGenres.tsx'
import { CuratedLists } from './CuratedLists.tsx'
import { Schedule } from './Schedule.tsx'
import { Suggested } from './Suggested.tsx'
import * as texts from './texts.ts'

// Both search the catalogue and play songs: the tables of the other tabs do not wait for that.
const ListEditor = lazyOnDemand(() => import('./ListEditor.tsx').then(({ ListEditor }) => ListEditor))
const Trending = lazyOnDemand(() => import('./Trending.tsx').then(({ Trending }) => Trending))

const TABS = ['spotlights', 'genres', 'top20', 'suggested', 'trending', 'schedule'] as const
type Tab = (typeof TABS)[number]

const TAB_NAMES: Record<Tab, string> = {
  spotlights: texts.spotlights,
  genres: texts.curatedGenres,
  top20: texts.top20,
  suggested: texts.suggested,
  trending: texts.trending,
  schedule: texts.schedule,
}

/** In the URL: a new list is being written; otherwise the number of the one that is open. */
export const NEW = 'new'

/** Curation: spotlights and their genres, top 20, suggestions, trending songs, and what is scheduled. */
export function CurationPage() {
  const { search } = useTableSearch({ view: oneOf(TABS), open: trimmedText })
  const { view: tab = 'spotlights', open } = search
  if (tab === 'genres') return <CuratedGenres />
  if (tab === 'spotlights' || tab === 'top20') {
    const kind = tab === 'top20' ? 'top20' : 'spotlight'
    if (open === undefined) return <CuratedLists key={kind} kind={kind} />
    return <ListEditor key={`${kind} ${open}`} kind={kind} listId={open === NEW ? undefined : Number(open)} />
  }
  return (
    <TabPage>
      {tab === 'suggested' && <Suggested />}
      {tab === 'trending' && <Trending />}
      {tab === 'schedule' && <Schedule />}
    </TabPage>
  )
}

/** The tabs of curation. */
export function CurationTabs() {
  const { search, change } = useTableSearch({
    view: oneOf(TABS),
    open: trimmedText,
    state: trimmedText,
    find: trimmedText,
  })
  return (
    <ViewTabs
      label={texts.curation}
      views={TABS.map((value) => ({ value, name: TAB_NAMES[value] }))}
      current={search.view ?? 'spotlights'}
      onChange={(tab) =>
        change({ view: tab === 'spotlights' ? undefined : tab, open: undefined, state: undefined, find: undefined })
      }
    />
  )
}

/** A tab that scrolls as a whole. */
const TabPage = ({ children }: { children: ReactNode }) => (
  <TablePage top={<CurationTabs />}>
    <div style={{ flex: 1, minHeight: 0, overflowY: 'auto', padding: '16px 24px 32px' }}>{children}</div>
  </TablePage>
)
