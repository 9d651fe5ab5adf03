import { downloads, type ReplyOf } from '@dubplate/contract'
import { IconDownload } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { dayOf, isBackwards } from '../platform/days.ts'
import { Trouble } from '../platform/errors.tsx'
import { queryClient, useAsk } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { NoSuchRange, NothingThere } from '../ui/DayRange.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import css from './DownloadRescue.module.css'
import { useDownloads } from './download.ts'
import { RescueRange } from './RescueRange.tsx'
import { RescueBones, RescueRows } from './RescueRows.tsx'
import { type Filters, nothingIn } from './rescueWords.ts'
import * as texts from './texts.ts'

/** Everything a member has downloaded, to find it and to fetch it again. */
export const DownloadRescue = () => (
  <AccountPage title={texts.downloadRescue} isWide bones={<Bones />}>
    {({ group_id }) => <History canDownload={group_id === DOWNLOADING} />}
  </AccountPage>
)

const Bones = () => (
  <div className={css.history}>
    <RescueRange />
    <RescueBones />
  </div>
)

/** The group of members who download. */
const DOWNLOADING = 2

const history = { queryKey: [downloads.downloadRescue.path] }

/**
 * What was downloaded elsewhere since the last visit is there at once. What is fetched here waits for the next page or
 * visit: a row that came on top would push away the one that is being pressed.
 */
const useFreshHistory = () =>
  useEffect(() => {
    void queryClient.invalidateQueries(history)
    return useDownloads.subscribe(({ used }, before) => {
      if (used !== before.used) void queryClient.invalidateQueries({ ...history, refetchType: 'none' })
    })
  }, [])

function History({ canDownload }: { canDownload: boolean }) {
  const { page = 1, from, to, find } = useSearch({ from: '/download-rescue' })
  const isNoRange = isBackwards({ from, to })
  const input = { page, startDate: dayOf(from), endDate: dayOf(to), search: find ?? '' }
  const { data, error, isPlaceholderData, refetch } = useAsk(downloads.downloadRescue, input, {
    keepPrevious: true,
    when: !isNoRange,
  })
  useFreshHistory()
  return (
    <div className={css.history}>
      <RescueRange />
      {isNoRange ? (
        <NoSuchRange icon={icon} />
      ) : data ? (
        <Found data={data} filters={{ from, to, find }} isStale={isPlaceholderData} canDownload={canDownload} />
      ) : error ? (
        <Trouble error={error} what={texts.yourDownloads} retry={() => void refetch()} />
      ) : (
        <RescueBones />
      )}
    </div>
  )
}

const icon = <IconDownload size={24} />

type FoundProps = {
  data: ReplyOf<typeof downloads.downloadRescue>
  filters: Filters
  isStale: boolean
  canDownload: boolean
}

function Found({ data: { results, pagination }, filters, isStale, canDownload }: FoundProps) {
  if (results.length > 0) {
    return (
      <>
        <RescueRows rows={results} pagination={pagination} isStale={isStale} canDownload={canDownload} />
        <Pagination pagination={pagination} />
      </>
    )
  }
  const nothing = nothingIn(filters, pagination)
  return nothing ? (
    <NothingThere icon={icon} title={nothing.title}>
      {nothing.why}
    </NothingThere>
  ) : (
    <NothingYet />
  )
}

const NothingYet = () => (
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
