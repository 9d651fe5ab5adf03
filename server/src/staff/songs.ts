import { corrections, type ParsedInputOf, type ReplyOf, reanalyses, staffSongs } from '@dubplate/contract'
import * as z from 'zod/mini'
import { spreadToVersions } from '../catalogue/derived-values.ts'
import { editsOfSong, listEdits, toRecord } from '../catalogue/edit-list.ts'
import { readGenreTree, rejectUnknownGenres } from '../catalogue/genre-change.ts'
import { currentSong } from '../catalogue/merged-songs.ts'
import {
  rejectVersions,
  restoredValues,
  restoredVersionValues,
  unpublished,
  unpublishedVersionValues,
  valuesAfter,
  versionsAfter,
} from '../catalogue/song-change.ts'
import { receiveCover } from '../catalogue/song-covers.ts'
import {
  type EditKind,
  type EditOutcome,
  editSongs,
  type SongEditRequest,
  singleOutcome,
} from '../catalogue/song-edits.ts'
import { undoEdit } from '../catalogue/song-undo.ts'
import { readValues } from '../catalogue/song-values.ts'
import { countStaffSongs, listStaffSongs, readStaffSongs, selectStaffSongs } from '../catalogue/staff-songs.ts'
import { downloadsSince } from '../downloads/history.ts'
import type { Route } from '../membership/caller.ts'
import { ApiError, throwAllErrors } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import { parsed } from '../platform/parse-input.ts'
import { applyCorrections, rejectExpired } from '../uploads/corrections.ts'
import { type RecordEntry, staffRead, staffWrite, staffWriteInSteps } from './audit.ts'
import { analyseAgain, getReanalyses, getSongAnalyses } from './song-analyses.ts'
import { findValueOrigins, listValueSources } from './song-value-sources.ts'

const EDIT_ACTIONS: Record<EditKind, string> = {
  edited: 'song edited',
  unpublished: 'song unpublished',
  restored: 'song republished',
  version_unpublished: 'version unpublished',
  version_restored: 'version republished',
  cover: 'song cover changed',
  analysed: 'song re-analysed',
  undone: 'song edit undone',
}

type EditContext = { staff_id: number; record: RecordEntry }

const songSubject = (entityId: number) => `song ${entityId}`

/**
 * The author of an edit, and what is done for every changed song: its audit log entry, and applying the change to its
 * upload.
 */
const editCall = (
  { staff_id, record }: EditContext,
  kind: EditKind,
  more: object = {},
): Pick<SongEditRequest, 'kind' | 'staff_id' | 'onSongChanged'> => ({
  kind,
  staff_id,
  onSongChanged: async (sql, { entity_id, before, after, song_edit_id }) => {
    await applyCorrections(sql, entity_id, { before, after })
    await record(sql, {
      action: EDIT_ACTIONS[kind],
      subject: songSubject(entity_id),
      before: toRecord(before),
      after: { ...toRecord(after), ...more, edit: song_edit_id },
    })
  },
})

async function getSong(sql: Sql, entityId: number): Promise<ReplyOf<typeof staffSongs.getSong>> {
  const [[song], valueSources, [uploader], edits, analysing] = await Promise.all([
    readStaffSongs(sql, [entityId]),
    listValueSources(sql, entityId),
    sql<{ upload_song_id: number; customer_id: number; dj_name: string }[]>`
      select upload_song_id, customer_id, dj_name from upload_song join customer using (customer_id)
      where entity_id = ${entityId} order by upload_song_id limit 1`,
    editsOfSong(sql, entityId),
    getSongAnalyses(sql, entityId),
  ])
  if (!song) throw new ApiError('unknown_song', 'Song not found.')
  return { song, value_sources: valueSources, uploader: uploader ?? null, edits, analysing }
}

