import { dashboard, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { callApi } from '../../platform/api.ts'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count, formatBytes, formatExactDate } from '../../platform/format.ts'
import { format, rich } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastError } from '../../ui/toast.ts'
import { Chart } from '../dashboard/Chart.tsx'
import { pointName } from '../dashboard/figureWords.ts'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { StaffPage } from '../StaffPage.tsx'
import { Backups } from './Backups.tsx'
import css from './Storage.module.css'
import { KIND_NAMES, KIND_OF_FILE, scrubInWords } from './storageWords.ts'
import * as texts from './texts.ts'

/** What the storage and the database contain, and their backups. */
export const StoragePage = () => (
  <StaffPage title={texts.storageAndBackups}>
    <Storage />
  </StaffPage>
)

export type Shown = ReplyOf<typeof dashboard.getStorage>

/** Polled more often while something is in progress. */
const EVERY_MS = 30_000
const SOON_MS = 2000

function Storage() {
  const [isUnderWay, setUnderWay] = useState(false)
  const { data, error, refetch } = useApiQuery(dashboard.getStorage, {}, { refetchMs: isUnderWay ? SOON_MS : EVERY_MS })
  const isBusy = !!data && (data.is_measuring || data.is_backing_up)
  if (isBusy !== isUnderWay) setUnderWay(isBusy)
  if (!data)
    return error ? <ErrorState error={error} subject={texts.storage} retry={() => void refetch()} /> : <ToCome />
  return (
    <>
      <Place place={data.place} />
      <Measured shown={data} askAnew={refetch} />
      <Integrity damaged={data.damaged_files} scrub={data.scrub} />
      {data.missing_originals.length > 0 && <Missing originals={data.missing_originals} />}
      <Backups shown={data} askAnew={refetch} />
    </>
  )
}

function Place({ place: { bucket, free_bytes, disk_bytes, is_nearly_full } }: Pick<Shown, 'place'>) {
  const isTold = free_bytes !== null && disk_bytes !== null
  return (
    <section className={lists.part} aria-labelledby="place">
      <SectionHead id="place" title={texts.location} />
      <p className={lists.note}>
        {bucket
          ? rich(texts.filesAreStoredInThe, { bucket, b: (inside) => <b>{inside}</b> })
          : texts.filesAreStoredInTheData}
      </p>
      {isTold && (
        <div className={css.disk}>
          <meter
            aria-label={texts.diskUsage}
            min={0}
            max={disk_bytes}
            high={disk_bytes * 0.9}
            optimum={0}
            value={disk_bytes - free_bytes}
            data-full={is_nearly_full || undefined}
          />
          <p>{format(texts.ofFree, { free_bytes: formatBytes(free_bytes), disk_bytes: formatBytes(disk_bytes) })}</p>
        </div>
      )}
      {is_nearly_full && <p className={lists.trouble}>{texts.theDiskIsAlmostFull}</p>}
    </section>
  )
}

type PartProps = { shown: Shown; askAnew: () => Promise<unknown> }

function Measured({ shown: { measured, is_measuring, growth }, askAnew }: PartProps) {
  const [isBusy, setBusy] = useState(false)
  const measure = async () => {
    setBusy(true)
    try {
      await callApi(dashboard.measureStorage, {})
      void toast({ message: texts.measuringStorageResultsAppearHere })
    } catch (error) {
      void toastError(texts.couldntMeasureStorage, error)
    }
    await askAnew()
    setBusy(false)
  }
  return (
    <section className={lists.part} aria-labelledby="measured">
      <div className={lists.bar}>
        <SectionHead id="measured" title={texts.usage} />
        <p className={css.when} role="status">
          {measured ? (
            <time dateTime={measured.measured_at} title={formatExactDate(measured.measured_at)}>
              {format(texts.lastMeasured, { measured_at: momentInWords(measured.measured_at) })}
            </time>
          ) : (
            texts.notMeasuredYet
          )}
        </p>
        <Button busy={isBusy || is_measuring} onClick={() => void measure()}>
          {is_measuring ? texts.measuring : texts.measureNow}
        </Button>
      </div>
      {!measured && <p className={lists.note}>{texts.storageIsMeasuredEveryNight}</p>}
      {measured && (
        <>
          <Wrong measured={measured} />
          <div className={css.tables}>
            <Kinds kinds={measured.kinds} />
            <Tables measured={measured} />
          </div>
          {growth.length > 1 && <Growth growth={growth} />}
        </>
      )}
    </section>
  )
}

function Wrong({ measured: { missing, orphans, orphan_bytes } }: { measured: dashboard.StorageMeasurement }) {
  return (
    <>
      {missing > 0 && (
        <p className={lists.trouble}>
          {rich(texts.filesMissingFromStorageRun, { missing, code: (inside) => <code>{inside}</code> })}
        </p>
      )}
      {orphans > 0 && (
        <p className={lists.note}>
          {rich(texts.unusedFilesLeftOverFrom, {
            orphans,
            orphan_bytes: formatBytes(orphan_bytes),
            code: (inside) => <code>{inside}</code>,
          })}
        </p>
      )}
    </>
  )
}

