import { genreTree, type ReplyOf } from '@dubplate/contract'
import { receiveGenrePicture, setGenrePicture } from '../catalogue/genre-pictures.ts'
import { findIn, type Genre, readGenreTree } from '../catalogue/genre-tree.ts'
import { checkGenre, mergeGenre, moveGenre, removeGenre, saveGenre } from '../catalogue/genre-tree-changes.ts'
import { refreshCharts } from '../catalogue/moved-counts.ts'
import { holdImports } from '../imports/song-shelf.ts'
import { type Asker, on } from '../membership/asker.ts'
import { countFollowers, followOn } from '../newsletter/merged-genres.ts'
import type { Sql } from '../platform/db.ts'
import type { Call, Question } from '../platform/serve.ts'
import { untangled } from '../platform/untangled.ts'
import { searchOn } from '../saved-searches/merged-genres.ts'
import { chooseOn } from '../uploads/merged-genres.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'

type Asked = Pick<Question<typeof genreTree.getGenreTree, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked): Pick<Deed, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

/** Genres, sub-genres and moods, each deed written down. */
export const genreUpkeepRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  return [
    on(genreTree.getGenreTree, async () => showTree(sql)),
    on(
      genreTree.saveGenre,
      async ({ input, ...asked }) => {
        const genreId = await untangled(sql, async (sql) => {
          const { before, after } = await saveGenre(sql, input)
          await record(sql, { ...by(asked), action: before ? 'genre updated' : 'genre created' }, before, after)
          return after.genre_id
        })
        return showGenre(sql, genreId)
      },
      { alsoCheck: (given) => checkGenre(sql, given) },
    ),
    on(genreTree.moveGenre, async ({ input, ...asked }) => {
      await untangled(sql, async (sql) => {
        await holdImports(sql)
        const { before, after } = await moveGenre(sql, input)
        if (before?.parent_id !== after.parent_id) await refreshCharts(sql, world.now())
        await recordDeed(sql, {
          ...by(asked),
          action: 'genre moved',
          subject: `genre ${after.genre_id}`,
          before: { name: after.name, below: await aboveOf(sql, before?.parent_id ?? null) },
          after: { name: after.name, below: await aboveOf(sql, after.parent_id), place: input.place },
        })
      })
      return showTree(sql)
    }),
    on(genreTree.mergeGenre, async ({ input, ...asked }) => {
      await untangled(sql, async (sql) => {
        await holdImports(sql)
        const { before, into } = await mergeGenre(sql, input, async (from, into) => {
          await followOn(sql, from, into)
          await searchOn(sql, from, into)
          await chooseOn(sql, from, into)
        })
        await refreshCharts(sql, world.now())
        await recordDeed(sql, {
          ...by(asked),
          action: 'genre merged',
          subject: `genre ${before.genre_id}`,
          before: { name: before.name, songs: before.songs + before.kuts },
          after: { merged_into: `genre ${into.genre_id}`, name: into.name, songs: into.songs + into.kuts },
        })
      })
      return showTree(sql)
    }),
    on(genreTree.removeGenre, async ({ input, ...asked }) => {
      await untangled(sql, async (sql) => {
        const before = await removeGenre(sql, input)
        await record(sql, { ...by(asked), action: 'genre deleted' }, before, undefined)
      })
      return showTree(sql)
    }),
    on(
      genreTree.uploadGenrePicture,
      async (asked) => {
        const { genre_id, artwork_id } = await receiveGenrePicture(world, asked.request)
        await setPicture(sql, genre_id, artwork_id, by(asked))
        return showGenre(sql, genre_id)
      },
      { perMinute: 30 },
    ),
    on(genreTree.removeGenrePicture, async ({ input, ...asked }) => {
      await setPicture(sql, input.genre_id, null, by(asked))
      return showGenre(sql, input.genre_id)
    }),
  ]
}

const setPicture = (sql: World['sql'], genreId: number, artworkId: number | null, who: Pick<Deed, 'staff_id' | 'ip'>) =>
  sql.begin(async (sql) => {
    await setGenrePicture(sql, genreId, artworkId)
    const action = artworkId === null ? 'genre picture removed' : 'genre picture updated'
    await recordDeed(sql, { ...who, action, subject: `genre ${genreId}` })
  })

async function showTree(sql: Sql): Promise<ReplyOf<typeof genreTree.getGenreTree>> {
  const [tree, followers] = await Promise.all([readGenreTree(sql), countFollowers(sql)])
  return { genres: tree.map((genre) => ({ ...genre, followers: followers.get(genre.genre_id) ?? 0 })) }
}

async function showGenre(sql: Sql, genreId: number): Promise<ReplyOf<typeof genreTree.saveGenre>> {
  const { genres } = await showTree(sql)
  const { followers = 0 } = genres.find(({ genre_id }) => genre_id === genreId) ?? {}
  return { genre: { ...findIn(genres, genreId), followers } }
}

const told = ({ name, kind, home_chip }: Genre) => ({ name, kind, home_chip })

const record = (
  sql: Sql,
  deed: Omit<Deed, 'subject'>,
  before: Genre | undefined,
  after: Genre | undefined,
): Promise<void> =>
  recordDeed(sql, {
    ...deed,
    subject: `genre ${(after ?? before)?.genre_id}`,
    ...(before ? { before: told(before) } : {}),
    ...(after ? { after: told(after) } : {}),
  })

async function aboveOf(sql: Sql, genreId: number | null): Promise<string> {
  if (genreId === null) return ''
  const [above] = await sql<{ name: string }[]>`select name from genre where genre_id = ${genreId}`
  return above?.name ?? ''
}
