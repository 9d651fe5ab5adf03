import { imports } from '@dubplate/contract'
import { correctFile } from '../imports/import-corrections.ts'
import { lookInto, openPlace } from '../imports/import-places.ts'
import {
  beginImport,
  type HeldRun,
  holdImport,
  listFiles,
  listImports,
  readFile,
  readImport,
  refuseBusy,
  setWaiting,
  stopRun,
} from '../imports/import-runs.ts'
import { refusePattern } from '../imports/path-pattern.ts'
import { reportLink } from '../imports/report-file.ts'
import { receiveFolderCover } from '../imports/sent-covers.ts'
import { announceFiles, forgetImport } from '../imports/sent-files.ts'
import { receiveSheet } from '../imports/sent-sheets.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { atField, fieldRefusal, Refusal, refuseTogether } from '../platform/refusal.ts'
import type { Call, Question } from '../platform/serve.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'

type Asked = Pick<Question<typeof imports.getImport, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked): Pick<Deed, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

/** Imports from the back office, each deed written down; the work itself is the workers'. */
export const importRoutes = (world: World): Call<Asker>[] => {
  const { sql, config } = world
  return [
    on(imports.getImports, async ({ input }) => ({
      ...(await listImports(sql, input.page)),
      folders: config.importFolders,
    })),
    on(imports.getImport, async ({ input }) => ({ import: await readImport(sql, input.import_run_id) }), {
      perMinute: 240,
    }),
    on(imports.getImportFiles, async ({ input }) => listFiles(sql, input)),
    on(imports.getFolders, async ({ input }) => lookInto(world, input.folder)),
    on(
      imports.startImport,
      async ({ input, ...asked }) => {
        await checkImport(world, input)
        const { folder } = await openPlace(world, input.folder)
        return begin(world, { ...input, source: 'folder', folder }, asked)
      },
      {
        alsoCheck: ({ folder, pattern }) =>
          checkImport(world, {
            folder: parsed(imports.startImport.input.shape.folder, folder),
            pattern: parsed(imports.startImport.input.shape.pattern, pattern),
          }),
      },
    ),
    on(
      imports.beginSending,
      async ({ input, ...asked }) => {
        await checkImport(world, { pattern: input.pattern })
        return begin(world, { ...input, source: 'browser' }, asked)
      },
      {
        alsoCheck: ({ pattern }) =>
          checkImport(world, { pattern: parsed(imports.beginSending.input.shape.pattern, pattern) }),
      },
    ),
    on(imports.announceFiles, async ({ input }) => ({ files: await announceFiles(world, input) }), {
      perMinute: 240,
    }),
    on(imports.sendCover, async ({ request }) => {
      await receiveFolderCover(world, request)
      return {}
    }),
    on(imports.sendSheet, async ({ request }) => {
      await receiveSheet(world, request)
      return {}
    }),
    on(imports.correctFile, async ({ input, ...asked }) => {
      const { import_run_id: runId, n, ...changes } = input
      const file = await sql.begin(async (transaction) => {
        await correctFile(transaction, input)
        const subject = `import ${runId}`
        await recordDeed(transaction, {
          ...by(asked),
          action: 'import file changed',
          subject,
          after: { n, ...changes },
        })
        return readFile(transaction, runId, n)
      })
      return { import: await readImport(sql, runId), file }
    }),
    on(imports.planImport, async ({ input, ...asked }) =>
      change(world, input.import_run_id, { ...by(asked), action: 'import rescanned' }, async (sql, run) => {
        refuseBusy(run)
        if (run.phase === 'import')
          throw new Refusal('import_finished', 'This import has already started. Continue it instead of rescanning.')
        if (run.source === 'folder') await openPlace(world, run.folder)
        await setWaiting(sql, run, 'plan')
      }),
    ),
    on(imports.doImport, async ({ input, ...asked }) =>
      change(world, input.import_run_id, { ...by(asked), action: 'import started' }, async (sql, run) => {
        refuseBusy(run)
        if (run.source === 'folder') await openPlace(world, run.folder)
        await setWaiting(sql, run, 'import')
      }),
    ),
    on(imports.stopImport, async ({ input, ...asked }) =>
      change(world, input.import_run_id, { ...by(asked), action: 'import stopped' }, stopRun),
    ),
    on(imports.removeImport, async ({ input, ...asked }) => {
      await remove(world, input.import_run_id, by(asked))
      return {}
    }),
    on(imports.getImportReport, async ({ input, member }) => reportLink(world, member, input.import_run_id)),
  ]
}

type Wish = {
  source: 'folder' | 'browser'
  folder: string
  song_section_id: number
  genre: string
  pattern: string
}

/** Refuses what `openPlace` refuses of a folder, and `invalid_pattern`, both at once. */
const checkImport = (
  world: World,
  { folder, pattern }: { folder?: string | undefined; pattern?: string | undefined },
): Promise<void> =>
  refuseTogether([
    () => folder !== undefined && atField('folder', () => openPlace(world, folder)),
    () => {
      const problem = pattern && refusePattern(pattern)
      if (problem) throw fieldRefusal('invalid_pattern', 'pattern', problem)
    },
  ])

async function begin({ sql: pool }: World, wish: Wish, asked: Asked) {
  const runId = await pool.begin(async (sql) => {
    const runId = await beginImport(sql, { ...wish, staff_id: asked.member.customer_id })
    const action = wish.source === 'folder' ? 'folder scanned' : 'folder uploaded'
    await recordDeed(sql, { ...by(asked), action, subject: `import ${runId}`, after: wish })
    return runId
  })
  return { import: await readImport(pool, runId) }
}

async function change(
  { sql: pool }: World,
  runId: number,
  deed: Omit<Deed, 'subject'>,
  what: (sql: Sql, run: HeldRun) => Promise<void>,
) {
  await pool.begin(async (sql) => {
    await what(sql, await holdImport(sql, runId))
    await recordDeed(sql, { ...deed, subject: `import ${runId}` })
  })
  return { import: await readImport(pool, runId) }
}

const remove = (world: World, runId: number, who: Pick<Deed, 'staff_id' | 'ip'>): Promise<void> =>
  forgetImport(world, runId, async (sql, { state, folder }) => {
    if (state === 'waiting' || state === 'running')
      throw new Refusal('import_in_progress', 'This import is still running. Stop it first.')
    const deed = { action: 'import report deleted', subject: `import ${runId}`, before: { folder } }
    await recordDeed(sql, { ...who, ...deed })
  })
