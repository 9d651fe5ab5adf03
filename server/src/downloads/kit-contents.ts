import {
  type catalogue,
  choosePreferredVersions,
  collections,
  type downloads,
  type ParsedInputOf,
} from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import { findProfile } from '../booth/profiles.ts'
import { songsOf, theseSongs } from '../catalogue/songs.ts'
import { getCollection, getCollectionSongs } from '../collections/collections.ts'
import { findPlaylist, listVisibleSongIds } from '../library/playlists.ts'
import type { Caller } from '../membership/caller.ts'
import { getPreferredVersions } from '../membership/display.ts'
import type { Sql } from '../platform/db.ts'
import type { BundleContents } from './bundle-versions.ts'
import { crateContents, withoutDownloaded } from './crate.ts'
import { findPlanLimits, requireCrateBundles, requireTop20Pack } from './plan-limits.ts'

type KitInput = ParsedInputOf<typeof downloads.downloadBoothKit>

type Contents = Pick<BundleContents, 'title' | 'versionIds'>

/**
 * What a kit with this input contains, in the order of its source. Throws `unknown_profile`, `unknown_playlist`,
 * `unknown_list`, `crate_empty`, `section_disabled`, `plan_feature_required` and `nothing_to_download`.
 */
export async function kitContents(ctx: AppContext, member: Caller, input: KitInput): Promise<BundleContents> {
  const { sql } = ctx
  const { customer_id } = member
  const profile = await findProfile(sql, customer_id, input.profile_id)
  const { title, versionIds: all } = await sourceContents(ctx, member, input.source)
  const versionIds = input.skip_downloaded ? await withoutDownloaded(sql, customer_id, all) : all
  const kit = {
    software: input.software,
    profile,
    name: title,
    favourites: await findFavourites(sql, customer_id, all),
  }
  return { title: `${title} for ${SOFTWARE_NAMES[input.software]}`, versionIds, format: profile.format, kit }
}

const SOFTWARE_NAMES: Record<KitInput['software'], string> = {
  rekordbox: 'rekordbox',
  serato: 'Serato',
  traktor: 'Traktor',
  virtualdj: 'VirtualDJ',
  mixxx: 'Mixxx',
  engine: 'Engine DJ',
}

async function sourceContents(ctx: AppContext, member: Caller, source: KitInput['source']): Promise<Contents> {
  const { sql } = ctx
  const { customer_id } = member
  const limits = await findPlanLimits(ctx, member)
  if (source.top20_id === undefined) requireCrateBundles(limits)
  if (source.song_version_ids) return { title: 'Dubplate', versionIds: [...new Set(source.song_version_ids)] }
  if (source.playlist_id !== undefined) {
    const { title } = await findPlaylist(sql, customer_id, source.playlist_id)
    const songIds = await listVisibleSongIds(sql, source.playlist_id)
    const songs = songIds.length === 0 ? [] : await songsOf(sql, theseSongs(sql, songIds), ctx.settings.downloadLimit)
    return { title, versionIds: await preferredVersionsOf(sql, customer_id, songs) }
  }
  const reference = referenceOf(source)
  if (!reference) return crateContents(ctx, customer_id, { genre_id: undefined, skip_downloaded: false })
  const { title } = await getCollection(ctx, reference)
  const { songs } = await getCollectionSongs(ctx, { ...reference, page: 1 }, collections.COLLECTION_LIMIT)
  const versionIds = await preferredVersionsOf(sql, customer_id, songs)
  if (source.top20_id !== undefined) await requireTop20Pack(sql, { top20_id: source.top20_id, versionIds }, limits)
  return { title, versionIds }
}

type Reference = ParsedInputOf<typeof collections.getCollection>

function referenceOf({ list_id, top20_id, chart_type }: KitInput['source']): Reference | undefined {
  const { parse } = collections.getCollection.input
  if (list_id !== undefined) return parse({ type: 'spotlight', id: list_id })
  if (top20_id !== undefined) return parse({ type: 'top20', id: top20_id })
  return chart_type && parse({ type: 'chart', chart_type })
}

async function preferredVersionsOf(sql: Sql, customerId: number, songs: readonly catalogue.Song[]): Promise<number[]> {
  const preference = await getPreferredVersions(sql, customerId)
  return songs.flatMap((song) =>
    choosePreferredVersions(song, preference).map(({ song_version_id }) => song_version_id),
  )
}

async function findFavourites(sql: Sql, customerId: number, versionIds: readonly number[]): Promise<number[]> {
  const rows = await sql<{ entity_id: number }[]>`
    select distinct f.entity_id from favourite f join song_version v using (entity_id)
    where f.customer_id = ${customerId} and v.song_version_id = any(${[...versionIds]}::bigint[]) order by f.entity_id`
  return rows.map(({ entity_id }) => entity_id)
}
