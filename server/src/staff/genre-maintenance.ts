import { genreTree, type ReplyOf } from '@dubplate/contract'
import { receiveGenrePicture, setGenrePicture } from '../catalogue/genre-pictures.ts'
import { findGenreIn, type Genre, readGenreTree } from '../catalogue/genre-tree.ts'
import { checkGenre, mergeGenre, moveGenre, removeGenre, saveGenre } from '../catalogue/genre-tree-changes.ts'
import { deleteGenreCharts, refreshCharts } from '../charts/chart-snapshots.ts'
import { moveDigGenre } from '../digging/merged-genres.ts'
import { lockCatalogue } from '../imports/add-songs.ts'
import { moveMutedGenre } from '../library/merged-genres.ts'
import type { Route } from '../membership/caller.ts'
import { countFollowers, moveFollowers } from '../newsletter/merged-genres.ts'
import type { Sql } from '../platform/db.ts'
import { moveSearchGenre } from '../saved-searches/merged-genres.ts'
import { moveUploadGenre, songsUploadedIn } from '../uploads/merged-genres.ts'
import { staffRead, staffWrite, staffWriteInSteps } from './audit.ts'

const subject = ({ genre_id }: { genre_id: number }) => `genre ${genre_id}`

/** Genres, sub-genres and moods; each action is recorded in the audit log. */
export const genreMaintenanceRoutes: Route[] = [
  staffRead(genreTree.getGenreTree, async ({ sql }) => getGenreTree(sql)),
  staffWrite(
    genreTree.saveGenre,
    {},
    async ({ input, sql }) => {
      const { before, after } = await saveGenre(sql, input)
      return {
        reply: await getGenre(sql, after.genre_id),
        action: before ? 'genre updated' : 'genre created',
        subject: subject(after),
        before: before && auditFields(before),
        after: auditFields(after),
      }
    },
    { alsoCheck: (fields, { sql }) => checkGenre(sql, fields) },
  ),
  staffWrite(genreTree.moveGenre, { action: 'genre moved', subject }, async ({ input, sql, ctx }) => {
    await lockCatalogue(sql)
    const { before, after } = await moveGenre(sql, input, songsUploadedIn)
    if (before?.parent_id !== after.parent_id) await refreshCharts(sql, ctx.now())
    return {
      reply: await getGenreTree(sql),
      before: { name: after.name, below: await parentName(sql, before?.parent_id ?? null) },
      after: { name: after.name, below: await parentName(sql, after.parent_id), place: input.place },
    }
  }),
  staffWrite(genreTree.mergeGenre, { action: 'genre merged', subject }, async ({ input, sql, ctx }) => {
    await lockCatalogue(sql)
    const { before, into } = await mergeGenre(sql, input, songsUploadedIn, async (from, into) => {
      await deleteGenreCharts(sql, from)
      await moveFollowers(sql, from, into)
      await moveSearchGenre(sql, from, into)
      await moveMutedGenre(sql, from, into)
      await moveDigGenre(sql, from, into)
      await moveUploadGenre(sql, from, into)
    })
    await refreshCharts(sql, ctx.now())
    return {
      reply: await getGenreTree(sql),
      before: { name: before.name, songs: before.songs + before.kuts },
      after: { merged_into: subject(into), name: into.name, songs: into.songs + into.kuts },
    }
  }),
  staffWrite(genreTree.removeGenre, { action: 'genre deleted', subject }, async ({ input, sql }) => {
    await deleteGenreCharts(sql, input.genre_id)
    const before = await removeGenre(sql, input)
    return { reply: await getGenreTree(sql), before: auditFields(before) }
  }),
  staffWriteInSteps(
    genreTree.uploadGenrePicture,
    async ({ request, record, ctx, sql }) => {
      const { genre_id, artwork_id } = await receiveGenrePicture(ctx, request)
      return sql.begin(async (sql) => {
        await setGenrePicture(sql, genre_id, artwork_id)
        await record(sql, { action: 'genre picture updated', subject: subject({ genre_id }) })
        return getGenre(sql, genre_id)
      })
    },
    { perMinute: 30 },
  ),
  staffWrite(genreTree.removeGenrePicture, { action: 'genre picture removed', subject }, async ({ input, sql }) => {
    await setGenrePicture(sql, input.genre_id, null)
    return { reply: await getGenre(sql, input.genre_id) }
  }),
]

async function getGenreTree(sql: Sql): Promise<ReplyOf<typeof genreTree.getGenreTree>> {
  const [tree, followerCounts] = await Promise.all([readGenreTree(sql), countFollowers(sql)])
  return { genres: tree.map((genre) => ({ ...genre, followers: followerCounts.get(genre.genre_id) ?? 0 })) }
}

async function getGenre(sql: Sql, genreId: number): Promise<ReplyOf<typeof genreTree.saveGenre>> {
  const { genres } = await getGenreTree(sql)
  const { followers: followerCounts = 0 } = genres.find(({ genre_id }) => genre_id === genreId) ?? {}
  return { genre: { ...findGenreIn(genres, genreId), followers: followerCounts } }
}

const auditFields = ({ name, description, kind, home_chip }: Genre) => ({ name, description, kind, home_chip })

async function parentName(sql: Sql, genreId: number | null): Promise<string> {
  if (genreId === null) return ''
  const [above] = await sql<{ name: string }[]>`select name from genre where genre_id = ${genreId}`
  return above?.name ?? ''
}
