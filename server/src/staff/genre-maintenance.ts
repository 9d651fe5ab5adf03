import { genreTree, type ReplyOf } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { receiveGenrePicture, setGenrePicture } from '../catalogue/genre-pictures.ts'
import { findGenreIn, type Genre, readGenreTree } from '../catalogue/genre-tree.ts'
import { checkGenre, mergeGenre, moveGenre, removeGenre, saveGenre } from '../catalogue/genre-tree-changes.ts'
import { refreshCharts } from '../catalogue/moved-counts.ts'
import { lockCatalogue } from '../imports/add-songs.ts'
import { type Caller, on } from '../membership/caller.ts'
import { countFollowers, moveFollowers } from '../newsletter/merged-genres.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { moveSearchGenre } from '../saved-searches/merged-genres.ts'
import { moveUploadGenre } from '../uploads/merged-genres.ts'
import { type AuditAction, recordAudit } from './audit.ts'

type StaffCall = Pick<CallContext<typeof genreTree.getGenreTree, Caller>, 'member' | 'request'>

const by = ({ member, request }: StaffCall): Pick<AuditAction, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

/** Genres, sub-genres and moods; each action is recorded in the audit log. */
export const genreMaintenanceRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql } = ctx
  return [
    on(genreTree.getGenreTree, async () => getGenreTree(sql)),
    on(
      genreTree.saveGenre,
      async ({ input, ...call }) => {
        const genreId = await withDeadlockRetry(sql, async (sql) => {
          const { before, after } = await saveGenre(sql, input)
          await recordChangeEntry(
            sql,
            { ...by(call), action: before ? 'genre updated' : 'genre created' },
            before,
            after,
          )
          return after.genre_id
        })
        return getGenre(sql, genreId)
      },
      { alsoCheck: (fields) => checkGenre(sql, fields) },
    ),
    on(genreTree.moveGenre, async ({ input, ...call }) => {
      await withDeadlockRetry(sql, async (sql) => {
        await lockCatalogue(sql)
        const { before, after } = await moveGenre(sql, input)
        if (before?.parent_id !== after.parent_id) await refreshCharts(sql, ctx.now())
        await recordAudit(sql, {
          ...by(call),
          action: 'genre moved',
          subject: `genre ${after.genre_id}`,
          before: { name: after.name, below: await parentName(sql, before?.parent_id ?? null) },
          after: { name: after.name, below: await parentName(sql, after.parent_id), place: input.place },
        })
      })
      return getGenreTree(sql)
    }),
    on(genreTree.mergeGenre, async ({ input, ...call }) => {
      await withDeadlockRetry(sql, async (sql) => {
        await lockCatalogue(sql)
        const { before, into } = await mergeGenre(sql, input, async (from, into) => {
          await moveFollowers(sql, from, into)
          await moveSearchGenre(sql, from, into)
          await moveUploadGenre(sql, from, into)
        })
        await refreshCharts(sql, ctx.now())
        await recordAudit(sql, {
          ...by(call),
          action: 'genre merged',
          subject: `genre ${before.genre_id}`,
          before: { name: before.name, songs: before.songs + before.kuts },
          after: { merged_into: `genre ${into.genre_id}`, name: into.name, songs: into.songs + into.kuts },
        })
      })
      return getGenreTree(sql)
    }),
    on(genreTree.removeGenre, async ({ input, ...call }) => {
      await withDeadlockRetry(sql, async (sql) => {
        const before = await removeGenre(sql, input)
        await recordChangeEntry(sql, { ...by(call), action: 'genre deleted' }, before, undefined)
      })
      return getGenreTree(sql)
    }),
    on(
      genreTree.uploadGenrePicture,
      async (call) => {
        const { genre_id, artwork_id } = await receiveGenrePicture(ctx, call.request)
        await setPicture(sql, genre_id, artwork_id, by(call))
        return getGenre(sql, genre_id)
      },
      { perMinute: 30 },
    ),
    on(genreTree.removeGenrePicture, async ({ input, ...call }) => {
      await setPicture(sql, input.genre_id, null, by(call))
      return getGenre(sql, input.genre_id)
    }),
  ]
}

const setPicture = (
  sql: AppContext['sql'],
  genreId: number,
  artworkId: number | null,
  who: Pick<AuditAction, 'staff_id' | 'ip'>,
) =>
  sql.begin(async (sql) => {
    await setGenrePicture(sql, genreId, artworkId)
    const action = artworkId === null ? 'genre picture removed' : 'genre picture updated'
    await recordAudit(sql, { ...who, action, subject: `genre ${genreId}` })
  })

async function getGenreTree(sql: Sql): Promise<ReplyOf<typeof genreTree.getGenreTree>> {
  const [tree, followerCounts] = await Promise.all([readGenreTree(sql), countFollowers(sql)])
  return { genres: tree.map((genre) => ({ ...genre, followers: followerCounts.get(genre.genre_id) ?? 0 })) }
}

async function getGenre(sql: Sql, genreId: number): Promise<ReplyOf<typeof genreTree.saveGenre>> {
  const { genres } = await getGenreTree(sql)
  const { followers: followerCounts = 0 } = genres.find(({ genre_id }) => genre_id === genreId) ?? {}
  return { genre: { ...findGenreIn(genres, genreId), followers: followerCounts } }
}

const auditFields = ({ name, kind, home_chip }: Genre) => ({ name, kind, home_chip })

const recordChangeEntry = (
  sql: Sql,
  auditEntry: Omit<AuditAction, 'subject'>,
  before: Genre | undefined,
  after: Genre | undefined,
): Promise<void> =>
  recordAudit(sql, {
    ...auditEntry,
    subject: `genre ${(after ?? before)?.genre_id}`,
    ...(before ? { before: auditFields(before) } : {}),
    ...(after ? { after: auditFields(after) } : {}),
  })

async function parentName(sql: Sql, genreId: number | null): Promise<string> {
  if (genreId === null) return ''
  const [above] = await sql<{ name: string }[]>`select name from genre where genre_id = ${genreId}`
  return above?.name ?? ''
}
