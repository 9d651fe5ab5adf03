import { sitePages } from '@dubplate/contract'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../platform/ErrorState.tsx'
import { format } from '../platform/message.ts'
import { useApiQuery } from '../platform/queries.ts'
import { Chips } from '../ui/Chips.tsx'
import forms from './Forms.module.css'
import lists from './Lists.module.css'
import { Openings } from './Openings.tsx'
import { PageEdit } from './PageEdit.tsx'
import { StaffPage } from './StaffPage.tsx'
import * as texts from './texts.ts'

/** The pool's own pages: terms, privacy, contact, careers. */
export const StaffPages = () => (
  <StaffPage title={texts.pages} forRole="admin">
    <Pages />
  </StaffPage>
)

const NAMES: Record<string, string> = {
  terms: texts.terms,
  privacy: texts.privacy,
  contact: texts.contact,
  careers: texts.careers,
}

function Pages() {
  const { open } = useSearch({ from: '/staff/pages' })
  const navigate = useNavigate({ from: '/staff/pages' })
  const { data, error, refetch } = useApiQuery(sitePages.getPages, {})
  if (error && !data) return <ErrorState error={error} subject={texts.pagesInSentence} retry={() => void refetch()} />
  if (!data) return <div className={`${lists.bone} ${lists.tall}`} aria-busy />
  const page = data.pages.find(({ slug }) => slug === open) ?? data.pages[0]
  if (!page) return null
  return (
    <>
      <Chips
        label={texts.page}
        choices={data.pages.map(({ slug, updated_at }) => ({
          value: slug,
          label: updated_at ? (NAMES[slug] ?? slug) : format(texts.draftOf, { page: NAMES[slug] ?? slug }),
        }))}
        chosen={page.slug}
        onChoose={(slug) => void navigate({ search: { open: slug } })}
      />
      <div className={forms.wide}>
        <PageEdit key={page.slug} page={page} />
      </div>
      {page.slug === 'careers' && <Openings />}
    </>
  )
}
