import { curatedGenres, curation, trending } from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { monthChart, trendingTracks } from '../catalogue/charts.ts'
import { listLists, listSuggested, readList } from '../catalogue/composed-lists.ts'
import { previewList, songsForComposer } from '../catalogue/composer.ts'
import { checkGenre, listGenres, orderGenres, removeGenre, saveGenre } from '../catalogue/curated-genre-tree.ts'
import { receiveCover } from '../catalogue/list-covers.ts'
import {
  checkRawList,
  type ListChange,
  removeList,
  saveList,
  suggestList,
  unpublishList,
} from '../catalogue/list-saving.ts'
import { generatedCoverDataUrl } from '../catalogue/pictures.ts'
import { listScheduled } from '../catalogue/scheduled-lists.ts'
import { checkPin, listPins, type PinChange, pinSong, unpinSong } from '../catalogue/trending-pins.ts'
import { type Caller, on } from '../membership/caller.ts'
import type { Sql } from '../platform/db.ts'
import { withDeadlockRetry } from '../platform/deadlock-retry.ts'
import type { Call, CallContext } from '../platform/serve.ts'
import { type AuditAction, recordAudit } from './audit.ts'

/** Curation: lists, curated genres and trending pins; each action is recorded with the values before and after. */
export const curationRoutes = (ctx: AppContext): Call<Caller>[] => [
  ...listRoutes(ctx),
  ...composerRoutes(ctx),
  ...curatedGenreRoutes(ctx),
  ...suggestedRoutes(ctx),
  ...trendingRoutes(ctx),
]

type StaffCall = Pick<CallContext<typeof curatedGenres.getGenres, Caller>, 'member' | 'request'>

const by = ({ member, request }: StaffCall): Pick<AuditAction, 'staff_id' | 'ip'> => ({
  staff_id: member.customer_id,
  ip: request.ip,
})

const subjectOf = ({ kind, list_id }: Pick<curation.ListDetails, 'kind' | 'list_id'>) => `${kind} ${list_id}`

/** The recorded fields of a list. Its author may be a person's name, so only the fact that it changed is recorded. */
const listFields = (list: curation.ListDetails) => ({
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

/** Records a change of a list, and returns the list. */
async function recordListChange(sql: Sql, call: StaffCall, what: string, { before, after }: ListChange) {
  const made = before && before.created_by !== after.created_by ? { created_by: 'changed' } : {}
  const auditEntry = { ...by(call), action: `${after.kind} ${what}`, subject: subjectOf(after) }
  await recordAudit(sql, {
    ...auditEntry,
    ...(before ? { before: listFields(before) } : {}),
    after: { ...listFields(after), ...made },
  })
  return { list: after }
}

/** Names the action of a save. */
function saveAction({ before, after }: ListChange): string {
  const isPublic = ['scheduled', 'published'].includes(after.state)
  if (isPublic && before?.state !== after.state) return after.state
  return before ? 'updated' : 'created'
}

const listRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(curation.getLists, async ({ input }) => listLists(sql, input)),
  on(curation.getList, async ({ input }) => ({ list: await readList(sql, input.kind, input.list_id) })),
  // A merge locks songs before the lists that contain them; this locks the list before its songs.
  on(
    curation.saveList,
    async ({ input, ...call }) =>
      withDeadlockRetry(sql, async (sql) => {
        const change = await saveList(sql, input)
        return recordListChange(sql, call, saveAction(change), change)
      }),
    { alsoCheck: (fields) => checkRawList(sql, fields) },
  ),
  on(curation.unpublishList, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const change = await unpublishList(sql, input)
      return recordListChange(sql, call, change.after.state === 'draft' ? 'unscheduled' : 'unpublished', change)
    }),
  ),
  on(curation.removeList, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const before = await removeList(sql, input)
      const auditEntry = { action: `${input.kind} deleted`, subject: subjectOf(before), before: listFields(before) }
      await recordAudit(sql, { ...by(call), ...auditEntry })
      return {}
    }),
  ),
  on(curation.getSchedule, async () => ({ events: await listScheduled(sql) })),
]

