import { encodedBytes } from '@dubplate/demo/encode'
import type { DemoApplicant } from '@dubplate/demo/pool/applicants'
import { renderedSeconds } from '@dubplate/demo/song'
import {
  buildWorld,
  DEMO_PASSWORD,
  type DemoMember,
  type DemoSong,
  type DemoWorld,
  HOUSE,
  OPENED_DAYS_AGO,
} from '@dubplate/demo/world'
import { addVersion, countNewSong, findOrAddSong, listSong, versionCode } from '../catalogue/additions.ts'
import { refreshDueCharts } from '../catalogue/chart-snapshots.ts'
import { recountWords } from '../catalogue/search-index.ts'
import { hashPassword } from '../membership/password.ts'
import type { Pool, Sql } from '../platform/db.ts'
import type { InvoiceSettings } from '../platform/payment-config.ts'
import { fillActivity } from './fill-activity.ts'
import { fillAudit } from './fill-audit.ts'
import { djSubscribedAt, fillBilling } from './fill-billing.ts'
import { fillHelp } from './fill-help.ts'
import { fillPlaylists } from './fill-playlists.ts'
import { fillSite } from './fill-site.ts'

/** Moods are stored in the table of genres; their ids start above those of the genres. */
const MOOD_IDS_FROM = 2000
const HOUR = 3_600_000

/** A song of the demo as it is stored in the database. */
export type AddedSong = { entity_id: number; versionIds: number[] }

/**
 * Fills an empty pool with the demo data, in one transaction: a start that is killed leaves it empty for the next one.
 * @param options.maxSongs how many songs, the newest ones; all when undefined
 */
export async function fillDemoPool(
  pool: Pool,
  { now, maxSongs, invoice }: { now: Date; maxSongs?: number | undefined; invoice: InvoiceSettings },
): Promise<{ songs: number; versions: number }> {
  const world = buildWorld(now)
  const songs = maxSongs === undefined ? world.songs : world.songs.slice(-maxSongs)
  const passwordHash = await hashPassword(DEMO_PASSWORD)
  const addedSongs = await pool.begin(async (sql) => {
    await addGenres(sql, world)
    const addedSongs = await addSongs(sql, songs)
    await addCollections(sql, world, addedSongs)
    await addSite(sql, world)
    const members = await addMembers(sql, world, passwordHash)
    await fillHelp(sql, members, now)
    await fillSite(sql, { ...members, now })
    const subscribers = world.memberships.flatMap(({ subscription }, n) =>
      subscription ? [{ customer_id: members.crowd[n] ?? 0, subscription }] : [],
    )
    const access = await fillBilling(sql, { ...members, subscribers, now, invoice })
    // Before the activity, which counts all listens.
    await fillPlaylists(sql, world, addedSongs, members)
    await fillActivity(sql, { ...world, songs }, addedSongs, { ...members, access })
    await fillAudit(sql, members.staff)
    await refreshDueCharts(sql, now)
    await recountWords(sql)
    return addedSongs
  })
  return {
    songs: songs.length,
    versions: [...addedSongs.values()].reduce((sum, song) => sum + song.versionIds.length, 0),
  }
}

async function addGenres(sql: Sql, { genres, moods }: DemoWorld): Promise<void> {
  const rows = [
    ...genres.map((genre) => ({
      genre_id: genre.genre_id,
      parent_id: genre.parent_id,
      name: genre.name,
      position: genre.sort_order,
      home_chip: genre.parent_id === null,
      kind: 'genre',
    })),
    ...moods.map((mood) => ({
      genre_id: MOOD_IDS_FROM + mood.mood_id,
      parent_id: null,
      name: mood.name,
      position: mood.sort_order,
      home_chip: false,
      kind: 'mood',
    })),
  ]
  // Main genres first, because sub-genres refer to them. The home genre is the first chip.
  rows.sort(
    (a, b) =>
      Number(a.parent_id !== null) - Number(b.parent_id !== null) ||
      Number(b.genre_id === HOUSE) - Number(a.genre_id === HOUSE),
  )
  await sql`insert into genre ${sql(rows)}`
}

async function addSongs(sql: Sql, songs: readonly DemoSong[]): Promise<Map<number, AddedSong>> {
  const addedSongs = new Map<number, AddedSong>()
  for (const song of songs) {
    const { entity_id } = await findOrAddSong(sql, {
      ...song,
      bpm_source: 'staff',
      key_source: 'staff',
      created_at: song.released_at,
    })
    const versionIds: number[] = []
    for (const [position, { label, recipe }] of song.versions.entries()) {
      versionIds.push(
        await addVersion(sql, entity_id, {
          label,
          position,
          recipe,
          recipe_bytes: encodedBytes(recipe),
          duration_seconds: renderedSeconds(recipe),
          uploaded_name: `${versionCode(`${song.artist} ${song.title} ${label}`)}.mp3`,
          created_at: song.released_at,
        }),
      )
    }
    await countNewSong(sql, song.song_section_id)
    await listSong(sql, entity_id, [...song.genre_ids, ...song.mood_ids.map((mood) => MOOD_IDS_FROM + mood)])
    addedSongs.set(song.song_id, { entity_id, versionIds })
  }
  return addedSongs
}

