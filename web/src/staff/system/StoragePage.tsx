import { dashboard } from '@dubplate/contract'
import { Alert, Button, Code, Progress, SimpleGrid, Skeleton, Stack, Text, Title } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { TimeCell } from '../../admin/cells.tsx'
import { Note, PageSection } from '../../admin/PageSection.tsx'
import { SimpleTable } from '../../admin/SimpleTable.tsx'
import { count, formatBytes, formatExactDate } from '../../format/format.ts'
import { format, rich } from '../../format/message.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { Chart } from '../dashboard/Chart.tsx'
import { pointName } from '../dashboard/metricTexts.ts'
import { StaffPage } from '../StaffPage.tsx'
import { Backups } from './Backups.tsx'
import { describeFileCheck, KIND_NAMES, KIND_OF_FILE, type StorageReport } from './storageTexts.ts'
import * as texts from './texts.ts'

/** Polled more often while something is in progress. */
const REFETCH_MS = 30_000
const BUSY_REFETCH_MS = 2000

/** What the storage and the database contain, and their backups. */
export function StoragePage() {
  const [isBusy, setBusy] = useState(false)
  const { data, error, refetch } = useApiQuery(
    dashboard.getStorage,
    {},
    { refetchMs: isBusy ? BUSY_REFETCH_MS : REFETCH_MS },
  )
  const isNowBusy = !!data && (data.is_measuring || data.is_backing_up)
  if (isNowBusy !== isBusy) setBusy(isNowBusy)
  return (
    <StaffPage title={texts.storageAndBackups}>
      {data ? (
        <Stack gap="lg" maw={1080}>
          <Location place={data.place} />
          <Usage report={data} />
          <Integrity damaged={data.damaged_files} scrub={data.scrub} />
          {data.missing_originals.length > 0 && <MissingOriginals originals={data.missing_originals} />}
          <Backups report={data} />
        </Stack>
      ) : error ? (
        <ErrorState error={error} subject={texts.storage} retry={() => void refetch()} />
      ) : (
        <Stack gap="lg" maw={1080} aria-busy>
          <Skeleton height={110} radius="lg" />
          <Skeleton height={420} radius="lg" />
          <Skeleton height={320} radius="lg" />
        </Stack>
      )}
    </StaffPage>
  )
}

const bold = (inside: ReactNode) => <b>{inside}</b>
const code = (inside: ReactNode) => <Code>{inside}</Code>

function Location({ place: { bucket, free_bytes, disk_bytes, is_nearly_full } }: Pick<StorageReport, 'place'>) {
  return (
    <PageSection title={texts.location}>
      <Note>{bucket ? rich(texts.filesAreStoredInThe, { bucket, b: bold }) : texts.filesAreStoredInTheData}</Note>
      {free_bytes !== null && disk_bytes !== null && (
        <Stack gap={6} maw={480}>
          <Progress
            size={12}
            aria-label={texts.diskUsage}
            value={((disk_bytes - free_bytes) / disk_bytes) * 100}
            color={is_nearly_full ? 'var(--danger)' : 'var(--chart)'}
          />
          <Note>
            {format(texts.ofFree, { free_bytes: formatBytes(free_bytes), disk_bytes: formatBytes(disk_bytes) })}
          </Note>
        </Stack>
      )}
      {is_nearly_full && <Alert color="var(--danger)">{texts.theDiskIsAlmostFull}</Alert>}
    </PageSection>
  )
}

function Usage({ report: { measured, is_measuring, growth } }: { report: StorageReport }) {
  const measure = useApiMutation(dashboard.measureStorage, {
    success: () => ({ message: texts.measuringStorageResultsAppearHere }),
    errorTitle: texts.couldntMeasureStorage,
    invalidates: [dashboard.getStorage],
  })
  return (
    <PageSection
      title={texts.usage}
      actions={
        <Button variant="default" loading={measure.isPending || is_measuring} onClick={() => measure.mutate({})}>
          {is_measuring ? texts.measuring : texts.measureNow}
        </Button>
      }
    >
      <Text fz="sm" c="dimmed" role="status">
        {measured ? (
          <time dateTime={measured.measured_at} title={formatExactDate(measured.measured_at)}>
            {format(texts.lastMeasured, { measured_at: formatExactDate(measured.measured_at) })}
          </time>
        ) : (
          texts.notMeasuredYet
        )}
      </Text>
      {measured ? <Measurement measured={measured} /> : <Note>{texts.storageIsMeasuredEveryNight}</Note>}
      {measured && growth.length > 1 && <Growth growth={growth} />}
    </PageSection>
  )
}

