import { cloud } from '@dubplate/contract'
import { IconAlertTriangle, IconBrandGoogleDrive, IconCloud } from '@tabler/icons-react'
import { useState } from 'react'
import { formatShortDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { queryClient } from '../platform/queries.ts'
import { refreshReplies, useApiMutation } from '../platform/useApiMutation.ts'
import { Button } from '../ui/Button.tsx'
import { ConfirmDialog } from '../ui/ConfirmDialog.tsx'
import { Switch } from '../ui/Switch.tsx'
import { toast } from '../ui/toast.ts'
import css from './CloudStorage.module.css'
import { ConnectButton } from './ConnectButton.tsx'
import * as texts from './texts.ts'

const { CLOUD_NAMES } = cloud

const FOLDERS: Record<cloud.CloudProviderName, string> = {
  dropbox: texts.dropboxFolder,
  google_drive: texts.googleDriveFolder,
}

type Props = {
  provider: cloud.CloudProviderName
  /** Whether the operator has set it up. */
  isOffered: boolean
  connection: cloud.CloudConnection | undefined
}

/** One provider: connected, expired or not connected. */
export function ConnectionCard({ provider, isOffered, connection }: Props) {
  const name = CLOUD_NAMES[provider]
  const isExpired = connection?.state === 'expired'
  const Icon = provider === 'google_drive' ? IconBrandGoogleDrive : IconCloud
  return (
    <li className={css.connection} aria-label={name}>
      <div className={css.row}>
        <Icon size={24} stroke={1.6} color="var(--text-3)" aria-hidden />
        <div className={css.about}>
          <b>{name}</b>
          <small className="ellipsis" title={connection?.account_name}>
            {connection
              ? format(texts.connectedSince, {
                  account: connection.account_name,
                  date: formatShortDate(connection.connected_at),
                })
              : texts.notConnected}
          </small>
          <small>{FOLDERS[provider]}</small>
        </div>
        <div className={css.buttons}>
          {isOffered && !connection && <ConnectButton provider={provider} isPrimary />}
          {isOffered && isExpired && <ConnectButton provider={provider} label={texts.connectAgain} isPrimary />}
          {connection && <DisconnectButton connection={connection} />}
        </div>
      </div>
      {isExpired && (
        <p className={css.warning} role="status">
          <IconAlertTriangle size={14} aria-hidden />
          {format(texts.connectionExpired, { name })}
        </p>
      )}
      {connection && !isExpired && isOffered && <CrateSwitch connection={connection} />}
    </li>
  )
}

function CrateSwitch({ connection: { provider, always_send_crate } }: { connection: cloud.CloudConnection }) {
  const name = CLOUD_NAMES[provider]
  const change = useApiMutation(cloud.alwaysSendCrate, {
    invalidates: [cloud.getConnections],
    errorTitle: texts.couldntChange,
    success: ({ connection }) => ({
      message: format(connection.always_send_crate ? texts.alwaysSendIsOn : texts.alwaysSendIsOff, { name }),
    }),
  })
  return (
    <Switch
      checked={change.isPending ? change.variables.is_on : always_send_crate}
      disabled={change.isPending}
      onChange={(is_on) => change.mutate({ provider, is_on })}
      note={texts.alwaysSendCrateNote}
    >
      {texts.alwaysSendCrate}
    </Switch>
  )
}

function DisconnectButton({ connection: { provider, open_files } }: { connection: cloud.CloudConnection }) {
  const [isAsking, setAsking] = useState(false)
  const name = CLOUD_NAMES[provider]
  const disconnect = async () => {
    queryClient.setQueryData([cloud.getConnections.path, {}], await callApi(cloud.disconnect, { provider }))
    await refreshReplies([cloud.getDeliveries])
    void toast({ message: format(texts.disconnected, { name }) })
  }
  return (
    <>
      <Button aria-label={format(texts.disconnectProvider, { name })} onClick={() => setAsking(true)}>
        {texts.disconnect}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={format(texts.disconnectQuestion, { name })}
          what={[
            format(texts.disconnectWhat, { name }),
            open_files > 0 && format(texts.disconnectCancels, { count: open_files }),
          ]
            .filter(Boolean)
            .join(' ')}
          confirmLabel={texts.disconnect}
          isDanger
          onConfirm={disconnect}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  )
}
