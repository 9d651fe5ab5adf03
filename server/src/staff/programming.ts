import { curatedGenres, programming, trending } from '@dubplate/contract'
import { monthChart, trendingTracks } from '../catalogue/charts.ts'
import { listLists, listSuggested, readList } from '../catalogue/composed-lists.ts'
import { previewList, songsForComposer } from '../catalogue/composer.ts'
import { checkGenre, listGenres, orderGenres, removeGenre, saveGenre } from '../catalogue/curated-genre-tree.ts'
import { receiveCover } from '../catalogue/list-covers.ts'
import {
  type Change,
  checkGivenList,
  removeList,
  saveList,
  suggestList,
  withdrawList,
} from '../catalogue/list-saving.ts'
import { drawnInAddress } from '../catalogue/pictures.ts'
import { listAhead } from '../catalogue/programme-ahead.ts'
import { checkPin, listPins, type PinChange, pinSong, unpinSong } from '../catalogue/trending-pins.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import type { Call, Question } from '../platform/serve.ts'
import { untangled } from '../platform/untangled.ts'
import type { World } from '../world.ts'
import { type Deed, recordDeed } from './audit.ts'

/** What curators put together, each deed written down with what was before and is after. */
export const programmingRoutes = (world: World): Call<Asker>[] => [
  ...listRoutes(world),
  ...composerRoutes(world),
  ...curatedGenreRoutes(world),
  ...suggestedRoutes(world),
  ...trendingRoutes(world),
]

type Asked = Pick<Question<typeof curatedGenres.getGenres, Asker>, 'member' | 'request'>

const by = ({ member, request }: Asked): Pick<Deed, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const subjectOf = ({ kind, list_id }: Pick<programming.WholeList, 'kind' | 'list_id'>) => `${kind} ${list_id}`

/** What of a list is written down. Who made it may be somebody's name: that it changed is enough. */
const written = (list: programming.WholeList) => ({
  title: list.title,
  state: list.state,
  published_at: list.published_at,
  ended_at: list.ended_at,
  curated_genre_id: list.curated_genre_id,
  cover_seed: list.cover_seed,
  artwork_id: list.artwork_id,
  suggested: list.suggested,
  suggested_from: list.suggested_from,
  songs: list.entity_ids,
})

/** Writes down what became of a list, and answers it. */
async function recordChange(sql: Sql, asked: Asked, what: string, { before, after }: Change) {
  const made = before && before.created_by !== after.created_by ? { created_by: 'changed' } : {}
  const deed = { ...by(asked), action: `${after.kind} ${what}`, subject: subjectOf(after) }
  await recordDeed(sql, {
    ...deed,
    ...(before ? { before: written(before) } : {}),
    after: { ...written(after), ...made },
  })
  return { list: after }
}

/** In a word: what a save was. */
function savedAs({ before, after }: Change): string {
  const isOut = ['scheduled', 'published'].includes(after.state)
  if (isOut && before?.state !== after.state) return after.state
  return before ? 'updated' : 'created'
}

const listRoutes = ({ sql }: World): Call<Asker>[] => [
  on(programming.getLists, async ({ input }) => listLists(sql, input)),
  on(programming.getList, async ({ input }) => ({ list: await readList(sql, input.kind, input.list_id) })),
  // A merge holds songs before the lists they are in, this the list before its songs.
  on(
    programming.saveList,
    async ({ input, ...asked }) =>
      untangled(sql, async (sql) => {
        const change = await saveList(sql, input)
        return recordChange(sql, asked, savedAs(change), change)
      }),
    { alsoCheck: (given) => checkGivenList(sql, given) },
  ),
  on(programming.withdrawList, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const change = await withdrawList(sql, input)
      return recordChange(sql, asked, change.after.state === 'draft' ? 'unscheduled' : 'unpublished', change)
    }),
  ),
  on(programming.removeList, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const before = await removeList(sql, input)
      const deed = { action: `${input.kind} deleted`, subject: subjectOf(before), before: written(before) }
      await recordDeed(sql, { ...by(asked), ...deed })
      return {}
    }),
  ),
  on(programming.getSchedule, async () => ({ ahead: await listAhead(sql) })),
]