const composerRoutes = (ctx: AppContext): Call<Caller>[] => {
  const { sql, settings } = ctx
  const limit = () => settings.downloadLimit
  return [
    on(curation.uploadCover, async ({ request }) => receiveCover(ctx, request), { perMinute: 30 }),
    on(curation.drawCover, async ({ input }) => ({ image: generatedCoverDataUrl(input) })),
    on(curation.getSongs, async ({ input }) => songsForComposer(sql, input.entity_ids, limit())),
    on(curation.previewList, async ({ input }) => previewList(sql, input, limit())),
    on(curation.getMonthChart, async ({ input }) => ({
      songs: await monthChart(sql, input.month, { places: curation.TOP20_LENGTH, downloadLimit: limit() }),
    })),
  ]
}

const curatedGenreRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(curatedGenres.getGenres, async () => ({ genres: await listGenres(sql) })),
  on(
    curatedGenres.saveGenre,
    async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const { before, after } = await saveGenre(sql, input)
        const toPlacement = ({ title, parent_id }: curatedGenres.StaffGenre) => ({ title, parent_id })
        await recordAudit(sql, {
          ...by(call),
          action: before ? 'curated genre updated' : 'curated genre created',
          subject: `curated_genre ${after.curated_genre_id}`,
          ...(before ? { before: toPlacement(before) } : {}),
          after: toPlacement(after),
        })
        return { genre: after }
      }),
    { alsoCheck: (fields) => checkGenre(sql, fields) },
  ),
  on(curatedGenres.orderGenres, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const { before, after } = await orderGenres(sql, input)
      const subject = input.parent_id === null ? 'curated genres' : `curated_genre ${input.parent_id}`
      await recordAudit(sql, {
        ...by(call),
        action: 'curated genres reordered',
        subject,
        before: { order: before },
        after: { order: after },
      })
      return {}
    }),
  ),
  on(curatedGenres.removeGenre, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const { title, parent_id } = await removeGenre(sql, input.curated_genre_id)
      const subject = `curated_genre ${input.curated_genre_id}`
      await recordAudit(sql, {
        ...by(call),
        action: 'curated genre deleted',
        subject,
        before: { title, parent_id },
      })
      return {}
    }),
  ),
]

const suggestedRoutes = ({ sql }: AppContext): Call<Caller>[] => [
  on(curation.getSuggested, async () => listSuggested(sql)),
  on(curation.suggestList, async ({ input, ...call }) =>
    sql.begin(async (sql) => {
      const change = await suggestList(sql, input)
      return recordListChange(sql, call, input.suggested ? 'suggested' : 'removed from suggestions', change)
    }),
  ),
]

const trendingRoutes = ({ sql, settings }: AppContext): Call<Caller>[] => {
  const recordChangeEntry = (
    sql: Sql,
    call: StaffCall,
    action: string,
    entityId: number,
    { before, after }: PinChange,
  ) => {
    const pinPlacement = (pin: trending.Pin | undefined) => pin && { rank: pin.rank, until: pin.until }
    const [pinBefore, pinAfter] = [pinPlacement(before), pinPlacement(after)]
    const beforeAndAfter = { ...(pinBefore ? { before: pinBefore } : {}), ...(pinAfter ? { after: pinAfter } : {}) }
    return recordAudit(sql, { ...by(call), action, subject: `song ${entityId}`, ...beforeAndAfter })
  }
  return [
    on(trending.getTrending, async () => {
      const [shownChart, computedChart, pins] = await Promise.all([
        trendingTracks(sql, settings.downloadLimit),
        trendingTracks(sql, settings.downloadLimit, { withPins: false }),
        listPins(sql),
      ])
      return { shown: shownChart, computed: computedChart, pins }
    }),
    on(
      trending.pinSong,
      async ({ input, ...call }) =>
        sql.begin(async (sql) => {
          const change = await pinSong(sql, input)
          await recordChangeEntry(sql, call, 'song pinned', input.entity_id, change)
          return {}
        }),
      { alsoCheck: (fields) => checkPin(sql, fields) },
    ),
    on(trending.unpinSong, async ({ input, ...call }) =>
      sql.begin(async (sql) => {
        const change = await unpinSong(sql, input.entity_id, input.rank)
        await recordChangeEntry(sql, call, 'song unpinned', input.entity_id, change)
        return {}
      }),
    ),
  ]
}
