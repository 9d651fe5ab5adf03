import { cloud } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format } from '../format/message.ts'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { Button } from '../ui/Button.tsx'
import css from './CloudStorage.module.css'
import * as texts from './texts.ts'

const REFRESH_MS = 2000

const STATES: Record<cloud.FileState, string> = {
  waiting: texts.waiting,
  sending: texts.sending,
  sent: texts.sent,
  already_there: texts.inCloud,
  failed: texts.failed,
  cancelled: texts.cancelled,
}

/** The files of one delivery, those that failed first, a page at a time. */
export function DeliveryFiles({ delivery: { delivery_id, title, counts } }: { delivery: cloud.CloudDelivery }) {
  const [page, setPage] = useState(1)
  const isSending = counts.waiting + counts.sending > 0
  const { data, error, refetch } = useApiQuery(cloud.getDeliveryFiles, { delivery_id, page }, { keepPrevious: true })
  if (!data && error) return <ErrorState error={error} title={texts.couldntLoadFiles} retry={() => void refetch()} />
  if (!data) return <ListRowSkeleton count={3} height_px={52} />
  const { perPageLimit, totalCount } = data.pagination
  return (
    <>
      {isSending && <Refresh delivery_id={delivery_id} page={page} />}
      <ul className={css.files} aria-label={format(texts.filesOf, { title })}>
        {data.results.map((file) => (
          <FileRow key={file.delivery_file_id} file={file} />
        ))}
      </ul>
      {totalCount > perPageLimit && (
        <div className={css.buttons}>
          <Button disabled={page === 1} onClick={() => setPage(page - 1)}>
            {texts.previousFiles}
          </Button>
          <Button disabled={page * perPageLimit >= totalCount} onClick={() => setPage(page + 1)}>
            {texts.nextFiles}
          </Button>
        </div>
      )}
    </>
  )
}

function Refresh(input: { delivery_id: number; page: number }) {
  useApiQuery(cloud.getDeliveryFiles, input, { refetchMs: REFRESH_MS })
  return null
}

function FileRow({ file }: { file: cloud.CloudDeliveryFile }) {
  const { entity_id, artist, title, version_label, state, reason, path, bytes, sent_bytes } = file
  const share = state === 'sending' && bytes ? ` ${Math.round((100 * sent_bytes) / bytes)} %` : ''
  const name = `${artist} – ${title} (${version_label})`
  return (
    <li className={css.file}>
      <div className={css.about}>
        <Link to="/song/$entityId" params={{ entityId: entity_id }} className="ellipsis" title={name}>
          {name}
        </Link>
        {(reason ?? path) && (
          <small className={reason ? undefined : 'ellipsis'} title={path ?? undefined}>
            {reason ?? path}
          </small>
        )}
      </div>
      <span className={css.state} data-state={state}>
        {STATES[state]}
        {share}
      </span>
    </li>
  )
}
