import { imports } from '@dubplate/contract'
import { SimpleGrid, Stack, Title } from '@mantine/core'
import { IconFolder } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { AgoCell, MainCell, Status } from '../../admin/cells.tsx'
import { Note } from '../../admin/PageSection.tsx'
import { type Column, ResourceTable } from '../../admin/ResourceTable.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { StaffPage } from '../StaffPage.tsx'
import { BrowserFolder } from './BrowserFolder.tsx'
import { isInProgress, statusOf, summaryOf } from './importStatus.ts'
import { ServerFolder } from './ServerFolder.tsx'
import * as texts from './texts.ts'

type Run = imports.ImportRun

const REFETCH_MS = 3000

const hasSummary = (run: Run) =>
  !isInProgress(run) && run.state !== 'uploading' && !(run.state === 'failed' && run.phase === 'plan')

const FolderCell = ({ run: { import_run_id, folder, source } }: { run: Run }) => (
  <MainCell
    title={
      <Link to="/staff/import" search={{ run: import_run_id }}>
        {folder}
      </Link>
    }
    text={source === 'browser' ? texts.uploadedFromBrowser : texts.serverFolder}
  />
)

const ImportStatus = ({ run }: { run: Run }) => <Status tone={statusOf(run).tone}>{statusOf(run).text}</Status>

const COLUMNS: Column<Run>[] = [
  { id: 'folder', header: texts.folder, width: 'auto', cell: (run) => <FolderCell run={run} /> },
  { id: 'status', header: texts.status, width: 150, cell: (run) => <ImportStatus run={run} /> },
  {
    id: 'result',
    header: texts.result,
    width: 400,
    showFrom: 900,
    cell: (run) => hasSummary(run) && <span title={summaryOf(run)}>{summaryOf(run)}</span>,
  },
  {
    id: 'started',
    header: texts.started,
    width: 140,
    isNumeric: true,
    cell: ({ created_at }) => <AgoCell at={created_at} />,
  },
]

/** The forms that start an import, and the import history. */
export function ImportStart({ page, onPage }: { page: number; onPage: (page: number) => void }) {
  const query = useApiQuery(imports.getImports, { page }, { keepPrevious: true, refetchMs: REFETCH_MS })
  const { data } = query
  const navigate = useNavigate()
  return (
    <StaffPage title={texts.importLabel}>
      <Stack gap="lg" maw={1240}>
        <Note>{texts.weScanTheFolderFirst}</Note>
        <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
          <ServerFolder folders={data?.folders} />
          <BrowserFolder />
        </SimpleGrid>
        <Title order={2}>{texts.importHistory}</Title>
        <ResourceTable
          isEmbedded
          name={texts.importHistory}
          columns={COLUMNS}
          rows={data?.imports}
          pagination={data?.pagination}
          query={query}
          errorTitle={texts.couldntLoadImports}
          idOf={({ import_run_id }) => import_run_id}
          labelOf={({ folder }) => folder}
          narrowRow={(run) => ({
            start: <FolderCell run={run} />,
            end: (
              <>
                <ImportStatus run={run} />
                <AgoCell at={run.created_at} />
              </>
            ),
          })}
          onOpen={({ import_run_id: run }) => void navigate({ to: '/staff/import', search: { run } })}
          onPage={onPage}
          empty={{ icon: <IconFolder size={24} />, title: texts.noImportsYet, text: texts.eachImportIsListedHere }}
        />
      </Stack>
    </StaffPage>
  )
}
