import type { books, coupons, InputOf, invoices } from '@dubplate/contract'
import { IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { Button } from '../../ui/Button.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

type FileCall = typeof books.getBooksFile | typeof invoices.getInvoiceFile | typeof coupons.getCodesFile

type Props<C extends FileCall> = {
  call: C
  input: InputOf<C>
  label: string
  /** Accessible name, where the label alone is ambiguous. */
  name?: string
  isDisabled?: boolean
  /** Keyboard shortcut of the list. */
  hotkey?: string
}

/** Downloads a generated file, and shows the error when that fails. */
export function Fetch<C extends FileCall>({ call, input, label, name, isDisabled = false, hotkey }: Props<C>) {
  const [isBusy, setBusy] = useState(false)
  const send = async () => {
    setBusy(true)
    try {
      const { url, file } = (await callApi(call, input)) as { url: string; file: string }
      saveAs(url, file)
      void toast({ title: texts.downloadStarted, message: file })
    } catch (error) {
      void toastError(texts.couldntCreateTheFile, error)
    }
    setBusy(false)
  }
  return (
    <Button busy={isBusy} disabled={isDisabled} aria-label={name} data-key={hotkey} onClick={() => void send()}>
      <IconDownload size={16} aria-hidden />
      {label}
    </Button>
  )
}