function Measurement({ measured }: { measured: dashboard.StorageMeasurement }) {
  const { missing, orphans, orphan_bytes, kinds, tables, database_bytes } = measured
  return (
    <>
      {missing > 0 && <Alert color="var(--danger)">{rich(texts.filesMissingFromStorageRun, { missing, code })}</Alert>}
      {orphans > 0 && (
        <Note>{rich(texts.unusedFilesLeftOverFrom, { orphans, orphan_bytes: formatBytes(orphan_bytes), code })}</Note>
      )}
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing={32}>
        <div>
          <Title order={3} size="sm">
            {texts.byType}
          </Title>
          <SimpleTable
            name={texts.byType}
            head={[texts.type, texts.files, texts.size]}
            rows={kinds.map(({ kind, files, bytes }) => ({
              key: kind,
              cells: [KIND_NAMES[kind], count(files), formatBytes(bytes)],
            }))}
          />
        </div>
        <div>
          <Title order={3} size="sm">
            {texts.largestDatabaseTables}
          </Title>
          <SimpleTable
            name={texts.largestDatabaseTables}
            head={[texts.table, texts.rowsApprox, texts.size]}
            rows={[
              ...tables.map(({ table, rows, bytes }) => ({
                key: table,
                cells: [code(table), count(rows), formatBytes(bytes)],
              })),
              { key: '', cells: [texts.total, '', formatBytes(database_bytes)] },
            ]}
          />
        </div>
      </SimpleGrid>
    </>
  )
}

function Growth({ growth }: Pick<StorageReport, 'growth'>) {
  const [first, last] = [growth[0], growth.at(-1)]
  if (!first || !last) return null
  const points = growth.map(({ day, store_bytes, database_bytes }) => ({
    name: `${pointName('day', `${day}T00:00:00.000Z`)} ${day.slice(0, 4)}`,
    value: store_bytes,
    before: database_bytes,
    words: format(texts.storageDatabase, {
      store_bytes: formatBytes(store_bytes),
      database_bytes: formatBytes(database_bytes),
    }),
  }))
  const grown = last.store_bytes - first.store_bytes
  const words = grown < 0 ? `−${formatBytes(-grown)}` : `+${formatBytes(grown)}`
  return (
    <Stack gap={6}>
      <Title order={3} size="sm">
        {texts.growth}
      </Title>
      <Note>{format(texts.sinceLineFileStorageDots, { words, name: points[0]?.name ?? '' })}</Note>
      <Chart label={texts.sizePerDay} points={points} look="line" />
    </Stack>
  )
}

type DamagedFile = StorageReport['damaged_files'][number]

const DAMAGE_NAMES: Record<DamagedFile['kind'], string> = {
  missing: texts.missing,
  truncated: texts.truncated,
  altered: texts.contentChanged,
}

const pathOf = (folder: string, sha256: string) => `${folder}/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`

/** What a stored file belongs to, and its path in the storage. */
const FileCell = ({ name, path }: { name: string; path: string }) => (
  <>
    {name}
    <Text fz="xs" ff="monospace" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
      {path}
    </Text>
  </>
)

/** Progress of the check of stored files, and damaged files. */
const Integrity = ({ damaged, scrub }: { damaged: readonly DamagedFile[]; scrub: StorageReport['scrub'] }) => (
  <PageSection title={texts.fileIntegrity}>
    <Note>{describeFileCheck(scrub)}</Note>
    {damaged.length > 0 && (
      <>
        <Alert color="var(--danger)">{rich(texts.storedFilesDamaged, { damaged: damaged.length, code })}</Alert>
        <SimpleTable
          name={texts.fileIntegrity}
          minWidth={560}
          head={[texts.file, texts.problem, texts.found]}
          rows={damaged.map(({ stored_as, sha256, kind, found_at, song }) => ({
            key: `${stored_as}/${sha256}`,
            cells: [
              <FileCell key="file" name={song ?? KIND_OF_FILE[stored_as]} path={pathOf(stored_as, sha256)} />,
              DAMAGE_NAMES[kind],
              <TimeCell key="found" at={found_at} />,
            ],
          }))}
        />
      </>
    )}
  </PageSection>
)

const MissingOriginals = ({ originals }: { originals: StorageReport['missing_originals'] }) => (
  <PageSection title={texts.missingAndDamagedOriginals}>
    <Note>{texts.theseFilesCantBeDownloaded}</Note>
    <SimpleTable
      name={texts.missingAndDamagedOriginals}
      minWidth={560}
      head={[texts.file, texts.problem, texts.since]}
      rows={originals.map(({ file_id, sha256, song, missing_since, bytes, found_bytes }) => ({
        key: String(file_id),
        cells: [
          <FileCell key="file" name={song ?? texts.noSong} path={pathOf('audio', sha256)} />,
          damageText(bytes, found_bytes),
          <TimeCell key="since" at={missing_since} />,
        ],
      }))}
    />
  </PageSection>
)

function damageText(bytes: number, found_bytes: number | null): string {
  if (found_bytes === null) return texts.missing
  return found_bytes === bytes ? texts.damaged : format(texts.damagedBytes, { found_bytes, bytes })
}
