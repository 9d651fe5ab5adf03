import { corrections, type ParsedInputOf, type ReplyOf, reanalyses, songsDesk } from '@dubplate/contract'
import * as z from 'zod/mini'
import { countDeskSongs, listDeskSongs, readDeskSongs, selectDeskSongs } from '../catalogue/desk-songs.ts'
import { editsOfSong, listEdits, recordOf } from '../catalogue/edit-list.ts'
import { readGenreTree, refuseUnknownGenres } from '../catalogue/genre-change.ts'
import { currentSong } from '../catalogue/merged-songs.ts'
import {
  refuseVersions,
  restored,
  valuesAfter,
  versionRestored,
  versionsAfter,
  versionWithdrawn,
  withdrawn,
} from '../catalogue/song-change.ts'
import { receiveCover } from '../catalogue/song-covers.ts'
import { type Edit, type EditKind, type EditOutcome, editSongs, onlyOne } from '../catalogue/song-edits.ts'
import { undoEdit } from '../catalogue/song-undo.ts'
import { readValues } from '../catalogue/song-values.ts'
import { type Asker, on } from '../membership/asker.ts'
import type { Sql } from '../platform/db.ts'
import { parsed } from '../platform/parsed.ts'
import { Refusal, refuseTogether } from '../platform/refusal.ts'
import type { Call, Question } from '../platform/serve.ts'
import { carryCorrections, refuseExpired } from '../uploads/corrections.ts'
import type { World } from '../world.ts'
import { recordDeed } from './audit.ts'
import { analyseAgain, analysesOfSong, readAnalyses } from './song-analyses.ts'
import { readTold, takenFrom } from './song-told.ts'

/** What staff see and correct of the catalogue, each deed written down and kept for taking it back. */
export const songDeskRoutes = (world: World): Call<Asker>[] => [
  on(songsDesk.getSongs, async ({ input }) => listDeskSongs(world.sql, input)),
  on(songsDesk.countSongs, async ({ input }) => countDeskSongs(world.sql, input)),
  on(songsDesk.selectSongs, async ({ input }) => selectDeskSongs(world.sql, input)),
  on(songsDesk.getSong, async ({ input }) => readSong(world.sql, await currentSong(world.sql, input.entity_id))),
  on(songsDesk.getEdits, async ({ input, member }) => listEdits(world.sql, member.customer_id, input)),
  on(reanalyses.getAnalyses, async () => readAnalyses(world.sql)),
  ...correctionRoutes(world),
  ...standingRoutes(world),
  ...coverRoutes(world),
]

type Asked = Pick<Question<typeof songsDesk.getSong, Asker>, 'member' | 'request'>

const ACTIONS: Record<EditKind, string> = {
  edited: 'song edited',
  withdrawn: 'song unpublished',
  restored: 'song republished',
  version_withdrawn: 'version unpublished',
  version_restored: 'version republished',
  cover: 'song cover changed',
  analysed: 'song re-analysed',
  undone: 'song edit undone',
}

/** Who edits, and what goes with every song they change: its line in the audit log, and the member's song it came from. */
const edited = (
  { member, request }: Asked,
  kind: EditKind,
  more: object = {},
): Pick<Edit, 'kind' | 'staff_id' | 'also'> => ({
  kind,
  staff_id: member.customer_id,
  also: async (sql, { entity_id, before, after, song_edit_id }) => {
    await carryCorrections(sql, entity_id, { before, after })
    await recordDeed(sql, {
      ...{ staff_id: member.customer_id, ip: request.ip, action: ACTIONS[kind], subject: `song ${entity_id}` },
      before: recordOf(before),
      after: { ...recordOf(after), ...more, edit: song_edit_id },
    })
  },
})

async function readSong(sql: Sql, entityId: number): Promise<ReplyOf<typeof songsDesk.getSong>> {
  const [[song], told, [uploader], edits, analysing] = await Promise.all([
    readDeskSongs(sql, [entityId]),
    readTold(sql, entityId),
    sql<{ upload_song_id: number; customer_id: number; dj_name: string }[]>`
      select upload_song_id, customer_id, dj_name from upload_song join customer using (customer_id)
      where entity_id = ${entityId} order by upload_song_id limit 1`,
    editsOfSong(sql, entityId),
    analysesOfSong(sql, entityId),
  ])
  if (!song) throw new Refusal('unknown_song', 'Song not found.')
  return { song, told, uploader: uploader ?? null, edits, analysing }
}

/** What came of an edit of several songs. */
async function shown(sql: Sql, { changed, left, ...outcome }: EditOutcome): Promise<corrections.Outcome> {
  const isFew = outcome.song_edit_id !== null && changed.length <= corrections.MOST_SHOWN_AGAIN
  return {
    ...outcome,
    changed: changed.length,
    left: left.map(({ entity_id, title, refusal: { code, message } }) => ({ entity_id, title, code, message })),
    songs: isFew ? await readDeskSongs(sql, changed) : [],
  }
}

/** What came of an edit of one song. */
async function shownOne(sql: Sql, entityId: number, outcome: EditOutcome) {
  const { song_edit_id } = onlyOne(outcome)
  const [song] = await readDeskSongs(sql, [entityId])
  if (!song) throw new Refusal('unknown_song', 'Song not found.')
  return { song, song_edit_id }
}

