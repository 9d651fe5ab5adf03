import { sitePages } from '@dubplate/contract'
import { Box, Skeleton } from '@mantine/core'
import { Navigate } from '@tanstack/react-router'
import { TablePage } from '../../admin/TablePage.tsx'
import { ViewTabs } from '../../admin/TableToolbar.tsx'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { format } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { trimmedText } from '../../platform/search-fields.ts'
import { PageForm } from './PageForm.tsx'
import * as texts from './texts.ts'

const NAMES: Record<string, string> = { terms: texts.terms, privacy: texts.privacy, contact: texts.contact }

/** The page about working here is edited with the job openings. */
export const CAREERS = 'careers'

/** The pages that every site has: terms, privacy, contact. */
export function SitePages() {
  const { search, change } = useTableSearch({ open: trimmedText })
  const { data, error, refetch } = useApiQuery(sitePages.getPages, {})
  if (search.open === CAREERS) return <Navigate to="/staff/careers" replace />
  const pages = data?.pages.filter(({ slug }) => slug !== CAREERS) ?? []
  const page = pages.find(({ slug }) => slug === search.open) ?? pages[0]
  return (
    <TablePage
      top={
        <ViewTabs
          label={texts.page}
          views={pages.map(({ slug, updated_at }) => ({
            value: slug,
            name: updated_at ? (NAMES[slug] ?? slug) : format(texts.draftOf, { page: NAMES[slug] ?? slug }),
          }))}
          current={page?.slug ?? ''}
          onChange={(open) => change({ open })}
        />
      }
    >
      <Box px="xl" py="md" flex={1} mih={0} style={{ overflowY: 'auto', '--form-ground': 'var(--bg)' }}>
        {error && !data && <ErrorState error={error} title={texts.couldntLoadPages} retry={() => void refetch()} />}
        {!error && !data && <Skeleton h={480} />}
        {page && <PageForm key={page.slug} page={page} />}
      </Box>
    </TablePage>
  )
}
