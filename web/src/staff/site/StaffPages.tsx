import { sitePages } from '@dubplate/contract'
import { Navigate, useNavigate, useSearch } from '@tanstack/react-router'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Chips } from '../../ui/Chips.tsx'
import forms from '../forms/Forms.module.css'
import lists from '../Lists.module.css'
import { StaffPage } from '../StaffPage.tsx'
import { Openings } from './Openings.tsx'
import { PageEdit } from './PageEdit.tsx'
import * as texts from './texts.ts'

/** The pool's own pages: terms, privacy, contact. */
export const StaffPages = () => (
  <StaffPage title={texts.pages}>
    <Pages />
  </StaffPage>
)

const NAMES: Record<string, string> = {
  terms: texts.terms,
  privacy: texts.privacy,
  contact: texts.contact,
}

/** The page about working here, which also lists the job openings. */
const CAREERS = 'careers'

function Pages() {
  const { open } = useSearch({ from: '/staff/pages' })
  const navigate = useNavigate({ from: '/staff/pages' })
  const { data, error, refetch } = useApiQuery(sitePages.getPages, {})
  if (open === CAREERS) return <Navigate to="/staff/careers" replace />
  if (error && !data) return <ErrorState error={error} subject={texts.pagesInSentence} retry={() => void refetch()} />
  if (!data) return <div className={`${lists.bone} ${lists.tall}`} aria-busy />
  const pages = data.pages.filter(({ slug }) => slug !== CAREERS)
  const page = pages.find(({ slug }) => slug === open) ?? pages[0]
  if (!page) return null
  return (
    <>
      <Chips
        label={texts.page}
        choices={pages.map(({ slug, updated_at }) => ({
          value: slug,
          label: updated_at ? (NAMES[slug] ?? slug) : format(texts.draftOf, { page: NAMES[slug] ?? slug }),
        }))}
        chosen={page.slug}
        onChoose={(slug) => void navigate({ search: { open: slug } })}
      />
      <div className={forms.wide}>
        <PageEdit key={page.slug} page={page} />
      </div>
    </>
  )
}

/** The page about working here, and the job openings below it. */
export const StaffCareers = () => (
  <StaffPage title={texts.careers}>
    <CareersPage />
    <Openings />
  </StaffPage>
)

function CareersPage() {
  const { data, error, refetch } = useApiQuery(sitePages.getPages, {})
  const page = data?.pages.find(({ slug }) => slug === CAREERS)
  if (error && !data) return <ErrorState error={error} subject={texts.pagesInSentence} retry={() => void refetch()} />
  if (!page) return <div className={`${lists.bone} ${lists.tall}`} aria-busy />
  return (
    <div className={forms.wide}>
      <PageEdit page={page} />
    </div>
  )
}