const composerRoutes = (world: World): Call<Asker>[] => {
  const { sql, settings } = world
  const limit = () => settings.downloadLimit
  return [
    on(programming.uploadCover, async ({ request }) => receiveCover(world, request), { perMinute: 30 }),
    on(programming.drawCover, async ({ input }) => ({ image: drawnInAddress(input) })),
    on(programming.getSongs, async ({ input }) => songsForComposer(sql, input.entity_ids, limit())),
    on(programming.previewList, async ({ input }) => previewList(sql, input, limit())),
    on(programming.getMonthChart, async ({ input }) => ({
      songs: await monthChart(sql, input.month, { places: programming.TOP20_LENGTH, downloadLimit: limit() }),
    })),
  ]
}

const curatedGenreRoutes = ({ sql }: World): Call<Asker>[] => [
  on(curatedGenres.getGenres, async () => ({ genres: await listGenres(sql) })),
  on(
    curatedGenres.saveGenre,
    async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const { before, after } = await saveGenre(sql, input)
        const placed = ({ title, parent_id }: curatedGenres.StaffGenre) => ({ title, parent_id })
        await recordDeed(sql, {
          ...by(asked),
          action: before ? 'curated genre updated' : 'curated genre created',
          subject: `curated_genre ${after.curated_genre_id}`,
          ...(before ? { before: placed(before) } : {}),
          after: placed(after),
        })
        return { genre: after }
      }),
    { alsoCheck: (given) => checkGenre(sql, given) },
  ),
  on(curatedGenres.orderGenres, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const { before, after } = await orderGenres(sql, input)
      const subject = input.parent_id === null ? 'curated genres' : `curated_genre ${input.parent_id}`
      await recordDeed(sql, {
        ...by(asked),
        action: 'curated genres reordered',
        subject,
        before: { order: before },
        after: { order: after },
      })
      return {}
    }),
  ),
  on(curatedGenres.removeGenre, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const { title, parent_id } = await removeGenre(sql, input.curated_genre_id)
      const subject = `curated_genre ${input.curated_genre_id}`
      await recordDeed(sql, {
        ...by(asked),
        action: 'curated genre deleted',
        subject,
        before: { title, parent_id },
      })
      return {}
    }),
  ),
]

const suggestedRoutes = ({ sql }: World): Call<Asker>[] => [
  on(programming.getSuggested, async () => listSuggested(sql)),
  on(programming.suggestList, async ({ input, ...asked }) =>
    sql.begin(async (sql) => {
      const change = await suggestList(sql, input)
      return recordChange(sql, asked, input.suggested ? 'suggested' : 'removed from suggestions', change)
    }),
  ),
]

const trendingRoutes = ({ sql, settings }: World): Call<Asker>[] => {
  const record = (sql: Sql, asked: Asked, action: string, entityId: number, { before, after }: PinChange) => {
    const place = (pin: trending.Pin | undefined) => pin && { rank: pin.rank, until: pin.until }
    const [was, is] = [place(before), place(after)]
    const sides = { ...(was ? { before: was } : {}), ...(is ? { after: is } : {}) }
    return recordDeed(sql, { ...by(asked), action, subject: `song ${entityId}`, ...sides })
  }
  return [
    on(trending.getTrending, async () => {
      const [shown, computed, pins] = await Promise.all([
        trendingTracks(sql, settings.downloadLimit),
        trendingTracks(sql, settings.downloadLimit, { withPins: false }),
        listPins(sql),
      ])
      return { shown, computed, pins }
    }),
    on(
      trending.pinSong,
      async ({ input, ...asked }) =>
        sql.begin(async (sql) => {
          const change = await pinSong(sql, input)
          await record(sql, asked, 'song pinned', input.entity_id, change)
          return {}
        }),
      { alsoCheck: (given) => checkPin(sql, given) },
    ),
    on(trending.unpinSong, async ({ input, ...asked }) =>
      sql.begin(async (sql) => {
        const change = await unpinSong(sql, input.entity_id, input.rank)
        await record(sql, asked, 'song unpinned', input.entity_id, change)
        return {}
      }),
    ),
  ]
}
