import '../styles/mantine-forms.css'
import { cloud, type ReplyOf } from '@dubplate/contract'
import { IconAlertTriangle } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import css from '../downloads/DownloadDialog.module.css'
import { LeaveOut } from '../downloads/LeaveOut.tsx'
import { countLeftOut, type LeftOut } from '../downloads/leftOut.ts'
import { usageText } from '../downloads/usageText.ts'
import { formatBytes } from '../format/format.ts'
import { format } from '../format/message.ts'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import { goTo } from '../platform/address.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { ConnectButton } from './ConnectButton.tsx'
import { closeSendChoice, type SentSongs } from './sendChoice.ts'
import * as texts from './texts.ts'
import { namesOf } from './useSendLabel.ts'

const { CLOUD_NAMES } = cloud

type Summary = ReplyOf<typeof cloud.getSendSummary>

/** Sends songs to one of the member’s connections, or connects one first. */
export function SendDialog({ songs }: { songs: SentSongs }) {
  const { data, error, refetch } = useApiQuery(cloud.getConnections, {})
  const title = data ? format(texts.sendTo, { providers: namesOf(data.providers) }) : texts.cloudStorage
  const connections = data?.connections.filter(({ state }) => state === 'connected') ?? []
  return (
    <Dialog title={title} onClose={closeSendChoice}>
      <p className={css.what} title={songs.title}>
        {songs.title}
      </p>
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadCloudStorage} retry={() => void refetch()} />
      )}
      {!data && !error && <div className={css.waiting} aria-busy />}
      {data &&
        (connections.length > 0 ? (
          <SendOptions songs={songs} connections={connections} />
        ) : (
          <ConnectFirst data={data} />
        ))}
    </Dialog>
  )
}

const ConnectFirst = ({ data: { providers, connections } }: { data: cloud.CloudConnections }) => (
  <div className={css.options}>
    {connections.map(({ provider }) => (
      <Problem key={provider} text={format(texts.connectionExpired, { name: CLOUD_NAMES[provider] })} />
    ))}
    <p>{providers.length > 0 ? texts.connectFirst : texts.cloudStorageUnavailableHint}</p>
    <div className={css.actions}>
      <Button onClick={closeSendChoice}>{texts.cancel}</Button>
      {providers.map((provider, n) => (
        <ConnectButton key={provider} provider={provider} isPrimary={n === 0} />
      ))}
    </div>
  </div>
)

type OptionsProps = { songs: SentSongs; connections: cloud.CloudConnection[] }

function SendOptions({ songs, connections }: OptionsProps) {
  const [provider, setProvider] = useState(connections[0]!.provider)
  const { source } = songs
  const { data, error, refetch } = useApiQuery(cloud.getSendSummary, { source })
  return (
    <div className={css.options}>
      <ChoiceCards
        title={texts.storage}
        chosen={provider}
        onChoose={setProvider}
        choices={connections.map(({ provider, account_name }) => ({
          value: provider,
          name: CLOUD_NAMES[provider],
          note: account_name,
        }))}
      />
      {data ? (
        <SendContents songs={songs} provider={provider} summary={data} />
      ) : error ? (
        <ErrorState error={error} title={texts.couldntLoadSummary} retry={() => void refetch()} />
      ) : (
        <div className={css.waiting} aria-busy />
      )}
    </div>
  )
}

type ContentsProps = { songs: SentSongs; provider: cloud.CloudProviderName; summary: Summary }

function SendContents({ songs, provider, summary }: ContentsProps) {
  const { downloadable, bytes, has_bundle, profile } = summary
  const [leftOut, setLeftOut] = useState<LeftOut>({})
  const skipped = countLeftOut(summary, leftOut)
  const count = downloadable - skipped
  const send = useApiMutation(cloud.send, {
    invalidates: [cloud.getConnections, cloud.getDeliveries],
    errorTitle: texts.couldntSend,
    success: () => ({
      message: format(texts.sendingFiles, { count, name: CLOUD_NAMES[provider] }),
      action: { label: texts.seeProgress, run: () => goTo('/account/cloud') },
    }),
  })
  const submit = async () => {
    await send.mutateAsync({ provider, source: songs.source, ...leftOut }).then(closeSendChoice, () => {})
  }
  const problem = !has_bundle ? texts.planHasNoBundles : count === 0 ? texts.nothingToSend : undefined
  return (
    <>
      <p>{format(texts.totals, { files: downloadable, size: formatBytes(bytes) })}</p>
      <LeaveOut summary={summary} value={leftOut} onChange={setLeftOut} />
      <div className={css.usage} aria-live="polite">
        {problem ? <Problem text={problem} needsPlan={!has_bundle} /> : <Usage summary={summary} skipped={skipped} />}
      </div>
      <p className={css.note}>
        {profile === null ? texts.profileMissing : format(texts.profileUsed, { name: profile })}{' '}
        {profile === null && (
          <Link to="/account/download-profiles" onClick={closeSendChoice}>
            {texts.addProfile}
          </Link>
        )}
      </p>
      <div className={css.actions}>
        <Button onClick={closeSendChoice}>{texts.cancel}</Button>
        <Button variant="primary" disabled={problem !== undefined} busy={send.isPending} onClick={() => void submit()}>
          {format(texts.send, { count })}
        </Button>
      </div>
    </>
  )
}

const Problem = ({ text, needsPlan = false }: { text: string; needsPlan?: boolean }) => (
  <p className={css.warning}>
    <IconAlertTriangle size={14} aria-hidden />
    <span>
      {text}{' '}
      {needsPlan && (
        <Link to="/subscription/plans" onClick={closeSendChoice}>
          {texts.seePlans}
        </Link>
      )}
    </span>
  </p>
)

function Usage({ summary, skipped }: { summary: Summary; skipped: number }) {
  const { files, downloadable, limit, uses } = summary
  const missing = files - downloadable
  // The downloads of staff are not counted.
  const used = limit === null ? undefined : usageText({ ...summary, uses: uses - skipped })
  return (
    <p>
      {used} {missing > 0 && format(texts.notIncluded, { count: missing })}
    </p>
  )
}
