import { billing, type InputOf } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { saveAs } from '../platform/saveAs.ts'
import { toast, toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

export type Format = InputOf<typeof billing.getInvoice>['format']
/** One invoice, or all invoices of a range. */
export type InvoiceRequest = Omit<InputOf<typeof billing.getInvoice>, 'format'>

/** Downloads one invoice, or all invoices of a range; shows the error if there is none. */
export async function downloadInvoice(what: InvoiceRequest, format: Format): Promise<void> {
  try {
    const { url, file } = await callApi(billing.getInvoice, { ...what, format })
    saveAs(url, file)
    void toast({ title: texts.downloadStarted, message: file })
  } catch (error) {
    void toastError(texts.couldntDownloadTheInvoice, error)
  }
}
