import type { imports } from '@dubplate/contract'
import { Alert, Stack, Text } from '@mantine/core'
import { format, rich } from '../../format/message.ts'
import type { FolderUpload } from './folderUpload.ts'
import * as texts from './texts.ts'

/** Files that could not be uploaded: also shown after the import continues without them. */
export const FailedUploads = ({ failures }: Pick<FolderUpload, 'failures'>) =>
  failures.length > 0 && (
    <Alert role="note" color="var(--warn)" title={texts.notUploaded} p="sm">
      <ProblemList
        label={texts.notUploaded}
        problems={failures.map(({ path, reason }) => (path ? format(texts.pathAndReason, { path, reason }) : reason))}
      />
    </Alert>
  )

/** The spreadsheets of an import, and the errors in them. */
export const SheetReports = ({ sheets }: Pick<imports.ImportRun, 'sheets'>) =>
  sheets.length > 0 && (
    <Stack component="section" aria-label={texts.sheets} gap="xs">
      {sheets.map(({ path, files_described, problems }) => (
        <div key={path}>
          <Text fz="sm" style={{ overflowWrap: 'anywhere' }}>
            {rich(problems.length > 0 ? texts.filesDescribedWithProblems : texts.filesDescribed, {
              ...{ path, files_described, problems: problems.length },
              b: (inside) => <b>{inside}</b>,
            })}
          </Text>
          {problems.length > 0 && (
            <ProblemList
              label={format(texts.problemsIn, { path })}
              problems={problems.map(({ row, message }) =>
                row > 0 ? format(texts.rowMessage, { row, message }) : message,
              )}
            />
          )}
        </div>
      ))}
    </Stack>
  )

/** Focusable, so that the keyboard can scroll it. */
const ProblemList = ({ label, problems }: { label: string; problems: readonly string[] }) => (
  <Stack
    component="ul"
    aria-label={label}
    tabIndex={0}
    gap={2}
    m={0}
    p={0}
    mah={120}
    fz="sm"
    c="var(--text-2)"
    style={{ overflowY: 'auto', overflowWrap: 'anywhere' }}
  >
    {problems.map((problem, i) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: a row can have two identical problems
      <li key={i}>{problem}</li>
    ))}
  </Stack>
)
