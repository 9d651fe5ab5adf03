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
  startImport,
  stopRun,
} from '../imports/import-runs.ts'
import { checkPattern } from '../imports/path-pattern.ts'
import { reportLink } from '../imports/report-file.ts'
import { receiveFolderCover } from '../imports/uploaded-covers.ts'
import { announceFiles, deleteImport } from '../imports/uploaded-files.ts'
import { receiveSheet } from '../imports/uploaded-sheets.ts'
import { type Caller, on } from '../membership/caller.ts'
import { ApiError, atField, fieldError, throwAllErrors } from '../platform/api-error.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { type AuditAction, recordAudit } from './audit.ts'

type StaffCall = Pick<CallContext<typeof imports.getImport, Caller>, 'member' | 'request'>

const actor = ({ member, request }: StaffCall): Pick<AuditAction, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

/** Imports from the back office; each action is recorded. Workers do the import itself. */
export const importRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql, config } = ctx
  return [
    on(imports.getImports, async ({ input }) => ({
      ...(await listImports(sql, input.page)),
      folders: config.importFolders,
    })),
    on(imports.getImport, async ({ input }) => ({ import: await readImport(sql, input.import_run_id) }), {
      perMinute: 240,
    }),
    on(imports.getImportFiles, async ({ input }) => listFiles(sql, input)),
    on(imports.getFolders, async ({ input }) => countAudioIn(ctx, input.folder)),
    on(
      imports.startImport,
      async ({ input, ...call }) => {
        await checkImport(ctx, input)
        const { folder } = await openPlace(ctx, input.folder)
        return createImport(ctx, { ...input, source: 'folder', folder }, call)
      },
      {
        alsoCheck: ({ folder, pattern }) =>
          checkImport(ctx, {
            folder: parsed(imports.startImport.input.shape.folder, folder),
            pattern: parsed(imports.startImport.input.shape.pattern, pattern),
          }),
      },
    ),
    on(
      imports.createUploadImport,
      async ({ input, ...call }) => {
        await checkImport(ctx, { pattern: input.pattern })
        return createImport(ctx, { ...input, source: 'browser' }, call)
      },
      {
        alsoCheck: ({ pattern }) =>
          checkImport(ctx, { pattern: parsed(imports.createUploadImport.input.shape.pattern, pattern) }),
      },
    ),
    on(imports.registerFiles, async ({ input }) => ({ files: await announceFiles(ctx, input) }), {
      perMinute: 240,
    }),
    on(imports.uploadCover, async ({ request }) => {
      await receiveFolderCover(ctx, request)
      return {}
    }),
    on(imports.uploadSheet, async ({ request }) => {
      await receiveSheet(ctx, request)
      return {}
    }),
    on(imports.correctFile, async ({ input, ...call }) => {
      const { import_run_id: runId, n, ...changes } = input
      const file = await sql.begin(async (transaction) => {
        await correctFile(transaction, input)
        const subject = `import ${runId}`
        await recordAudit(transaction, {
          ...actor(call),
          action: 'import file changed',
          subject,
          after: { n, ...changes },
        })
        return readFile(transaction, runId, n)
      })
      return { import: await readImport(sql, runId), file }
    }),
    on(imports.planImport, async ({ input, ...call }) =>
      change(ctx, input.import_run_id, { ...actor(call), action: 'import rescanned' }, async (sql, run) => {
        rejectBusy(run)
        if (run.phase === 'import')
          throw new ApiError('import_finished', 'This import has already started. Continue it instead of rescanning.')
        if (run.source === 'folder') await openPlace(ctx, run.folder)
        await queueRun(sql, run, 'plan')
      }),
    ),
    on(imports.doImport, async ({ input, ...call }) =>
      change(ctx, input.import_run_id, { ...actor(call), action: 'import started' }, async (sql, run) => {
        rejectBusy(run)
        if (run.source === 'folder') await openPlace(ctx, run.folder)
        await queueRun(sql, run, 'import')
      }),
    ),
    on(imports.stopImport, async ({ input, ...call }) =>
      change(ctx, input.import_run_id, { ...actor(call), action: 'import stopped' }, stopRun),
    ),
    on(imports.removeImport, async ({ input, ...call }) => {
      await removeImport(ctx, input.import_run_id, actor(call))
      return {}
    }),
    on(imports.getImportReport, async ({ input, member }) => reportLink(ctx, member, input.import_run_id)),
  ]
}

type ImportParams = {
  source: 'folder' | 'browser'
  folder: string
  song_section_id: number
  genre: string
  pattern: string
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

async function createImport({ sql: pool }: AppContext, params: ImportParams, call: StaffCall) {
  const runId = await pool.begin(async (sql) => {
    const runId = await startImport(sql, { ...params, staff_id: call.member.customer_id })
    const action = params.source === 'folder' ? 'folder scanned' : 'folder uploaded'
    await recordAudit(sql, { ...actor(call), action, subject: `import ${runId}`, after: params })
    return runId
  })
  return { import: await readImport(pool, runId) }
}

async function change(
  { sql: pool }: AppContext,
  runId: number,
  auditEntry: Omit<AuditAction, 'subject'>,
  what: (sql: Sql, run: LockedRun) => Promise<void>,
) {
  await pool.begin(async (sql) => {
    await what(sql, await lockImport(sql, runId))
    await recordAudit(sql, { ...auditEntry, subject: `import ${runId}` })
  })
  return { import: await readImport(pool, runId) }
}

const removeImport = (ctx: AppContext, runId: number, who: Pick<AuditAction, 'staff_id' | 'ip'>): Promise<void> =>
  deleteImport(ctx, runId, async (sql, { state, folder }) => {
    if (state === 'waiting' || state === 'running')
      throw new ApiError('import_in_progress', 'This import is still running. Stop it first.')
    const auditEntry = { action: 'import report deleted', subject: `import ${runId}`, before: { folder } }
    await recordAudit(sql, { ...who, ...auditEntry })
  })
