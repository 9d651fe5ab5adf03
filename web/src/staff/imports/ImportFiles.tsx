import { imports } from '@dubplate/contract'
import { IconFileMusic, IconPencil } from '@tabler/icons-react'
import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { ErrorState } from '../../platform/ErrorState.tsx'
import { count, formatBytes } from '../../platform/format.ts'
import { format } from '../../platform/message.ts'
import { useApiQuery } from '../../platform/queries.ts'
import { Button } from '../../ui/Button.tsx'
import { Chips } from '../../ui/Chips.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { Pagination } from '../../ui/Pagination.tsx'
import { SearchField } from '../../ui/SearchField.tsx'
import { ImportFileForm, isEditing } from './ImportFilePanel.tsx'
import css from './Imports.module.css'
import { becameOf } from './importStatus.ts'
import * as texts from './texts.ts'

type Run = imports.ImportRun

/** The files of an import with the result of each, in pages. */
export function ImportFiles({ run }: { run: Run }) {
  const { page = 1, outcome, reason, find } = useSearch({ from: '/staff/import' })
  const wish = { import_run_id: run.import_run_id, outcome, reason: reason ?? '', search: find ?? '', page }
  const { data, error, isPlaceholderData, refetch } = useApiQuery(imports.getImportFiles, wish, { keepPrevious: true })
  return (
    <>
      <Narrow run={run} />
      {error && !data && <ErrorState error={error} subject={texts.filesInSentence} retry={() => void refetch()} />}
      {!data && !error && <ToCome />}
      {data?.files.length === 0 && (
        <EmptyState icon={<IconFileMusic size={24} />} title={texts.noMatchingFiles}>
          {texts.tryADifferentFilter}
        </EmptyState>
      )}
      {data && data.files.length > 0 && (
        <>
          <ol
            className={css.files}
            aria-label={texts.files}
            aria-busy={isPlaceholderData || undefined}
            data-editable={data.files.some(({ can_edit }) => can_edit) || undefined}
          >
            {data.files.map((file) => (
              <FileRow key={file.n} runId={run.import_run_id} file={file} />
            ))}
          </ol>
          <Pagination pagination={data.pagination} />
        </>
      )}
    </>
  )
}

function Narrow({ run }: { run: Run }) {
  const { outcome, reason, find } = useSearch({ from: '/staff/import' })
  const navigate = useNavigate({ from: '/staff/import' })
  const waiting = run.files - run.files_done
  const choices = [
    { value: undefined, label: format(texts.all, { files: count(run.files) }) },
    {
      value: 'added' as const,
      label: format(run.phase === 'plan' ? texts.readyCount : texts.importedCount, { n: count(run.versions_added) }),
    },
    { value: 'skipped' as const, label: format(texts.skipped, { skipped: count(run.skipped) }) },
    { value: 'noted' as const, label: format(texts.needsReview, { noted: count(run.noted) }) },
    ...(waiting > 0
      ? [{ value: 'waiting' as const, label: format(texts.pendingCount, { waiting: count(waiting) }) }]
      : []),
  ]
  return (
    <div className={css.narrow}>
      <Chips
        label={texts.importStatus}
        choices={choices}
        chosen={outcome}
        onChoose={(outcome) =>
          void navigate({ search: (was) => ({ ...was, page: undefined, reason: undefined, outcome }) })
        }
      />
      {run.reasons.length > 0 && (
        <select
          aria-label={texts.reasonForSkipping}
          value={reason ?? ''}
          onChange={({ target }) =>
            void navigate({
              search: (was) => ({
                ...was,
                page: undefined,
                reason: target.value || undefined,
                outcome: target.value ? ('skipped' as const) : was.outcome,
              }),
            })
          }
        >
          <option value="">{texts.allReasons}</option>
          {run.reasons.map(({ reason, files }) => (
            <option key={reason} value={reason}>
              {format(texts.reasonCount, { reason, n: count(files) })}
            </option>
          ))}
        </select>
      )}
      <SearchField
        label={texts.searchByPathTitleOr}
        value={find ?? ''}
        onSearch={(find) => void navigate({ search: (was) => ({ ...was, page: undefined, find }), replace: true })}
      />
    </div>
  )
}

function FileRow({ runId, file }: { runId: number; file: imports.ImportFile }) {
  const { n, path, bytes, outcome, entity_id, note, correction, can_edit } = file
  const [isOpen, setOpen] = useState(() => isEditing(runId, n))
  return (
    <li className={css.file}>
      <span className="num">{count(n)}</span>
      <span>{path}</span>
      <span data-outcome={outcome ?? 'waiting'}>
        {entity_id === null ? (
          becameOf(file)
        ) : (
          <Link to="/song/$entityId" params={{ entityId: entity_id }}>
            {becameOf(file)}
          </Link>
        )}
        {note && <small>{note}</small>}
        {correction && <em className={css.changed}>{texts.changed}</em>}
      </span>
      <span className="num">{formatBytes(bytes)}</span>
      {can_edit && (
        <Button
          aria-label={format(texts.editFileLabel, { path })}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <IconPencil size={16} aria-hidden />
          {texts.edit}
        </Button>
      )}
      {can_edit && isOpen && <ImportFileForm runId={runId} file={file} onClose={() => setOpen(false)} />}
    </li>
  )
}

const ROWS = 8

const ToCome = () => (
  <ol className={css.files} aria-busy aria-label={texts.loadingFiles}>
    {Array.from({ length: ROWS }, (_, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: identical placeholders
      <li key={i} className={css.bone} style={{ height: 40 }} aria-hidden />
    ))}
  </ol>
)
