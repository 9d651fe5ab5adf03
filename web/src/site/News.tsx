import { type ReplyOf, site } from '@dubplate/contract'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Html, useCleaner } from '../platform/Html.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import css from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { ANNOUNCED_PAGES } from './announcedPages.ts'
import news from './News.module.css'
import * as texts from './texts.ts'

type Announcement = ReplyOf<typeof site.getNews>['announcements'][number]

/** All current announcements of every page, newest first. */
export function News() {
  const { page = 1 } = useSearch({ from: '/news' })
  const { data, error, isPlaceholderData, refetch } = useApiQuery(site.getNews, { page }, { keepPrevious: true })
  const isReady = useCleaner()
  return (
    <Page title={texts.whatsNews}>
      {error && !data && <ErrorState error={error} title={texts.couldntLoadTheNews} retry={() => void refetch()} />}
      {!error && !(data && isReady) && <Skeleton />}
      {data && isReady && data.announcements.length === 0 && <NoNews page={page} />}
      {data && isReady && data.announcements.length > 0 && (
        <div className={news.column}>
          <ol className={news.list} aria-busy={isPlaceholderData || undefined}>
            {data.announcements.map((announcement) => (
              <NewsItem key={announcement.message_id} announcement={announcement} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
        </div>
      )}
    </Page>
  )
}

function NewsItem({ announcement: { message, published_at, page_name } }: { announcement: Announcement }) {
  const place = ANNOUNCED_PAGES[page_name]
  return (
    <li className={news.item}>
      <p className={news.head}>
        <time dateTime={published_at} title={formatExactDate(published_at)} className="num">
          {formatShortDate(published_at)}
        </time>
        {place && <Link to={place.to}>{place.text}</Link>}
      </p>
      <Html html={message} className={news.text} />
    </li>
  )
}

const NoNews = ({ page }: { page: number }) => (
  <EmptyState
    icon={<IconSpeakerphone size={24} />}
    title={page > 1 ? texts.pageNotFound : texts.noNewsYet}
    action={
      <Link to={page > 1 ? '/news' : '/newRelease'} className={css.button}>
        {page > 1 ? texts.goToFirstPage : texts.seeNewReleases}
      </Link>
    }
  >
    {page > 1 ? format(texts.noSuchPage, { page }) : texts.announcementsWillAppearHere}
  </EmptyState>
)

const ROWS = 6

const Skeleton = () => (
  <ol className={news.list} aria-busy aria-label={texts.loadingNews}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: the items are all alike
      <li key={i} className={news.item} aria-hidden>
        <i className={news.bone} />
        <i className={news.bone} />
      </li>
    ))}
  </ol>
)
