import '../styles/mantine-layout.css'
import { type ReplyOf, site } from '@dubplate/contract'
import { Skeleton, Stack } from '@mantine/core'
import { IconFileText } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { formatDate } from '../format/dates.ts'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useCleaner } from '../platform/Html.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { SiteText } from '../platform/SiteText.tsx'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import * as texts from './texts.ts'

type Slug = (typeof site.PAGES)[number]
type SitePageText = ReplyOf<typeof site.getPage>

export const Terms = () => <SitePage slug="terms" />
export const Privacy = () => <SitePage slug="privacy" />
export const Contact = () => <SitePage slug="contact" />

const TITLES: Record<Slug, string> = {
  terms: texts.terms,
  privacy: texts.privacy,
  contact: texts.contact,
  careers: texts.careers,
}

const UNWRITTEN_PAGE_TEXTS: Record<Slug, string> = {
  terms: texts.theTermsHaventBeenPublished,
  privacy: texts.thePrivacyPolicyHasntBeen,
  contact: texts.contactDetailsHaventBeenPublished,
  careers: texts.weHaveNoOpenPositions,
}

type Props = {
  slug: Slug
  /** True while the content below the text is loading. */
  isWaiting?: boolean
  /** Shown below the text, or in its place if there is none. */
  children?: ReactNode
}

/** A page about the pool, written by staff. */
export function SitePage({ slug, isWaiting = false, children }: Props) {
  const { data, error, refetch } = useApiQuery(site.getPage, { slug })
  const isReady = useCleaner() && !isWaiting
  const isAdmin = useSession(({ profile }) => profile?.staff_role === 'admin')
  return (
    <Mantine>
      <Page
        title={data?.title ?? (error ? TITLES[slug] : undefined)}
        note={noteText(slug, data)}
        width="narrow"
        actions={
          data &&
          isAdmin &&
          (data.html || children) && <WriteLink slug={slug}>{data.html ? texts.editPage : texts.writePage}</WriteLink>
        }
      >
        {error && !data && <ErrorState error={error} title={texts.couldntLoadThisPage} retry={() => void refetch()} />}
        {!error && !(data && isReady) && <PageSkeleton />}
        {data && isReady && (data.html || children) && (
          <Stack gap={32}>
            {data.html && <SiteText html={data.html} />}
            {children}
          </Stack>
        )}
        {data && isReady && !data.html && !children && <PageNotWritten slug={slug} isAdmin={isAdmin} />}
      </Page>
    </Mantine>
  )
}

/** The date from which terms or a privacy policy apply. */
function noteText(slug: Slug, data: SitePageText | undefined): string | undefined {
  if (slug !== 'terms' && slug !== 'privacy') return undefined
  return data?.updated_at ? format(texts.lastUpdated, { updated_at: formatDate(data.updated_at) }) : ''
}

const WriteLink = ({ slug, children }: { slug: Slug; children: string }) => (
  <Link to="/staff/pages" search={{ open: slug }} className={button.button}>
    {children}
  </Link>
)

function PageNotWritten({ slug, isAdmin }: { slug: Slug; isAdmin: boolean }) {
  const action = (
    <>
      {isAdmin && <WriteLink slug={slug}>{texts.writePage}</WriteLink>}
      <Link to={slug === 'contact' ? '/support/faqs' : '/'} className={button.button}>
        {slug === 'contact' ? texts.openHelpDesk : texts.goHome}
      </Link>
    </>
  )
  return (
    <EmptyState icon={<IconFileText size={24} />} title={texts.nothingHereYet} action={action}>
      {UNWRITTEN_PAGE_TEXTS[slug]}
    </EmptyState>
  )
}

const LINES = ['92%', '97%', '88%', '64%', '95%', '90%', '41%']

const PageSkeleton = () => (
  <Stack gap={11} pt={5} aria-busy>
    <span className="sr">{texts.loadingPage}</span>
    {LINES.map((width) => (
      <Skeleton key={width} height={12} width={width} radius="xs" />
    ))}
  </Stack>
)
