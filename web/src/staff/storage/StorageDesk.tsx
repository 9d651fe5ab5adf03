import { desk, type ReplyOf } from '@dubplate/contract'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { Trouble } from '../../platform/errors.tsx'
import { byteSize, count, exactDate, plural } from '../../platform/format.ts'
import { useAsk } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { SectionHead } from '../../ui/SectionHead.tsx'
import { toast, toastTrouble } from '../../ui/toast.ts'
import { Chart } from '../desk/Chart.tsx'
import { pointName } from '../desk/figureWords.ts'
import lists from '../Lists.module.css'
import { momentInWords } from '../moments.ts'
import { StaffPage } from '../StaffPage.tsx'
import { Backups } from './Backups.tsx'
import css from './Storage.module.css'
import { KIND_NAMES, KIND_OF_FILE, scrubInWords } from './storageWords.ts'

/** What store and database hold, and the backups of them. */
export const StorageDesk = () => (
  <StaffPage title="Storage and backups" forRole="admin">
    <Storage />
  </StaffPage>
)

export type Shown = ReplyOf<typeof desk.getStorage>

/** While something is under way it is looked for more often. */
const EVERY_MS = 30_000
const SOON_MS = 2000

function Storage() {
  const [isUnderWay, setUnderWay] = useState(false)
  const { data, error, refetch } = useAsk(desk.getStorage, {}, { every_ms: isUnderWay ? SOON_MS : EVERY_MS })
  const isBusy = !!data && (data.is_measuring || data.is_backing_up)
  if (isBusy !== isUnderWay) setUnderWay(isBusy)
  if (!data) return error ? <Trouble error={error} what="storage" retry={() => void refetch()} /> : <ToCome />
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
      <SectionHead id="place" title="Location" />
      <p className={lists.note}>
        {bucket ? (
          <>
            Files are stored in the bucket <b>{bucket}</b>. Temporary files are on this server’s disk.
          </>
        ) : (
          'Files are stored in the data folder.'
        )}
      </p>
      {isTold && (
        <div className={css.disk}>
          <meter
            aria-label="Disk usage"
            min={0}
            max={disk_bytes}
            high={disk_bytes * 0.9}
            optimum={0}
            value={disk_bytes - free_bytes}
            data-full={is_nearly_full || undefined}
          />
          <p>
            {byteSize(free_bytes)} of {byteSize(disk_bytes)} free
          </p>
        </div>
      )}
      {is_nearly_full && (
        <p className={lists.trouble}>
          The disk is almost full. Uploads and imports stop when it’s full. Free up space, or move storage to a larger
          disk or a bucket.
        </p>
      )}
    </section>
  )
}

type PartProps = { shown: Shown; askAnew: () => Promise<unknown> }

