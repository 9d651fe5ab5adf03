import type { Endpoint, InputOf } from '@dubplate/contract'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useAction } from '../ui/useAction.ts'
import { downloadFile } from './downloadFile.ts'

type Props<E extends Endpoint> = {
  /** Creates the file. */
  call: E
  input: InputOf<E>
  /** Shown if that fails: 'Couldn’t create the file'. */
  errorTitle: string
  label: string
  isDisabled?: boolean
}

/** Downloads a file that the server creates. */
export function DownloadButton<E extends Endpoint>({ call, input, errorTitle, label, isDisabled }: Props<E>) {
  const [download, isBusy] = useAction(() => downloadFile(call, input, errorTitle))
  return (
    <Button
      variant="default"
      leftSection={<IconDownload size={16} />}
      loading={isBusy}
      disabled={isDisabled ?? false}
      onClick={download}
    >
      {label}
    </Button>
  )
}