const correctionRoutes = ({ sql }: World): Call<Asker>[] => [
  on(
    corrections.editSong,
    async ({ input, ...asked }) =>
      shownOne(
        sql,
        input.entity_id,
        await editSongs(sql, { ...edited(asked, 'edited'), ...(await correction(sql, input)) }),
      ),
    { alsoCheck: (given) => checkCorrection(sql, given) },
  ),
  on(corrections.editSongs, async ({ input, ...asked }) => {
    const { songs, change, preview } = input
    const tree = await readGenreTree(sql)
    refuseUnknownGenres(tree, change.genres?.genre_ids ?? [])
    const wanted: Edit['wanted'] = (_sql, song) => valuesAfter(song, change, { tree, source: 'staff' })
    return shown(sql, await editSongs(sql, { ...edited(asked, 'edited'), songs, wanted, preview }))
  }),
  on(corrections.undoEdit, async ({ input, ...asked }) =>
    shown(sql, await undoEdit(sql, input.song_edit_id, edited(asked, 'undone', { undid: input.song_edit_id }))),
  ),
  on(reanalyses.analyseSongs, async ({ input, member, request }) =>
    sql.begin(async (sql) => {
      const { songs, ...reply } = await analyseAgain(sql, input, member.customer_id)
      const by = { staff_id: member.customer_id, ip: request.ip }
      for (const id of songs) await recordDeed(sql, { ...by, action: ACTIONS.analysed, subject: `song ${id}` })
      return reply
    }),
  ),
]

/** The songs and the wish of a correction of one song; a value that is taken from a source is that one's. */
async function correction(
  sql: Sql,
  input: ParsedInputOf<typeof corrections.editSong>,
): Promise<Pick<Edit, 'songs' | 'wanted'>> {
  const { entity_id, revision, versions, order, from } = input
  const tree = await readGenreTree(sql)
  const change = from ? takenFrom(await readTold(sql, entity_id), input.change, from) : input.change
  return {
    songs: [{ entity_id, revision }],
    wanted: async (sql, song) => {
      await refuseTogether([
        () => refuseUnknownGenres(tree, change.genres?.genre_ids ?? []),
        () => refuseVersions(sql, song, versions),
      ])
      return {
        ...valuesAfter(song, change, { tree, source: from ?? 'staff', isTaken: from !== undefined }),
        ...(await versionsAfter(sql, song, { versions, order })),
      }
    },
  }
}

/** The same checks of what can be read of a correction while other fields of it are wrong. Refuses `unknown_song`. */
async function checkCorrection(
  sql: Sql,
  given: { entity_id?: unknown; change?: unknown; versions?: unknown },
): Promise<void> {
  const { entity_id, change, versions } = corrections.editSong.input.shape
  const id = parsed(entity_id, given.entity_id)
  const { genres } = (given.change ?? {}) as Record<string, unknown>
  const genreIds = parsed(change.def.innerType.shape.genres, genres)?.genre_ids ?? []
  const wishes = parsed(z.array(z.unknown()), given.versions) ?? []
  const version = versions.def.innerType.def.element
  await refuseTogether([
    async () => refuseUnknownGenres(await readGenreTree(sql), genreIds),
    async () =>
      id !== undefined &&
      refuseVersions(
        sql,
        await readValues(sql, id),
        wishes.slice(0, MOST_VERSIONS).map((wish) => parsed(version, wish)),
      ),
  ])
}

/** As many versions as one correction may change; of more, the others are not looked at. */
const MOST_VERSIONS = 60

const standingRoutes = ({ sql, now }: World): Call<Asker>[] => [
  on(corrections.withdrawSongs, async ({ input: { songs, reason }, ...asked }) =>
    shown(sql, await editSongs(sql, { ...edited(asked, 'withdrawn', { reason }), songs, wanted: withdrawn })),
  ),
  on(corrections.restoreSongs, async ({ input: { songs, reason }, ...asked }) =>
    shown(
      sql,
      await editSongs(sql, {
        ...edited(asked, 'restored', { reason }),
        songs,
        wanted: async (sql, song) => {
          await refuseExpired(sql, song.entity_id, now())
          return restored(song)
        },
      }),
    ),
  ),
  on(corrections.withdrawVersion, async ({ input: { song_version_id, reason, ...song }, ...asked }) =>
    shownOne(
      sql,
      song.entity_id,
      await editSongs(sql, {
        ...edited(asked, 'version_withdrawn', { reason }),
        songs: [song],
        wanted: (sql, song) => versionWithdrawn(sql, song, song_version_id),
      }),
    ),
  ),
  on(corrections.restoreVersion, async ({ input: { song_version_id, reason, ...song }, ...asked }) =>
    shownOne(
      sql,
      song.entity_id,
      await editSongs(sql, {
        ...edited(asked, 'version_restored', { reason }),
        songs: [song],
        wanted: (_sql, song) => versionRestored(song, song_version_id),
      }),
    ),
  ),
]

const coverRoutes = (world: World): Call<Asker>[] => {
  const { sql } = world
  /** A song without a picture of its own has the made cover; staff's word either way. */
  const cover = async (asked: Asked, song: { entity_id: number; revision: number }, artworkId: number | null) =>
    shownOne(
      sql,
      song.entity_id,
      await editSongs(sql, {
        ...edited(asked, 'cover'),
        songs: [song],
        wanted: () => ({ artwork: [artworkId, 'staff'] }),
      }),
    )
  return [
    on(
      corrections.setCover,
      async (asked) => {
        const { artwork_id, ...song } = await receiveCover(world, asked.request)
        return cover(asked, song, artwork_id)
      },
      { perMinute: 60 },
    ),
    on(corrections.dropCover, async ({ input, ...asked }) => cover(asked, input, null)),
  ]
}
