import { useTableSearch } from '../../admin/useTableSearch.ts'
import { positiveInteger } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'

// Apart, because one has the forms and the other the large table.
const ImportStart = lazyOnDemand(() => import('./ImportStart.tsx').then((code) => code.ImportStart))
const ImportPage = lazyOnDemand(() => import('./ImportPage.tsx').then((code) => code.ImportPage))

/** Imports whole folders of music: one import if the URL names it, otherwise the forms to start one and the others. */
export function ImportsPage() {
  const { search, change } = useTableSearch({ run: positiveInteger, page: positiveInteger })
  const { run, page = 1 } = search
  return run ? <ImportPage key={run} importId={run} /> : <ImportStart page={page} onPage={(page) => change({ page })} />
}