function Measured({ shown: { measured, is_measuring, growth }, askAnew }: PartProps) {
  const [isBusy, setBusy] = useState(false)
  const measure = async () => {
    setBusy(true)
    try {
      await ask(desk.measureStorage, {})
      void toast({ message: 'Measuring storage. Results appear here shortly.' })
    } catch (error) {
      void toastTrouble('Couldn’t measure storage', error)
    }
    await askAnew()
    setBusy(false)
  }
  return (
    <section className={lists.part} aria-labelledby="measured">
      <div className={lists.bar}>
        <SectionHead id="measured" title="Usage" />
        <p className={css.when} role="status">
          {measured ? (
            <time dateTime={measured.measured_at} title={exactDate(measured.measured_at)}>
              Last measured {momentInWords(measured.measured_at)}
            </time>
          ) : (
            'Not measured yet'
          )}
        </p>
        <Button busy={isBusy || is_measuring} onClick={() => void measure()}>
          {is_measuring ? 'Measuring…' : 'Measure now'}
        </Button>
      </div>
      {!measured && <p className={lists.note}>Storage is measured every night. Check back tomorrow, or measure now.</p>}
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

function Wrong({ measured: { missing, orphans, orphan_bytes } }: { measured: desk.Measured }) {
  return (
    <>
      {missing > 0 && (
        <p className={lists.trouble}>
          {plural(missing, 'file')} missing from storage. Run <code>npm run pool -- check --fast</code> to list{' '}
          {missing === 1 ? 'it' : 'them'}, then restore from a backup.
        </p>
      )}
      {orphans > 0 && (
        <p className={lists.note}>
          {plural(orphans, 'unused file')} ({byteSize(orphan_bytes)}) left over from cancelled imports. They’re
          harmless. Run <code>npm run pool -- check --fast</code> to list them.
        </p>
      )}
    </>
  )
}

const Kinds = ({ kinds }: Pick<desk.Measured, 'kinds'>) => (
  <table className={css.table}>
    <caption>By type</caption>
    <thead>
      <tr>
        <th scope="col">Type</th>
        <th scope="col">Files</th>
        <th scope="col">Size</th>
      </tr>
    </thead>
    <tbody className="num">
      {kinds.map(({ kind, files, bytes }) => (
        <tr key={kind}>
          <th scope="row">{KIND_NAMES[kind]}</th>
          <td>{count(files)}</td>
          <td>{byteSize(bytes)}</td>
        </tr>
      ))}
    </tbody>
  </table>
)

const Tables = ({ measured: { tables, database_bytes } }: { measured: desk.Measured }) => (
  <table className={css.table}>
    <caption>Largest database tables</caption>
    <thead>
      <tr>
        <th scope="col">Table</th>
        <th scope="col">Rows (approx.)</th>
        <th scope="col">Size</th>
      </tr>
    </thead>
    <tbody className="num">
      {tables.map(({ table, rows, bytes }) => (
        <tr key={table}>
          <th scope="row">
            <code>{table}</code>
          </th>
          <td>{count(rows)}</td>
          <td>{byteSize(bytes)}</td>
        </tr>
      ))}
      <tr>
        <th scope="row">Total</th>
        <td />
        <td>{byteSize(database_bytes)}</td>
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
    words: `Storage ${byteSize(store_bytes)}, database ${byteSize(database_bytes)}`,
  }))
  const grown = last.store_bytes - first.store_bytes
  const words = grown < 0 ? `−${byteSize(-grown)}` : `+${byteSize(grown)}`
  return (
    <section className={css.growth} aria-labelledby="growth">
      <h3 id="growth">Growth</h3>
      <p className={lists.note}>
        {words} since {points[0]?.name}. Line: file storage. Dots: database.
      </p>
      <Chart label="Size per day" points={points} look="line" />
    </section>
  )
}

const DAMAGE_NAMES: Record<DamagedFile['kind'], string> = {
  missing: 'Missing',
  truncated: 'Truncated',
  altered: 'Content changed',
}

type DamagedFile = Shown['damaged_files'][number]

/** How far the workers have read through the stored files, and what they found. */
const Integrity = ({ damaged, scrub }: { damaged: readonly DamagedFile[]; scrub: Shown['scrub'] }) => (
  <section className={lists.part} aria-labelledby="integrity">
    <SectionHead id="integrity" title="File integrity" />
    <p className={lists.note}>{scrubInWords(scrub)}</p>
    {damaged.length > 0 && (
      <>
        <p className={lists.trouble}>
          {plural(damaged.length, 'stored file')} {damaged.length === 1 ? 'is' : 'are'} damaged. Restore{' '}
          {damaged.length === 1 ? 'it' : 'them'} from a backup: <code>npm run pool -- repair --from FOLDER</code>
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
                <time dateTime={found_at} title={exactDate(found_at)}>
                  found {momentInWords(found_at)}
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
    <SectionHead id="missing" title="Missing and damaged originals" />
    <p className={lists.note}>
      These files can’t be downloaded. Import the same file again, or copy it from a backup to the path shown: it is
      offered again within five minutes.
    </p>
    <ul className={lists.cards} aria-labelledby="missing">
      {originals.map(({ file_id, sha256, song, missing_since, ...original }) => (
        <li key={file_id} className={lists.card}>
          <b>{song ?? 'No song'}</b>
          <p className={lists.facts}>
            <code>
              audio/{sha256.slice(0, 2)}/{sha256.slice(2, 4)}/{sha256}
            </code>
            <span>{stateInWords(original)}</span>
            <time dateTime={missing_since} title={exactDate(missing_since)}>
              Since {momentInWords(missing_since)}
            </time>
          </p>
        </li>
      ))}
    </ul>
  </section>
)

type Lengths = Pick<Shown['missing_originals'][number], 'bytes' | 'found_bytes'>

function stateInWords({ bytes, found_bytes }: Lengths): string {
  if (found_bytes === null) return 'Missing'
  return found_bytes === bytes ? 'Damaged' : `Damaged: ${found_bytes} of ${bytes} bytes`
}

const ToCome = () => (
  <div aria-busy className={css.toCome}>
    <div className={lists.bone} />
    <div className={lists.bone} />
    <div className={lists.bone} />
  </div>
)
