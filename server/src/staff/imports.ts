import { imports } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { correctFile } from '../imports/import-corrections.ts'
import { countAudioIn, openPlace } from '../imports/import-folders.ts'
import {
  type LockedRun,
  listFiles,
  listImports,
  lockImport,
  queueRun,
  readFile,
  readImport,
  rejectBusy,
  setTagEncoding,
  startImport,
  stopRun,
} from '../imports/import-runs.ts'
import { checkPattern } from '../imports/path-pattern.ts'
import { reportLink } from '../imports/report-file.ts'
import { receiveFolderCover } from '../imports/uploaded-covers.ts'
import { announceFiles, deleteImport } from '../imports/uploaded-files.ts'
import { receiveSheet } from '../imports/uploaded-sheets.ts'
import { on, type Route } from '../membership/caller.ts'
import { ApiError, atField, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { staffRead, staffWrite, staffWriteInSteps } from './audit.ts'

const subject = ({ import_run_id }: { import_run_id: number }) => `import ${import_run_id}`

const PART_OF_UPLOAD = { unrecorded: 'sends a part of an import whose start is recorded' }

/** Imports from the back office; each action is recorded. Workers do the import itself. */
export const importRoutes: Route[] = [
  staffRead(imports.getImports, async ({ input, ctx, sql }) => ({
    ...(await listImports(sql, input.page)),
    folders: ctx.config.importFolders,
  })),
  staffRead(imports.getImport, async ({ input, sql }) => ({ import: await readImport(sql, input.import_run_id) }), {
    perMinute: 240,
  }),
  staffRead(imports.getImportFiles, async ({ input, sql }) => listFiles(sql, input)),
  staffRead(imports.getFolders, async ({ input, ctx }) => countAudioIn(ctx, input.folder)),
  staffWrite(
    imports.startImport,
    { action: 'folder scanned' },
    async ({ input, staff_id, sql, ctx }) => {
      const { folder } = await openPlace(ctx, input.folder)
      return createImport(sql, { ...input, source: 'folder', folder }, staff_id)
    },
    {
      check: ({ input, ctx }) => checkImport(ctx, input),
      alsoCheck: ({ folder, pattern }, { ctx }) =>
        checkImport(ctx, {
          folder: parsed(imports.startImport.input.shape.folder, folder),
          pattern: parsed(imports.startImport.input.shape.pattern, pattern),
        }),
    },
  ),
  staffWrite(
    imports.createUploadImport,
    { action: 'folder uploaded' },
    ({ input, staff_id, sql }) => createImport(sql, { ...input, source: 'browser' }, staff_id),
    {
      check: ({ input, ctx }) => checkImport(ctx, { pattern: input.pattern }),
      alsoCheck: ({ pattern }, { ctx }) =>
        checkImport(ctx, { pattern: parsed(imports.createUploadImport.input.shape.pattern, pattern) }),
    },
  ),
  on(imports.registerFiles, async ({ input, ctx }) => ({ files: await announceFiles(ctx, input) }), {
    perMinute: 240,
    audit: { unrecorded: 'announces files of an import whose start is recorded; its report lists them' },
  }),
  on(
    imports.uploadCover,
    async ({ request, ctx }) => {
      await receiveFolderCover(ctx, request)
      return {}
    },
    { audit: PART_OF_UPLOAD },
  ),
  on(
    imports.uploadSheet,
    async ({ request, ctx }) => {
      await receiveSheet(ctx, request)
      return {}
    },
    { audit: PART_OF_UPLOAD },
  ),
  staffWrite(imports.correctFile, { action: 'import file changed', subject }, async ({ input, sql }) => {
    const { import_run_id: runId, n, ...changes } = input
    await correctFile(sql, input)
    return {
      reply: { import: await readImport(sql, runId), file: await readFile(sql, runId, n) },
      after: { n, ...changes },
    }
  }),
  staffWrite(imports.planImport, { action: 'import rescanned', subject }, ({ input, sql, ctx }) =>
    change(sql, input.import_run_id, async (run) => {
      rejectBusy(run)
      if (run.phase === 'import')
        throw new ApiError('import_finished', 'This import has already started. Continue it instead of rescanning.')
      if (run.source === 'folder') await openPlace(ctx, run.folder)
      if (input.tag_encoding) await setTagEncoding(sql, run.import_run_id, input.tag_encoding)
      await queueRun(sql, run, 'plan')
    }),
  ),
  staffWrite(imports.doImport, { action: 'import started', subject }, ({ input, sql, ctx }) =>
    change(sql, input.import_run_id, async (run) => {
      rejectBusy(run)
      if (run.source === 'folder') await openPlace(ctx, run.folder)
      await queueRun(sql, run, 'import')
    }),
  ),
  staffWrite(imports.stopImport, { action: 'import stopped', subject }, ({ input, sql }) =>
    change(sql, input.import_run_id, (run) => stopRun(sql, run)),
  ),
  staffWriteInSteps(imports.removeImport, async ({ input, record, ctx }) => {
    await deleteImport(ctx, input.import_run_id, async (sql, { state, folder }) => {
      if (state === 'waiting' || state === 'running')
        throw new ApiError('import_in_progress', 'This import is still running. Stop it first.')
      await record(sql, { action: 'import report deleted', subject: subject(input), before: { folder } })
    })
    return {}
  }),
  staffRead(imports.getImportReport, async ({ input, member, ctx }) => reportLink(ctx, member, input.import_run_id)),
]

type ImportParams = {
  source: 'folder' | 'browser'
  folder: string
  song_section_id: number
  genre: string
  pattern: string
  tag_encoding: imports.TagEncoding
}

/** Throws the errors of `openPlace` for a folder, and `invalid_pattern`, both at once. */
const checkImport = (
  ctx: AppContext,
  { folder, pattern }: { folder?: string | undefined; pattern?: string | undefined },
): Promise<void> =>
  throwAllErrors([
    () => folder !== undefined && atField('folder', () => openPlace(ctx, folder)),
    () => {
      const patternError = pattern && checkPattern(pattern)
      if (patternError) throw fieldError('invalid_pattern', 'pattern', patternError)
    },
  ])

async function createImport(sql: Sql, params: ImportParams, staff_id: number) {
  const import_run_id = await startImport(sql, { ...params, staff_id })
  return {
    reply: { import: await readImport(sql, import_run_id) },
    subject: subject({ import_run_id }),
    after: params,
  }
}

async function change(sql: Sql, runId: number, applyChange: (run: LockedRun) => Promise<void>) {
  await applyChange(await lockImport(sql, runId))
  return { reply: { import: await readImport(sql, runId) } }
}