async function addCollections(sql: Sql, world: DemoWorld, addedSongs: Map<number, AddedSong>): Promise<void> {
  const songIds = (ids: readonly number[]) => ids.flatMap((id) => addedSongs.get(id)?.entity_id ?? [])
  for (const genre of world.curated_genres) {
    await sql`insert into curated_genre (curated_genre_id, parent_id, title, position) overriding system value
      values (${genre.curated_genre_id}, ${genre.parent_id}, ${genre.title}, ${genre.curated_genre_id})`
  }
  // The ids above were set explicitly, so the sequence continues after them.
  await sql`
    select setval(pg_get_serial_sequence('curated_genre', 'curated_genre_id'), max(curated_genre_id)) from curated_genre`
  for (const list of world.curated_lists) {
    const songs = songIds(list.song_ids)
    if (songs.length === 0) continue
    await sql`
      with list as (
        insert into curated_list (curated_genre_id, title, created_by, cover_seed, suggested, published_at)
        values (${list.curated_genre_id}, ${list.title}, ${list.created_by}, ${list.cover_seed},
          ${world.suggested.includes(list.curated_list_id)}, ${list.created_at}) returning curated_list_id)
      insert into curated_list_song (curated_list_id, position, entity_id)
      select curated_list_id, n, entity_id from list, unnest(${songs}::bigint[]) with ordinality songs (entity_id, n)`
  }
  for (const [n, collection] of world.top20.entries()) {
    const songs = songIds(collection.song_ids)
    if (songs.length === 0) continue
    const published = new Date(`${collection.month}-01T09:00:00Z`)
    await sql`
      with collection as (
        insert into top20 (title, cover_seed, published_at)
        values (${collection.title}, ${collection.cover_seed}, ${Number.isNaN(published.getTime()) ? new Date(world.now.getTime() - n * 1000) : published})
        returning top20_track_id)
      insert into top20_song (top20_track_id, rank, entity_id)
      select top20_track_id, n, entity_id from collection, unnest(${songs}::bigint[]) with ordinality songs (entity_id, n)`
  }
}

async function addSite(sql: Sql, { announcements, merchandise, now }: DemoWorld): Promise<void> {
  const notices = announcements.map(({ page_name, message, hours_ago }) => ({
    page_name,
    message,
    published_at: new Date(now.getTime() - hours_ago * HOUR),
  }))
  await sql`insert into announcement ${sql(notices)}`
  await sql`insert into merchandise ${sql(merchandise.map((product, n) => ({ ...product, position: n + 1 })))}`
}

/** Where the demo's own members are with their application, and how many days ago they signed up. */
const MEMBERSHIPS = {
  paid: { application: 'approved', days_ago: undefined },
  unpaid: { application: 'approved', days_ago: 24 },
  label: { application: 'approved', days_ago: 204 },
  new: { application: undefined, days_ago: 0.5 },
  applied: { application: 'pending', days_ago: 1.1 },
  staff: { application: 'approved', days_ago: OPENED_DAYS_AGO },
} as const

type DemoMembers = { crowd: number[]; dj: number; label: number; staff: number }

/** Adds the demo's members, the crowd around them, and applicants. Returns their ids. Nobody has paid yet. */
async function addMembers(sql: Sql, world: DemoWorld, passwordHash: string): Promise<DemoMembers> {
  const { now, demo_members, memberships } = world
  const daysAgo = (days: number) => new Date(now.getTime() - days * 24 * HOUR)
  const ids = await insertMembers(
    sql,
    demo_members.map(({ membership, group_id, ...member }) => {
      const role = membership === 'staff' ? 'admin' : null
      const { days_ago } = MEMBERSHIPS[membership]
      const created_at =
        days_ago === undefined ? new Date(djSubscribedAt(now).getTime() - 30 * HOUR) : daysAgo(days_ago)
      return { ...member, passwordHash, role, group_id: role ? 4 : (group_id ?? 2), demo: true, created_at }
    }),
  )
  const idOf = (membership: DemoMember['membership']) =>
    ids[demo_members.findIndex((member) => member.membership === membership)] ?? 0
  const [dj, label, staff] = [idOf('paid'), idOf('label'), idOf('staff')]
  const crowd = await insertMembers(
    sql,
    world.crowd.map((member, n) => ({ ...member, ...BACKGROUND, created_at: memberships[n]?.applied_at ?? now })),
  )
  const applicants = await insertMembers(
    sql,
    world.applicants.map(({ hours_ago, ...applicant }) => ({
      ...{ ...applicant, ...BACKGROUND },
      created_at: new Date(now.getTime() - hours_ago * HOUR),
    })),
  )
  await sql`insert into dj_application ${sql([
    ...ownApplications(world, ids, staff),
    ...crowdApplications(world, crowd, staff),
    ...world.applicants.map((applicant, n) => toApplication(applicants[n] ?? 0, applicant, { now, staff })),
  ])}`
  await suspendMembers(sql, world, { crowd, staff })
  return { crowd, dj, label, staff }
}