const Kinds = ({ kinds }: Pick<dashboard.StorageMeasurement, 'kinds'>) => (
  <table className={css.table}>
    <caption>{texts.byType}</caption>
    <thead>
      <tr>
        <th scope="col">{texts.type}</th>
        <th scope="col">{texts.files}</th>
        <th scope="col">{texts.size}</th>
      </tr>
    </thead>
    <tbody className="num">
      {kinds.map(({ kind, files, bytes }) => (
        <tr key={kind}>
          <th scope="row">{KIND_NAMES[kind]}</th>
          <td>{count(files)}</td>
          <td>{formatBytes(bytes)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Tables = ({ measured: { tables, database_bytes } }: { measured: dashboard.StorageMeasurement }) => (
  <table className={css.table}>
    <caption>{texts.largestDatabaseTables}</caption>
    <thead>
      <tr>
        <th scope="col">{texts.table}</th>
        <th scope="col">{texts.rowsApprox}</th>
        <th scope="col">{texts.size}</th>
      </tr>
    </thead>
    <tbody className="num">
      {tables.map(({ table, rows, bytes }) => (
        <tr key={table}>
          <th scope="row">
            <code>{table}</code>
          </th>
          <td>{count(rows)}</td>
          <td>{formatBytes(bytes)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">{texts.total}</th>
        <td />
        <td>{formatBytes(database_bytes)}</td>
      </tr>
    </tbody>
  </table>
)

function Growth({ growth }: Pick<Shown, 'growth'>) {
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
    <section className={css.growth} aria-labelledby="growth">
      <h3 id="growth">{texts.growth}</h3>
      <p className={lists.note}>{format(texts.sinceLineFileStorageDots, { words, name: points[0]?.name ?? '' })}</p>
      <Chart label={texts.sizePerDay} points={points} look="line" />
    </section>
  )
}

const DAMAGE_NAMES: Record<DamagedFile['kind'], string> = {
  missing: texts.missing,
  truncated: texts.truncated,
  altered: texts.contentChanged,
}

type DamagedFile = Shown['damaged_files'][number]

/** Progress of the check of stored files, and damaged files. */
const Integrity = ({ damaged, scrub }: { damaged: readonly DamagedFile[]; scrub: Shown['scrub'] }) => (
  <section className={lists.part} aria-labelledby="integrity">
    <SectionHead id="integrity" title={texts.fileIntegrity} />
    <p className={lists.note}>{scrubInWords(scrub)}</p>
    {damaged.length > 0 && (
      <>
        <p className={lists.trouble}>
          {rich(texts.storedFilesDamaged, { damaged: damaged.length, code: (inside) => <code>{inside}</code> })}
        </p>
        <ul className={lists.cards} aria-labelledby="integrity">
          {damaged.map(({ stored_as, sha256, kind, found_at, song }) => (
            <li key={`${stored_as}/${sha256}`} className={lists.card}>
              <b>{song ?? KIND_OF_FILE[stored_as]}</b>
              <p className={lists.facts}>
                <span>{DAMAGE_NAMES[kind]}</span>
                <code className={css.hash}>
                  {stored_as}/{sha256.slice(0, 2)}/{sha256.slice(2, 4)}/{sha256}
                </code>
                <time dateTime={found_at} title={formatExactDate(found_at)}>
                  {format(texts.found, { found_at: momentInWords(found_at) })}
                </time>
              </p>
            </li>
          ))}
        </ul>
      </>
    )}
  </section>
)

const Missing = ({ originals }: { originals: Shown['missing_originals'] }) => (
  <section className={lists.part} aria-labelledby="missing">
    <SectionHead id="missing" title={texts.missingAndDamagedOriginals} />
    <p className={lists.note}>{texts.theseFilesCantBeDownloaded}</p>
    <ul className={lists.cards} aria-labelledby="missing">
      {originals.map(({ file_id, sha256, song, missing_since, ...original }) => (
        <li key={file_id} className={lists.card}>
          <b>{song ?? texts.noSong}</b>
          <p className={lists.facts}>
            <code>{`audio/${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`}</code>
            <span>{stateInWords(original)}</span>
            <time dateTime={missing_since} title={formatExactDate(missing_since)}>
              {format(texts.since, { missing_since: momentInWords(missing_since) })}
            </time>
          </p>
        </li>
      ))}
    </ul>
  </section>
)

type Lengths = Pick<Shown['missing_originals'][number], 'bytes' | 'found_bytes'>

function stateInWords({ bytes, found_bytes }: Lengths): string {
  if (found_bytes === null) return texts.missing
  return found_bytes === bytes ? texts.damaged : format(texts.damagedBytes, { found_bytes, bytes })
}

const ToCome = () => (
  <div aria-busy className={css.toCome}>
    <div className={lists.bone} />
    <div className={lists.bone} />
    <div className={lists.bone} />
  </div>
)
