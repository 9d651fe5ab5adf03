import { imports, type ReplyOf } from '@dubplate/contract'
import { callApi } from '../../platform/api.ts'
import { apiQuery, queryClient } from '../../platform/queries.ts'
import { saveAs } from '../../platform/saveAs.ts'
import { toastError } from '../../ui/toast.ts'
import * as texts from './texts.ts'

/** Shows an import as returned by a call, and reloads its files. */
export async function showChangedRun({ import: run }: ReplyOf<typeof imports.getImport>): Promise<void> {
  const { queryKey } = apiQuery(imports.getImport, { import_run_id: run.import_run_id })
  queryClient.setQueryData<ReplyOf<typeof imports.getImport>>(queryKey, { import: run })
  await queryClient.invalidateQueries({ queryKey: [imports.getImportFiles.path] })
}

type RunAction = typeof imports.planImport | typeof imports.doImport | typeof imports.stopImport

/** Shows a toast when the server rejects the change. */
export async function changeImport(call: RunAction, import_run_id: number): Promise<void> {
  try {
    await showChangedRun(await callApi(call, { import_run_id }))
  } catch (error) {
    void toastError(texts.couldntUpdateTheImport, error)
    await queryClient.invalidateQueries({ queryKey: [imports.getImport.path] })
  }
}

/** Throws an `ApiError` when the server rejects the change. */
export async function removeImport(import_run_id: number): Promise<void> {
  await callApi(imports.removeImport, { import_run_id })
  await queryClient.invalidateQueries({ queryKey: [imports.getImports.path] })
}

export async function fetchReport(import_run_id: number): Promise<void> {
  try {
    const { url, file } = await callApi(imports.getImportReport, { import_run_id })
    saveAs(url, file)
  } catch (error) {
    void toastError(texts.couldntDownloadTheReport, error)
  }
}