/** Returns the result of an edit of several songs. */
async function toReply(sql: Sql, { changed, left: excluded, ...result }: EditOutcome): Promise<corrections.Outcome> {
  const isSmallEdit = result.song_edit_id !== null && changed.length <= corrections.MAX_RETURNED_SONGS
  return {
    ...result,
    changed: changed.length,
    left: excluded.map(({ entity_id, title, apiError: { code, message } }) => ({ entity_id, title, code, message })),
    songs: isSmallEdit ? await readStaffSongs(sql, changed) : [],
  }
}

/** Returns the result of an edit of one song. */
async function toSongReply(sql: Sql, entityId: number, result: EditOutcome) {
  const { song_edit_id } = singleOutcome(result)
  const [song] = await readStaffSongs(sql, [entityId])
  if (!song) throw new ApiError('unknown_song', 'Song not found.')
  return { song, song_edit_id }
}

const correctionRoutes: Route[] = [
  staffWriteInSteps(
    corrections.editSong,
    async ({ input, sql, ...call }) =>
      toSongReply(
        sql,
        input.entity_id,
        await editSongs(sql, { ...editCall(call, 'edited'), ...(await correction(sql, input)) }),
      ),
    { alsoCheck: (rawInput, { sql }) => checkCorrection(sql, rawInput) },
  ),
  staffWriteInSteps(corrections.editSongs, async ({ input, sql, ...call }) => {
    const { songs, change, preview } = input
    const tree = await readGenreTree(sql)
    rejectUnknownGenres(tree, change.genres?.genre_ids ?? [])
    const computeValues: SongEditRequest['wanted'] = (_sql, song) =>
      spreadToVersions(song, valuesAfter(song, change, { tree, source: 'staff' }))
    return toReply(sql, await editSongs(sql, { ...editCall(call, 'edited'), songs, wanted: computeValues, preview }))
  }),
  staffWriteInSteps(corrections.undoEdit, async ({ input, sql, ...call }) =>
    toReply(
      sql,
      await undoEdit(sql, input.song_edit_id, editCall(call, 'undone', { undid: input.song_edit_id }), downloadsSince),
    ),
  ),
  staffWrite(reanalyses.analyseSongs, { action: EDIT_ACTIONS.analysed }, async ({ input, staff_id, sql }) => {
    const { songs, ...reply } = await analyseAgain(sql, input, staff_id)
    return { reply, entries: songs.map((id) => ({ subject: songSubject(id) })) }
  }),
]

/** Returns the songs and the changes of a correction of one song; a value applied from a source has that source. */
async function correction(
  sql: Sql,
  input: ParsedInputOf<typeof corrections.editSong>,
): Promise<Pick<SongEditRequest, 'songs' | 'wanted'>> {
  const { entity_id, revision, versions, order, from } = input
  const tree = await readGenreTree(sql)
  const change = from ? findValueOrigins(await listValueSources(sql, entity_id), input.change, from) : input.change
  return {
    songs: [{ entity_id, revision }],
    wanted: async (sql, song) => {
      await throwAllErrors([
        () => rejectUnknownGenres(tree, change.genres?.genre_ids ?? []),
        () => rejectVersions(sql, song, versions),
      ])
      return spreadToVersions(song, {
        ...valuesAfter(song, change, { tree, source: from ?? 'staff', isTaken: from !== undefined }),
        ...(await versionsAfter(sql, song, { versions, order })),
      })
    },
  }
}

/** Runs the checks of a correction that are possible while other fields are invalid. Throws `unknown_song`. */
async function checkCorrection(
  sql: Sql,
  rawInput: { entity_id?: unknown; change?: unknown; versions?: unknown },
): Promise<void> {
  const { entity_id, change, versions } = corrections.editSong.input.shape
  const id = parsed(entity_id, rawInput.entity_id)
  const { genres } = (rawInput.change ?? {}) as Record<string, unknown>
  const genreIds = parsed(change.def.innerType.shape.genres, genres)?.genre_ids ?? []
  const versionInputs = parsed(z.array(z.unknown()), rawInput.versions) ?? []
  const version = versions.def.innerType.def.element
  await throwAllErrors([
    async () => rejectUnknownGenres(await readGenreTree(sql), genreIds),
    async () =>
      id !== undefined &&
      rejectVersions(
        sql,
        await readValues(sql, id),
        versionInputs.slice(0, MAX_VERSIONS).map((params) => parsed(version, params)),
      ),
  ])
}

