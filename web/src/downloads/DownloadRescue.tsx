import { downloads, type ReplyOf } from '@dubplate/contract'
import { IconDownload } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { isReversedRange, parseDay } from '../format/dates.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { queryClient, useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { InvalidRange, NoResultsInRange } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './DownloadRescue.module.css'
import { useDownloads } from './download.ts'
import { HistoryKit } from './HistoryKit.tsx'
import { RescueRange } from './RescueRange.tsx'
import { RescueRows, RescueSkeleton } from './RescueRows.tsx'
import { emptyStateFor, type RescueFilters } from './rescueTexts.ts'
import * as texts from './texts.ts'

/** Everything a member has downloaded, to find and download it again. */
export const DownloadRescue = () => (
  <AccountPage title={texts.downloadRescue} isWide skeleton={<Skeleton />}>
    {({ group_id }) => <DownloadHistory canDownload={group_id === DOWNLOAD_GROUP_ID} />}
  </AccountPage>
)

const Skeleton = () => (
  <div className={css.history}>
    <RescueRange />
    <RescueSkeleton />
  </div>
)

/** The customer group of downloading members. */
const DOWNLOAD_GROUP_ID = 2

const history = { queryKey: [downloads.downloadRescue.path] }

/**
 * Shows downloads made elsewhere since the last visit. Downloads made here appear on the next page load: a new row at
 * the top would move the one being clicked.
 */
const useRefreshHistory = () =>
  useEffect(() => {
    void queryClient.invalidateQueries(history)
    return useDownloads.subscribe(({ used }, before) => {
      if (used !== before.used) void queryClient.invalidateQueries({ ...history, refetchType: 'none' })
    })
  }, [])

function DownloadHistory({ canDownload }: { canDownload: boolean }) {
  const { page = 1, from, to, find } = useSearch({ from: '/download-rescue' })
  const isRangeInvalid = isReversedRange({ from, to })
  const input = { page, startDate: parseDay(from), endDate: parseDay(to), search: find ?? '' }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(downloads.downloadRescue, input, {
    keepPrevious: true,
    enabled: !isRangeInvalid,
  })
  useRefreshHistory()
  return (
    <div className={css.history}>
      <RescueRange />
      {isRangeInvalid ? (
        <InvalidRange icon={icon} />
      ) : data ? (
        <RescueResults data={data} filters={{ from, to, find }} isStale={isPlaceholderData} canDownload={canDownload} />
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadYourDownloads} retry={() => void refetch()} />
      ) : (
        <RescueSkeleton />
      )}
    </div>
  )
}

const icon = <IconDownload size={24} />

type RescueResultsProps = {
  data: ReplyOf<typeof downloads.downloadRescue>
  filters: RescueFilters
  isStale: boolean
  canDownload: boolean
}

function RescueResults({ data: { results, pagination }, filters, isStale, canDownload }: RescueResultsProps) {
  if (results.length > 0) {
    return (
      <>
        <div className={css.actions}>
          <HistoryKit filters={filters} />
        </div>
        <RescueRows rows={results} pagination={pagination} isStale={isStale} canDownload={canDownload} />
        <Pagination pagination={pagination} />
      </>
    )
  }
  const emptyState = emptyStateFor(filters, pagination)
  return emptyState ? (
    <NoResultsInRange icon={icon} title={emptyState.title}>
      {emptyState.why}
    </NoResultsInRange>
  ) : (
    <NoDownloadsYet />
  )
}

const NoDownloadsYet = () => (
  <EmptyState
    icon={icon}
    title={texts.noDownloadsYet}
    action={
      <Link to="/newRelease" className={button.button} data-look="primary">
        {texts.seeNewReleases}
      </Link>
    }
  >
    {texts.versionsYouDownloadAppearHere}
  </EmptyState>
)
