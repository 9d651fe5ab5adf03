import { cloud } from '@dubplate/contract'
import { IconAlertTriangle, IconCloudUp } from '@tabler/icons-react'
import { Link, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { Pagination } from '../ui/Pagination.tsx'
import { ProgressBar } from '../ui/ProgressBar.tsx'
import css from './CloudStorage.module.css'
import { DeliveryFiles } from './DeliveryFiles.tsx'
import * as texts from './texts.ts'

/** How often a page with files to send asks for their progress. */
const REFRESH_MS = 2000

/** What was sent, newest first, with its progress while files are being sent. */
export function Deliveries({ isActive }: { isActive: boolean }) {
  const { page = 1 } = useSearch({ from: '/account/cloud' })
  const { data, error, refetch } = useApiQuery(cloud.getDeliveries, { page }, { keepPrevious: true })
  return (
    <AccountSection title={texts.deliveries}>
      {!data && error && <ErrorState error={error} title={texts.couldntLoadDeliveries} retry={() => void refetch()} />}
      {data && error && <InlineError error={error} title={texts.couldntRefresh} retry={() => void refetch()} />}
      {isActive && data && <Refresh page={page} />}
      {!data && !error && <ListRowSkeleton count={3} height_px={84} />}
      {data && data.results.length === 0 && <NothingSent />}
      {data && data.results.length > 0 && (
        <ul className={css.deliveries}>
          {data.results.map((delivery) => (
            <DeliveryRow key={delivery.delivery_id} delivery={delivery} />
          ))}
        </ul>
      )}
      {data && <Pagination pagination={data.pagination} />}
    </AccountSection>
  )
}

/** Asks for the progress again and again, once there is something to show: a first error stays on screen. */
function Refresh({ page }: { page: number }) {
  useApiQuery(cloud.getConnections, {}, { refetchMs: REFRESH_MS })
  useApiQuery(cloud.getDeliveries, { page }, { refetchMs: REFRESH_MS })
  return null
}

const NothingSent = () => (
  <EmptyState
    icon={<IconCloudUp size={24} />}
    title={texts.nothingSentYet}
    action={
      <Link to="/crate" className={button.button}>
        {texts.seeCrate}
      </Link>
    }
  >
    {texts.nothingSentYetHint}
  </EmptyState>
)

const sum = (numbers: number[]) => numbers.reduce((total, n) => total + n, 0)

/** '11 sent · 2 already there · 1 failed' */
function resultText({ sent, already_there, failed, cancelled }: cloud.CloudDelivery['counts']): string {
  const parts: [number, string][] = [
    [sent, format(texts.sentCount, { count: sent })],
    [already_there, format(texts.alreadyThereCount, { count: already_there })],
    [failed, format(texts.failedCount, { count: failed })],
    [cancelled, format(texts.cancelledCount, { count: cancelled })],
  ]
  return parts.flatMap(([n, text]) => (n > 0 ? text : [])).join(' · ') || texts.noneSent
}

function DeliveryRow({ delivery }: { delivery: cloud.CloudDelivery }) {
  const { provider, title, created_at, counts, progress, problem, is_automatic } = delivery
  const [isOpen, setOpen] = useState(false)
  const total = sum(Object.values(counts))
  const open = counts.waiting + counts.sending
  const about = [cloud.CLOUD_NAMES[provider], formatShortDate(created_at), is_automatic && texts.sentFromCrate]
  return (
    <li className={css.delivery}>
      <div className={css.row}>
        <div className={css.about}>
          <b className="ellipsis" title={title}>
            {title}
          </b>
          <small>{about.filter(Boolean).join(' · ')}</small>
          <small aria-live="polite">
            {open > 0 ? format(texts.deliveryProgress, { done: total - open, count: total }) : resultText(counts)}
          </small>
        </div>
        <div className={css.buttons}>
          <DeliveryActions delivery={delivery} />
          <Button aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? texts.hideFiles : texts.showFiles}
          </Button>
        </div>
      </div>
      {open > 0 && <ProgressBar label={format(texts.progressOf, { title })} value={progress} />}
      {problem && (
        <p className={css.warning}>
          <IconAlertTriangle size={14} aria-hidden />
          {problem}
        </p>
      )}
      {isOpen && <DeliveryFiles delivery={delivery} />}
    </li>
  )
}

const REFRESHED = [cloud.getConnections, cloud.getDeliveries, cloud.getDeliveryFiles]

function DeliveryActions({ delivery: { delivery_id, counts } }: { delivery: cloud.CloudDelivery }) {
  const retry = useApiMutation(cloud.retryDelivery, { invalidates: REFRESHED, errorTitle: texts.couldntTryAgain })
  const cancel = useApiMutation(cloud.cancelDelivery, { invalidates: REFRESHED, errorTitle: texts.couldntCancel })
  const isOpen = counts.waiting + counts.sending > 0
  if (isOpen)
    return (
      <Button busy={cancel.isPending} onClick={() => cancel.mutate({ delivery_id })}>
        {texts.cancelDelivery}
      </Button>
    )
  if (counts.failed + counts.cancelled === 0) return null
  return (
    <Button busy={retry.isPending} onClick={() => retry.mutate({ delivery_id })}>
      {counts.failed > 0 ? texts.tryFailedAgain : texts.tryAgain}
    </Button>
  )
}