/** Members nobody signs in as. */
const BACKGROUND = { passwordHash: '!', role: null, group_id: 2, demo: false }
/** Staff usually decide within a day. */
const DECIDED_HOURS_LATER = 20
const NO_ANSWERS = { referred_by: '', dj_website: '', comment: '', reason: '' }

function ownApplications({ demo_members, now }: DemoWorld, ids: readonly number[], staff: number) {
  return demo_members.flatMap(({ membership }, n) => {
    const { application: state, days_ago } = MEMBERSHIPS[membership]
    if (!state) return []
    const applied_at =
      days_ago === undefined
        ? new Date(djSubscribedAt(now).getTime() - 30 * HOUR)
        : new Date(now.getTime() - days_ago * 24 * HOUR)
    const isApproved = state === 'approved'
    return [
      {
        ...{ ...NO_ANSWERS, customer_id: ids[n] ?? 0, state, applied_at, version: isApproved ? 2 : 1 },
        referred_by: 'DJ Marlow',
        decided_at: isApproved ? new Date(applied_at.getTime() + DECIDED_HOURS_LATER * HOUR) : null,
        decided_by: isApproved ? staff : null,
      },
    ]
  })
}

const crowdApplications = ({ crowd, memberships }: DemoWorld, ids: readonly number[], staff: number) =>
  memberships.map(({ applied_at, approved_at, referrer }, n) => ({
    ...{ ...NO_ANSWERS, customer_id: ids[n] ?? 0, state: 'approved', applied_at, version: 2 },
    referred_by: referrer === undefined ? '' : (crowd[referrer]?.dj_name ?? ''),
    dj_website: `mixes.example/${crowd[n]?.email.split('@')[0]}`,
    ...{ decided_at: approved_at, decided_by: staff },
  }))

function toApplication(
  customer_id: number,
  { referred_by, dj_website, comment, reason, hours_ago }: DemoApplicant,
  { now, staff }: { now: Date; staff: number },
) {
  const applied_at = new Date(now.getTime() - hours_ago * HOUR)
  const answers = { customer_id, referred_by, dj_website, comment, reason, applied_at }
  if (!reason) return { ...answers, state: 'pending', decided_at: null, decided_by: null, version: 1 }
  const decided_at = new Date(applied_at.getTime() + DECIDED_HOURS_LATER * HOUR)
  return { ...answers, state: 'declined', decided_at, decided_by: staff, version: 2 }
}

async function suspendMembers(
  sql: Sql,
  { memberships }: DemoWorld,
  { crowd, staff }: Pick<DemoMembers, 'crowd' | 'staff'>,
): Promise<void> {
  for (const [n, { suspended }] of memberships.entries()) {
    if (!suspended) continue
    const customer_id = crowd[n] ?? 0
    await sql`update customer set status = 'suspended' where customer_id = ${customer_id}`
    await sql`
      insert into staff_note (customer_id, kind, text, written_by, at)
      values (${customer_id}, 'suspended', ${suspended.reason}, ${staff}, ${suspended.at})`
  }
}

type NewMember = {
  email: string
  dj_name: string
  first_name: string
  last_name: string
  country: string
  passwordHash: string
  role: string | null
  group_id: number
  demo: boolean
  created_at: Date
}

/** Adds members in this order, and returns their ids. */
async function insertMembers(sql: Sql, members: readonly NewMember[]): Promise<number[]> {
  const rows = members.map(({ email, dj_name, group_id, demo, created_at, ...member }) => ({
    ...{ email, dj_name, firstname: member.first_name, lastname: member.last_name, country_id: member.country },
    ...{ password_hash: member.passwordHash, group_id, staff_role: member.role, demo, created_at },
  }))
  const inserted = await sql<{ customer_id: number; email: string }[]>`
    insert into customer ${sql(rows)} returning customer_id, email`
  const idOf = new Map(inserted.map(({ customer_id, email }) => [email, customer_id]))
  return members.map(({ email }) => idOf.get(email) ?? 0)
}
