import { curatedGenres, curation, trending } from '@dubplate/contract'
import { generatedCoverDataUrl } from '../catalogue/pictures.ts'
import { monthChart } from '../charts/month-chart.ts'
import { listLists, listSuggested, readList } from '../curation/composed-lists.ts'
import { previewList, songsForComposer } from '../curation/composer.ts'
import { checkGenre, listGenres, orderGenres, removeGenre, saveGenre } from '../curation/curated-genre-tree.ts'
import { receiveCover } from '../curation/list-covers.ts'
import {
  checkRawList,
  type ListChange,
  removeList,
  saveList,
  suggestList,
  unpublishList,
} from '../curation/list-saving.ts'
import { listScheduled } from '../curation/scheduled-lists.ts'
import { trendingTracks } from '../curation/trending.ts'
import { checkPin, listPins, type PinChange, pinSong, unpinSong } from '../curation/trending-pins.ts'
import { on, type Route } from '../membership/caller.ts'
import { staffRead, staffWrite } from './audit.ts'

const subjectOf = ({ kind, list_id }: Pick<curation.ListDetails, 'kind' | 'list_id'>) => `${kind} ${list_id}`

/** The recorded fields of a list. Its author may be a person's name, so only the fact that it changed is recorded. */
const listFields = (list: curation.ListDetails) => ({
  title: list.title,
  description: list.description,
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

/** The reply of a changed list, and its audit log entry. */
const listChange = ({ before, after }: ListChange, actionName: string) => ({
  reply: { list: after },
  action: `${after.kind} ${actionName}`,
  subject: subjectOf(after),
  before: before && listFields(before),
  after: {
    ...listFields(after),
    ...(before && before.created_by !== after.created_by ? { created_by: 'changed' } : {}),
  },
})

/** Names the action of a save. */
function saveAction({ before, after }: ListChange): string {
  const isPublic = ['scheduled', 'published'].includes(after.state)
  if (isPublic && before?.state !== after.state) return after.state
  return before ? 'updated' : 'created'
}

const listRoutes: Route[] = [
  staffRead(curation.getLists, async ({ input, sql }) => listLists(sql, input)),
  staffRead(curation.getList, async ({ input, sql }) => ({ list: await readList(sql, input.kind, input.list_id) })),
  // A merge locks songs before the lists that contain them; this locks the list before its songs. One is repeated.
  staffWrite(
    curation.saveList,
    {},
    async ({ input, sql }) => {
      const change = await saveList(sql, input)
      return listChange(change, saveAction(change))
    },
    { alsoCheck: (fields, { sql }) => checkRawList(sql, fields) },
  ),
  staffWrite(curation.unpublishList, {}, async ({ input, sql }) => {
    const change = await unpublishList(sql, input)
    return listChange(change, change.after.state === 'draft' ? 'unscheduled' : 'unpublished')
  }),
  staffWrite(
    curation.removeList,
    { action: ({ kind }) => `${kind} deleted`, subject: subjectOf },
    async ({ input, sql }) => ({ reply: {}, before: listFields(await removeList(sql, input)) }),
  ),
  staffRead(curation.getSchedule, async ({ sql }) => ({ events: await listScheduled(sql) })),
]

const composerRoutes: Route[] = [
  on(curation.uploadCover, async ({ request, ctx }) => receiveCover(ctx, request), {
    perMinute: 30,
    audit: { unrecorded: 'stores a picture that no one sees until a list is saved with it, which is recorded' },
  }),
  staffRead(curation.drawCover, async ({ input }) => ({ image: generatedCoverDataUrl(input) })),
  staffRead(curation.getSongs, async ({ input, sql, ctx }) =>
    songsForComposer(sql, input.entity_ids, ctx.settings.downloadLimit),
  ),
  staffRead(curation.previewList, async ({ input, sql, ctx }) => previewList(sql, input, ctx.settings.downloadLimit)),
  staffRead(curation.getMonthChart, async ({ input, sql, ctx }) => ({
    songs: await monthChart(sql, input.month, {
      places: curation.TOP20_LENGTH,
      downloadLimit: ctx.settings.downloadLimit,
    }),
  })),
]

const placementOf = ({ title, parent_id }: Pick<curatedGenres.StaffGenre, 'title' | 'parent_id'>) => ({
  title,
  parent_id,
})
const genreSubject = (genreId: number) => `curated_genre ${genreId}`

const curatedGenreRoutes: Route[] = [
  staffRead(curatedGenres.getGenres, async ({ sql }) => ({ genres: await listGenres(sql) })),
  staffWrite(
    curatedGenres.saveGenre,
    {},
    async ({ input, sql }) => {
      const { before, after } = await saveGenre(sql, input)
      return {
        reply: { genre: after },
        action: before ? 'curated genre updated' : 'curated genre created',
        subject: genreSubject(after.curated_genre_id),
        before: before && placementOf(before),
        after: placementOf(after),
      }
    },
    { alsoCheck: (fields, { sql }) => checkGenre(sql, fields) },
  ),
  staffWrite(
    curatedGenres.orderGenres,
    {
      action: 'curated genres reordered',
      subject: ({ parent_id }) => (parent_id === null ? 'curated genres' : genreSubject(parent_id)),
    },
    async ({ input, sql }) => {
      const { before, after } = await orderGenres(sql, input)
      return { reply: {}, before: { order: before }, after: { order: after } }
    },
  ),
  staffWrite(
    curatedGenres.removeGenre,
    { action: 'curated genre deleted', subject: ({ curated_genre_id }) => genreSubject(curated_genre_id) },
    async ({ input, sql }) => ({
      reply: {},
      before: placementOf(await removeGenre(sql, input.curated_genre_id)),
    }),
  ),
]

const suggestedRoutes: Route[] = [
  staffRead(curation.getSuggested, async ({ sql }) => listSuggested(sql)),
  staffWrite(curation.suggestList, {}, async ({ input, sql }) =>
    listChange(await suggestList(sql, input), input.suggested ? 'suggested' : 'removed from suggestions'),
  ),
]

const songSubject = ({ entity_id }: { entity_id: number }) => `song ${entity_id}`
const pinPlacement = (pin: trending.Pin | undefined) => pin && { rank: pin.rank, until: pin.until }

/** The entry of a changed pin. */
const pinChange = ({ before, after }: PinChange) => ({
  reply: {},
  before: pinPlacement(before),
  after: pinPlacement(after),
})

const trendingRoutes: Route[] = [
  staffRead(trending.getTrending, async ({ ctx, sql }) => {
    const [shownChart, computedChart, pins] = await Promise.all([
      trendingTracks(sql, ctx.settings.downloadLimit),
      trendingTracks(sql, ctx.settings.downloadLimit, { withPins: false }),
      listPins(sql),
    ])
    return { shown: shownChart, computed: computedChart, pins }
  }),
  staffWrite(
    trending.pinSong,
    { action: 'song pinned', subject: songSubject },
    async ({ input, sql }) => pinChange(await pinSong(sql, input)),
    { alsoCheck: (fields, { sql }) => checkPin(sql, fields) },
  ),
  staffWrite(trending.unpinSong, { action: 'song unpinned', subject: songSubject }, async ({ input, sql }) =>
    pinChange(await unpinSong(sql, input.entity_id, input.rank)),
  ),
]

/** Curation: lists, curated genres and trending pins; each action is recorded with the values before and after. */
export const curationRoutes: Route[] = [
  ...listRoutes,
  ...composerRoutes,
  ...curatedGenreRoutes,
  ...suggestedRoutes,
  ...trendingRoutes,
]
