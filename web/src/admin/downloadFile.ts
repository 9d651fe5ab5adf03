import type { Endpoint, InputOf } from '@dubplate/contract'
import { callApi } from '../platform/api.ts'
import { saveAs } from '../platform/saveAs.ts'
import { toast, toastError } from '../ui/toast.ts'
import * as texts from './texts.ts'

/** Downloads the file that a call creates; if that fails, the error is shown. */
export async function downloadFile<E extends Endpoint>(call: E, input: InputOf<E>, errorTitle: string): Promise<void> {
  try {
    const { url, file } = (await callApi(call, input)) as { url: string; file: string }
    saveAs(url, file)
    void toast({ title: texts.downloadStarted, message: file })
  } catch (error) {
    void toastError(errorTitle, error)
  }
}
