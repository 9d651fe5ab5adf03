import {
  account,
  beatGrids,
  billing,
  catalogue,
  charts,
  checkout,
  cloud,
  collections,
  digging,
  downloadProfiles,
  downloads,
  type Endpoint,
  helpdesk,
  library,
  membership,
  newsletter,
  notices,
  ownLibrary,
  player,
  playlists,
  quality,
  savedSearches,
  site,
  songDetails,
  spotlights,
  uploadedSongs,
  uploads,
} from '@dubplate/contract'
import type { AppContext } from '../app-context.ts'
import type { Caller, Route } from '../membership/caller.ts'
import { ApiError } from '../platform/api-error.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { CallRequest } from '../platform/serve.ts'

/**
 * The endpoints available in a View as member session: those that only read. For everything that
 * visitors can browse, all of them.
 */
export const VIEWER_CALLS: ReadonlySet<Endpoint> = new Set<Endpoint>([
  ...[catalogue, charts, collections, songDetails, spotlights].flatMap((room) =>
    Object.values<unknown>(room).filter(isCall),
  ),
  account.getCountries,
  account.getSessions,
  billing.getAgreement,
  billing.getBilling,
  checkout.getPayment,
  billing.getPlan,
  billing.getPlans,
  cloud.getConnections,
  cloud.getDeliveries,
  cloud.getDeliveryFiles,
  digging.digSongs,
  digging.getMutes,
  downloadProfiles.getProfiles,
  downloads.checkDownload,
  downloads.collectionSummary,
  downloads.crateSummary,
  downloads.customerDownloads,
  downloads.downloadRescue,
  downloads.songSummary,
  helpdesk.getDepartments,
  helpdesk.getFaqs,
  helpdesk.getPriorities,
  helpdesk.getRecentTickets,
  helpdesk.getTicket,
  helpdesk.getTickets,
  library.crateIndex,
  library.crateTempos,
  library.favouriteIndex,
  library.getCrates,
  library.getFavouriteSongs,
  library.getVersionKinds,
  membership.getProfile,
  newsletter.getMailing,
  notices.countUnread,
  notices.getChoices,
  notices.getNotices,
  ownLibrary.countOwned,
  ownLibrary.getBetterVersions,
  ownLibrary.getLibraries,
  ownLibrary.getMatches,
  ownLibrary.getOwned,
  player.getBeatGrid,
  player.justPlayed,
  player.recentPlayed,
  playlists.getPlaylists,
  playlists.playlistsJustPlayed,
  playlists.viewPlaylist,
  savedSearches.getSearches,
  site.getAnnouncements,
  site.getNews,
  site.getOpenings,
  site.getPage,
  site.getPool,
  site.getProducts,
  beatGrids.getOwnGrid,
  quality.getOwnSpectrum,
  quality.getSpectrum,
  uploads.getContainer,
  uploadedSongs.getSongEntry,
  uploadedSongs.getSongFigures,
  uploadedSongs.getSongVersions,
  uploadedSongs.getUploadedSongs,
  uploadedSongs.getVersions,
])

function isCall(value: unknown): value is Endpoint {
  return typeof value === 'object' && value !== null && 'access' in value
}

/** PostgreSQL: read_only_sql_transaction (appendix A). */
const READ_ONLY = '25006'

/** Throws `read_only_session` for a viewer if an endpoint does more than read. */
export function authorizeViewer(endpoint: Endpoint, caller: Caller | undefined): void {
  if (caller?.purpose === 'viewer' && !VIEWER_CALLS.has(endpoint)) throw readOnlyError(caller)
}

/**
 * Runs a viewer's request as the member, in a read-only transaction. Throws `read_only_session` if it tries to write.
 */
export async function handleViewerCall(
  ctx: AppContext,
  call: Route,
  request: CallRequest<Endpoint, Caller>,
): Promise<unknown> {
  try {
    return await ctx.sql.begin('read only', (sql) => call.handle({ ...ctx, sql: asNestedPool(sql) }, request))
  } catch (error) {
    throw (error as { code?: string }).code === READ_ONLY ? readOnlyError(request.member) : error
  }
}

/** A transaction in which modules can begin nested ones. */
const asNestedPool = (sql: Sql): Pool =>
  Object.assign(sql, {
    begin: (...fields: unknown[]) => (sql as Pool & NestedTransaction).savepoint(fields.at(-1)),
  }) as Pool

type NestedTransaction = { savepoint(runWork: unknown): Promise<unknown> }

const readOnlyError = ({ dj_name }: Caller) =>
  new ApiError('read_only_session', `You’re viewing the site as ${dj_name}. This view is read-only.`)
