import '../styles/mantine-layout.css'
import { cloud } from '@dubplate/contract'
import { IconCloudOff } from '@tabler/icons-react'
import { format } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useSession } from '../platform/session.ts'
import { EmptyState } from '../ui/EmptyState.tsx'
import { KeepFocus } from '../ui/KeepFocus.tsx'
import css from './CloudStorage.module.css'
import { ConnectionCard } from './ConnectionCard.tsx'
import { Deliveries } from './Deliveries.tsx'
import * as texts from './texts.ts'
import { namesOf } from './useSendLabel.ts'

/** A member’s connections to cloud storage, and what was sent there. */
export const CloudStorage = () => (
  <AccountPage title={texts.cloudStorage} skeleton={<CloudSkeleton />}>
    {() => (
      <KeepFocus>
        <CloudContent />
      </KeepFocus>
    )}
  </AccountPage>
)

function CloudContent() {
  const { data, error, refetch } = useApiQuery(cloud.getConnections, {})
  if (!data && error)
    return <ErrorState error={error} title={texts.couldntLoadCloudStorage} retry={() => void refetch()} />
  if (!data) return <CloudSkeleton />
  const { providers, connections } = data
  // A connection made before the operator removed the keys can still be ended.
  const shown = cloud.CLOUD_PROVIDERS.filter(
    (name) => providers.includes(name) || connections.some(({ provider }) => provider === name),
  )
  if (shown.length === 0) return <NotAvailable />
  return (
    <>
      {providers.length > 0 && (
        <p className={css.hint}>{format(texts.cloudStorageHint, { providers: namesOf(providers) })}</p>
      )}
      <ul className={css.connections}>
        {shown.map((name) => (
          <ConnectionCard
            key={name}
            provider={name}
            isOffered={providers.includes(name)}
            connection={connections.find(({ provider }) => provider === name)}
          />
        ))}
      </ul>
      {connections.length > 0 && <Deliveries isActive={connections.some(isActive)} />}
    </>
  )
}

/** Whether files are being sent, or may be at any moment. */
const isActive = ({ state, open_files, always_send_crate }: cloud.CloudConnection) =>
  state === 'connected' && (open_files > 0 || always_send_crate)

function NotAvailable() {
  const isStaff = useSession(({ profile }) => profile?.staff_role != null)
  return (
    <EmptyState icon={<IconCloudOff size={24} />} title={texts.cloudStorageUnavailable}>
      {isStaff ? texts.cloudStorageSetUp : texts.cloudStorageUnavailableHint}
    </EmptyState>
  )
}

const CloudSkeleton = () => (
  // biome-ignore lint/a11y/useSemanticElements: a group of fields is not what is loading
  <div role="group" aria-busy aria-label={texts.loadingCloudStorage}>
    <ListRowSkeleton count={2} height_px={96} />
  </div>
)
