import {
  type catalogue,
  choosePreferredVersions,
  collections,
  type downloads,
  type ParsedInputOf,
  SOFTWARE_NAMES,
} from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { type DownloadProfile, findProfile } from '../booth/profiles.ts'
import { songsOf } from '../catalogue/songs.ts'
import { getCollection, getCollectionSongs } from '../collections/collections.ts'
import { findPlaylist, listVisibleSongIds } from '../library/playlists.ts'
import type { Caller } from '../membership/caller.ts'
import { getPreferredVersions } from '../membership/display.ts'
import type { Sql } from '../platform/db.ts'
import type { BundleContents } from './bundle-versions.ts'
import { crateContents } from './crate.ts'
import { downloadedVersions } from './history.ts'
import type { LeaveOut } from './left-out.ts'
import { findPlanLimits, requireCrateBundles, requireTop20Pack } from './plan-limits.ts'

type KitInput = ParsedInputOf<typeof downloads.downloadBoothKit>
export type Source = KitInput['source']
type KitVersions = Pick<KitInput, 'source' | 'profile_id'>

type Contents = Pick<BundleContents, 'title' | 'versionIds'>

/**
 * What a kit with this input contains, in the order of its source. Throws the errors of `kitVersions`,
 * `plan_feature_required` and, with audio, the errors of `leaveOut`.
 */
export async function kitContents(
  ctx: AppContext,
  member: Caller,
  input: KitInput,
  leaveOut: LeaveOut,
): Promise<BundleContents> {
  const { sql } = ctx
  const { customer_id } = member
  const { software, source, with_audio } = input
  await requireKitSource(ctx, member, source)
  const { title, versionIds: all, profile } = await kitVersions(ctx, member, input)
  if (source.top20_id !== undefined)
    await requireTop20Pack(sql, { top20_id: source.top20_id, versionIds: all }, await findPlanLimits(ctx, member))
  const versionIds = with_audio ? await leaveOut(all) : all
  const favourites = await findFavourites(sql, customer_id, all)
  const kit = { software, profile, name: title, favourites, has_audio: with_audio }
  return { title: `${title} for ${SOFTWARE_NAMES[software]}`, versionIds, format: profile.format, kit }
}

/** Plans include top 20s separately from the crate and other lists. */
async function requireKitSource(ctx: AppContext, member: Caller, { top20_id }: Source): Promise<void> {
  if (top20_id === undefined) requireCrateBundles(await findPlanLimits(ctx, member))
}

/**
 * The versions of a kit, in the order of its source, and its profile. Throws `unknown_profile`, `unknown_playlist`,
 * `unknown_list`, `section_disabled` and `crate_empty`.
 */
export async function kitVersions(
  ctx: AppContext,
  { customer_id }: Pick<Caller, 'customer_id'>,
  { source, profile_id }: KitVersions,
): Promise<Contents & { profile: DownloadProfile }> {
  const profile = await findProfile(ctx.sql, customer_id, profile_id)
  return { ...(await sourceVersions(ctx, customer_id, source, profile)), profile }
}

/**
 * The versions of a source in its order; those that the member prefers if the profile says so. Throws `unknown_playlist`,
 * `unknown_list`, `section_disabled` and `crate_empty`.
 */
export async function sourceVersions(
  ctx: AppContext,
  customerId: number,
  source: Source,
  profile: Pick<DownloadProfile, 'preferred_versions'> | null,
): Promise<Contents> {
  const contents = await sourceContents(ctx, customerId, source)
  const isChosen = source.crate !== undefined || source.song_version_ids !== undefined
  if (!profile?.preferred_versions || !isChosen) return contents
  return { ...contents, versionIds: await preferredInstead(ctx, customerId, contents.versionIds) }
}

async function sourceContents(ctx: AppContext, customerId: number, source: Source): Promise<Contents> {
  if (source.song_version_ids)
    return { title: source.title ?? ctx.settings.poolName, versionIds: [...new Set(source.song_version_ids)] }
  if (source.crate) return crateContents(ctx, customerId, { genre_id: source.genre_id })
  if (source.history)
    return { title: 'Downloads', versionIds: await downloadedVersions(ctx.sql, customerId, source.history) }
  if (source.playlist_id !== undefined) return playlistContents(ctx, customerId, source.playlist_id)
  const reference = referenceOf(source)
  const { title } = await getCollection(ctx, reference)
  const { songs } = await getCollectionSongs(ctx, { ...reference, page: 1 }, collections.COLLECTION_LIMIT)
  return { title, versionIds: await preferredVersionsOf(ctx.sql, customerId, songs) }
}

async function playlistContents(ctx: AppContext, customerId: number, playlistId: number): Promise<Contents> {
  const { sql } = ctx
  const { title } = await findPlaylist(sql, customerId, playlistId)
  const songs = await songsInOrder(ctx, await listVisibleSongIds(sql, playlistId))
  return { title, versionIds: await preferredVersionsOf(sql, customerId, songs) }
}

const songsInOrder = ({ sql, settings }: AppContext, songIds: readonly number[]): Promise<catalogue.Song[]> =>
  songsOf(sql, songIds, settings.downloadLimit)

type Reference = ParsedInputOf<typeof collections.getCollection>

function referenceOf({ list_id, top20_id, chart_type, genre_id, song_section_id }: Source): Reference {
  const { parse } = collections.getCollection.input
  if (list_id !== undefined) return parse({ type: 'spotlight', id: list_id })
  if (top20_id !== undefined) return parse({ type: 'top20', id: top20_id })
  return parse({ type: 'chart', chart_type, id: genre_id, song_section_id })
}

async function preferredVersionsOf(sql: Sql, customerId: number, songs: readonly catalogue.Song[]): Promise<number[]> {
  const preference = await getPreferredVersions(sql, customerId)
  return songs.flatMap((song) =>
    choosePreferredVersions(song, preference).map(({ song_version_id }) => song_version_id),
  )
}

/** The versions that the member prefers of the songs of these versions; versions of other songs stay. */
async function preferredInstead(ctx: AppContext, customerId: number, versionIds: readonly number[]): Promise<number[]> {
  const rows = await ctx.sql<{ entity_id: number }[]>`
    select entity_id from unnest(${[...versionIds]}::bigint[]) with ordinality ids (song_version_id, n)
    join song_version using (song_version_id) group by entity_id order by min(n)`
  const songs = await songsInOrder(
    ctx,
    rows.map(({ entity_id }) => entity_id),
  )
  const preferred = await preferredVersionsOf(ctx.sql, customerId, songs)
  return preferred.length > 0 ? preferred : [...versionIds]
}

async function findFavourites(sql: Sql, customerId: number, versionIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select distinct f.entity_id from favourite f join song_version v using (entity_id)
    where f.customer_id = ${customerId} and v.song_version_id = any(${[...versionIds]}::bigint[]) order by f.entity_id`
  return rows.map(({ entity_id }) => entity_id)
}