/** The most versions in one correction; further ones are not checked. */
const MAX_VERSIONS = 60

const publicationRoutes: Route[] = [
  staffWriteInSteps(corrections.unpublishSongs, async ({ input: { songs, reason }, sql, ...call }) =>
    toReply(sql, await editSongs(sql, { ...editCall(call, 'unpublished', { reason }), songs, wanted: unpublished })),
  ),
  staffWriteInSteps(corrections.restoreSongs, async ({ input: { songs, reason }, ctx, sql, ...call }) =>
    toReply(
      sql,
      await editSongs(sql, {
        ...editCall(call, 'restored', { reason }),
        songs,
        wanted: async (sql, song) => {
          await rejectExpired(sql, song.entity_id, ctx.now())
          return restoredValues(song)
        },
      }),
    ),
  ),
  staffWriteInSteps(
    corrections.unpublishVersion,
    async ({ input: { song_version_id, reason, ...song }, sql, ...call }) =>
      toSongReply(
        sql,
        song.entity_id,
        await editSongs(sql, {
          ...editCall(call, 'version_unpublished', { reason }),
          songs: [song],
          wanted: (sql, song) => unpublishedVersionValues(sql, song, song_version_id),
        }),
      ),
  ),
  staffWriteInSteps(corrections.restoreVersion, async ({ input: { song_version_id, reason, ...song }, sql, ...call }) =>
    toSongReply(
      sql,
      song.entity_id,
      await editSongs(sql, {
        ...editCall(call, 'version_restored', { reason }),
        songs: [song],
        wanted: (_sql, song) => restoredVersionValues(song, song_version_id),
      }),
    ),
  ),
]

/** A song without its own picture has the generated cover; both choices count as set by staff. */
const setCover = async (
  { sql, ...call }: EditContext & { sql: Pool },
  song: { entity_id: number; revision: number },
  artworkId: number | null,
) =>
  toSongReply(
    sql,
    song.entity_id,
    await editSongs(sql, {
      ...editCall(call, 'cover'),
      songs: [song],
      wanted: () => ({ artwork: [artworkId, 'staff'] }),
    }),
  )

const coverRoutes: Route[] = [
  staffWriteInSteps(
    corrections.setCover,
    async (call) => {
      const { artwork_id, ...song } = await receiveCover(call.ctx, call.request)
      return setCover(call, song, artwork_id)
    },
    { perMinute: 60 },
  ),
  staffWriteInSteps(corrections.dropCover, async ({ input, ...call }) => setCover(call, input, null)),
]

/** Catalogue editing by staff; each action is recorded in the audit log and can be undone. */
export const songRoutes: Route[] = [
  staffRead(staffSongs.getSongs, async ({ input, sql }) => listStaffSongs(sql, input)),
  staffRead(staffSongs.countSongs, async ({ input, sql }) => countStaffSongs(sql, input)),
  staffRead(staffSongs.selectSongs, async ({ input, sql }) => selectStaffSongs(sql, input)),
  staffRead(staffSongs.getSong, async ({ input, sql }) => getSong(sql, await currentSong(sql, input.entity_id))),
  staffRead(staffSongs.getEdits, async ({ input, member, sql }) => listEdits(sql, member.customer_id, input)),
  staffRead(reanalyses.getAnalyses, async ({ sql }) => getReanalyses(sql)),
  ...correctionRoutes,
  ...publicationRoutes,
  ...coverRoutes,
]
