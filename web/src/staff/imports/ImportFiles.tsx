import { imports } from '@dubplate/contract'
import { IconFileMusic } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { MainCell, Status } from '../../admin/cells.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { SidePanel, TablePage } from '../../admin/TablePage.tsx'
import { FilterMenu, TableToolbar, ViewTabs } from '../../admin/TableToolbar.tsx'
import { useOpenRow } from '../../admin/useOpenRow.ts'
import { useTableSearch } from '../../admin/useTableSearch.ts'
import { count, formatBytes } from '../../format/format.ts'
import { format } from '../../format/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { oneOf, positiveInteger, trimmedText } from '../../platform/search-fields.ts'
import { lazyOnDemand } from '../../ui/lazyOnDemand.tsx'
import { capitalize, fileResult } from './importStatus.ts'
import * as texts from './texts.ts'

const ImportFilePanel = lazyOnDemand(() => import('./ImportFilePanel.tsx').then((code) => code.ImportFilePanel))

type ImportFile = imports.ImportFile

const idOf = ({ n }: ImportFile) => n

const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (path: string) => path.slice(0, Math.max(0, path.lastIndexOf('/')))
const remarksOf = ({ correction, note }: ImportFile) => [correction && texts.changed, note].filter(Boolean).join(' · ')

/** What a file has become or would become, as a link to its song. */
export const FileResult = ({ file }: { file: ImportFile }) => (
  <Status tone={file.note ? 'warning' : file.outcome === 'added' ? 'ok' : 'neutral'}>
    {file.entity_id === null ? (
      fileResult(file)
    ) : (
      <Link to="/song/$entityId" params={{ entityId: file.entity_id }}>
        {fileResult(file)}
      </Link>
    )}
  </Status>
)

const COLUMNS: Column<ImportFile>[] = [
  { id: 'number', header: texts.number, width: 72, showFrom: 800, cell: ({ n }) => count(n) },
  {
    id: 'path',
    header: texts.file,
    width: 'auto',
    cell: ({ path }) => <MainCell title={<span title={path}>{nameOf(path)}</span>} text={folderOf(path)} />,
  },
  {
    id: 'result',
    header: texts.result,
    width: 'auto',
    cell: (file) => <MainCell title={<FileResult file={file} />} text={remarksOf(file)} />,
  },
  {
    id: 'size',
    header: texts.size,
    width: 96,
    isNumeric: true,
    showFrom: 700,
    cell: ({ bytes }) => formatBytes(bytes),
  },
]

type Props = {
  run: imports.ImportRun
  actions: ReactNode
  /** Above the files. */
  top: ReactNode
}

/** The page of an import: below `top`, its files with the result of each. */
export function ImportFiles({ run, actions, top }: Props) {
  const { import_run_id, folder, files, files_done, phase, versions_added, skipped, noted, reasons } = run
  const { search, change } = useTableSearch({
    page: positiveInteger,
    outcome: oneOf(imports.IMPORT_OUTCOMES),
    reason: trimmedText,
    find: trimmedText,
  })
  const { page = 1, outcome, reason, find } = search
  const query = useApiQuery(
    imports.getImportFiles,
    { import_run_id, outcome, reason: reason ?? '', search: find ?? '', page },
    { keepPrevious: true, enabled: files > 0 },
  )
  const { data } = query
  const open = useOpenRow(data?.files, idOf)
  const views = [
    { value: 'all', name: texts.all, count: files },
    { value: 'added', name: phase === 'plan' ? texts.ready : texts.imported, count: versions_added },
    { value: 'skipped', name: texts.skipped, count: skipped },
    { value: 'noted', name: texts.needsReview, count: noted },
    { value: 'waiting', name: texts.pending, count: files - files_done },
  ]
  if (files === 0)
    return (
      <TablePage title={folder} actions={actions} top={top}>
        {null}
      </TablePage>
    )
  return (
    <TablePage
      title={folder}
      total={files}
      actions={actions}
      top={
        <>
          {top}
          <ViewTabs
            label={texts.importStatus}
            views={views}
            current={outcome ?? 'all'}
            onChange={(value) => change({ reason: undefined, outcome: value === 'all' ? undefined : value })}
          />
        </>
      }
      panel={
        open.row && (
          <SidePanel label={open.row.path} {...open.panelProps}>
            <ImportFilePanel
              key={open.row.n}
              importId={import_run_id}
              file={open.row}
              onClose={open.panelProps.onClose}
            />
          </SidePanel>
        )
      }
    >
      <ResourceTable
        name={texts.files}
        columns={COLUMNS}
        rows={data?.files}
        pagination={data?.pagination}
        query={query}
        errorTitle={texts.couldntLoadFiles}
        idOf={idOf}
        labelOf={({ path }) => path}
        narrowRow={(file) => ({
          start: <MainCell title={nameOf(file.path)} text={<FileResult file={file} />} />,
          end: (
            <>
              <span>{formatBytes(file.bytes)}</span>
              <span>{remarksOf(file)}</span>
            </>
          ),
        })}
        {...open.tableProps}
        onPage={(page) => change({ page })}
        toolbar={
          <TableToolbar
            searchLabel={texts.searchByPathTitleOr}
            search={find}
            onSearch={(find) => change({ find }, { replace: true })}
          >
            {reasons.length > 0 && (
              <FilterMenu
                label={texts.reasonForSkipping}
                options={reasons.map(({ reason, files }) => ({
                  value: reason,
                  name: format(texts.reasonCount, { reason: capitalize(reason), n: count(files) }),
                }))}
                value={reason}
                onChange={(reason) => change({ reason, outcome: reason ? 'skipped' : outcome })}
              />
            )}
          </TableToolbar>
        }
        empty={{ icon: <IconFileMusic size={24} />, title: texts.noMatchingFiles, text: texts.tryADifferentFilter }}
      />
    </TablePage>
  )
}
