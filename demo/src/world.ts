import { ANNOUNCEMENTS, type WorldAnnouncement } from './pool/announcements.ts'
import { APPLICANTS, type DemoApplicant } from './pool/applicants.ts'
import { GENRES, MOODS, type WorldGenre, type WorldMood } from './pool/genres.ts'
import {
  buildCuratedLists,
  buildTop20,
  CURATED_GENRES,
  listTrending,
  pickSuggestedLists,
  type WorldCuratedGenre,
  type WorldCuratedList,
  type WorldTop20,
} from './pool/lists.ts'
import { CROWD, type CrowdMember, DEMO_MEMBERS, type DemoMember } from './pool/members.ts'
import { buildMemberships, type DemoMembership } from './pool/memberships.ts'
import { type DemoProduct, MERCHANDISE } from './pool/merchandise.ts'
import { buildPlaylists, type WorldPlaylist } from './pool/playlists.ts'
import { buildSongs, type DemoSong } from './pool/songs.ts'

export { type Activity, type ActivityOptions, activity } from './pool/activity.ts'
export { HOUSE } from './pool/genres.ts'
export { DEMO_PASSWORD, type DemoMember } from './pool/members.ts'
export { type DemoMembership, type DemoRefund, type DemoSubscription, OPENED_DAYS_AGO } from './pool/memberships.ts'
export type { DemoSong, WorldVersion } from './pool/songs.ts'

/** The demo pool as plain values. Everything in it is invented. */
export type DemoWorld = {
  now: Date
  genres: readonly WorldGenre[]
  moods: readonly WorldMood[]
  /** Oldest first. The `song_ids` of a list are the `song_id`s of these songs. */
  songs: DemoSong[]
  curated_genres: readonly WorldCuratedGenre[]
  curated_lists: WorldCuratedList[]
  top20: WorldTop20[]
  /** Thirty song ids, best first. */
  trending: number[]
  /** Ids of curated lists. */
  suggested: number[]
  playlists: WorldPlaylist[]
  announcements: readonly WorldAnnouncement[]
  merchandise: readonly DemoProduct[]
  demo_members: readonly DemoMember[]
  /** Background members. */
  crowd: readonly CrowdMember[]
  /** The membership of each of the crowd, in the same order. */
  memberships: readonly DemoMembership[]
  applicants: readonly DemoApplicant[]
}

/** Builds the world as of `now`: the same time always gives the same world. */
export function buildWorld(now: Date): DemoWorld {
  const songs = buildSongs(now)
  const curated_lists = buildCuratedLists(songs, now)
  return {
    now,
    genres: GENRES,
    moods: MOODS,
    songs,
    curated_genres: CURATED_GENRES,
    curated_lists,
    top20: buildTop20(songs, now),
    trending: listTrending(songs, now),
    suggested: pickSuggestedLists(curated_lists),
    playlists: buildPlaylists(songs, now),
    announcements: ANNOUNCEMENTS,
    merchandise: MERCHANDISE,
    demo_members: DEMO_MEMBERS,
    crowd: CROWD,
    memberships: buildMemberships(CROWD.length, now),
    applicants: APPLICANTS,
  }
}
