import '../styles/mantine-layout.css'
import { type ReplyOf, site } from '@dubplate/contract'
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconSpeakerphone } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { formatExactDate, formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { Html, useCleaner } from '../platform/Html.tsx'
import { Page } from '../platform/Page.tsx'
import { useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import words from '../ui/Words.module.css'
import css from './SitePages.module.css'
import { ANNOUNCED_PAGES } from './sections.ts'
import * as texts from './texts.ts'

type Announcement = ReplyOf<typeof site.getNews>['announcements'][number]

/** All current announcements of every page, newest first. */
export function News() {
  const { page = 1 } = useSearch({ from: '/news' })
  const { data, error, isPlaceholderData, refetch } = useApiQuery(site.getNews, { page }, { keepPrevious: true })
  const isReady = useCleaner()
  return (
    <Mantine>
      <Page title={texts.whatsNews} width="narrow">
        {error && !data && <ErrorState error={error} title={texts.couldntLoadTheNews} retry={() => void refetch()} />}
        {!error && !(data && isReady) && <NewsSkeleton />}
        {data && isReady && data.announcements.length === 0 && <NoNews page={page} />}
        {data && isReady && data.announcements.length > 0 && (
          <Stack gap={0}>
            <ol aria-busy={isPlaceholderData || undefined} style={{ opacity: isPlaceholderData ? 0.6 : undefined }}>
              {data.announcements.map((announcement) => (
                <NewsItem key={announcement.message_id} announcement={announcement} />
              ))}
            </ol>
            <Pagination pagination={data.pagination} />
          </Stack>
        )}
      </Page>
    </Mantine>
  )
}

function NewsItem({ announcement: { message, published_at, page_name } }: { announcement: Announcement }) {
  const place = ANNOUNCED_PAGES[page_name]
  return (
    <Stack component="li" gap={4} className={css.news}>
      <Group component="p" gap="md" c="var(--text-2)" fz="xs">
        <Text
          component="time"
          c="var(--text-3)"
          fz="xs"
          lh={1.4}
          dateTime={published_at}
          title={formatExactDate(published_at)}
          className="num"
        >
          {formatShortDate(published_at)}
        </Text>
        {place && (
          <Link to={place.to} className={css.link}>
            {place.text}
          </Link>
        )}
      </Group>
      <Html html={message} className={words.words} />
    </Stack>
  )
}

const NoNews = ({ page }: { page: number }) => (
  <EmptyState
    icon={<IconSpeakerphone size={24} />}
    title={page > 1 ? texts.pageNotFound : texts.noNewsYet}
    action={
      <Link to={page > 1 ? '/news' : '/newRelease'} className={button.button}>
        {page > 1 ? texts.goToFirstPage : texts.seeNewReleases}
      </Link>
    }
  >
    {page > 1 ? format(texts.noSuchPage, { page }) : texts.announcementsWillAppearHere}
  </EmptyState>
)

const NewsSkeleton = () => (
  <ol aria-busy aria-label={texts.loadingNews}>
    {[...Array(6).keys()].map((n) => (
      <Stack component="li" key={n} gap={4} className={css.news} aria-hidden>
        <Skeleton height={13} width={64} radius="xs" />
        <Skeleton height={13} width="60%" radius="xs" />
      </Stack>
    ))}
  </ol>
)
