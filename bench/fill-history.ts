import { creditMissing } from '../server/src/catalogue/credits.ts'
import type { Pool, Sql } from '../server/src/platform/db.ts'
import { withoutIndexes } from './insert-rows.ts'

/** What a pool of some years has, in proportion to its songs: a million songs come with a hundred thousand members. */
export const historySize = (songs: number) => ({
  members: Math.ceil(songs / 10),
  downloads: songs * 5,
  listens: songs,
  auditEntries: songs,
  playlists: Math.ceil(songs / 20),
  publicPlaylists: Math.ceil(songs / 100),
  tickets: Math.ceil(songs / 10),
})

const SONGS_PER_LABEL = 200
const CURATED_GENRES = 12
const FILES_PER_LIBRARY = 1000
/** Member 10 has a library, 110, 210 and so on. */
const MEMBER_WITH_LIBRARY = 10
const SONGS_PER_PLAYLIST = 20
const FAVOURITES_PER_MEMBER = 8
const CRATE_VERSIONS_PER_MEMBER = 4
const NOTIFICATIONS_PER_MEMBER = 5
const YEARS = 3
/** The shortest month. */
const MINUTES_OF_A_MONTH = 28 * 24 * 60

/** The email address of one member; the first member is number 1. */
export const memberEmail = (number: number): string => `member-${number}@example.test`

/** Whether the pool has been filled with members before. Throws if that was interrupted. */
export async function hasHistory(sql: Sql): Promise<boolean> {
  const [found] = await sql<{ hasMembers: boolean; hasCounts: boolean }[]>`
    select exists (select 1 from customer where email = ${memberEmail(1)}) as "hasMembers",
      exists (select 1 from song_total) as "hasCounts"`
  if (found?.hasMembers && !found.hasCounts)
    throw new Error('Filling this pool was interrupted. Delete its folder (--keep) and start again.')
  return found?.hasMembers ?? false
}

/**
 * Adds members and what they did in three years to a pool with a catalogue (see historySize): sessions, subscriptions
 * with their payments and invoices, downloads, listens, playlists, favourites, crates, notifications, tickets, and the
 * audit log. A few songs, members and staff account for most of it. Counters are filled from the rows, as the pool
 * does.
 */
export async function fillHistory(pool: Pool, songs: number): Promise<void> {
  const size = historySize(songs)
  await withoutIndexes(pool, TABLES, async (sql) => {
    await sql`select setseed(0.5)`
    for (const insert of [
      addCredits,
      addMembers,
      addPayments,
      addDownloads,
      addListens,
      addCollections,
      addCuratedLists,
      addLibraries,
      addMail,
      addTickets,
      addAudit,
    ]) {
      await insert(sql, { ...size, songs, ...(await readLastIds(sql)) })
    }
    await addCounts(sql)
  })
  await pool`vacuum analyze`
}

const TABLES = [
  'song_credit',
  ...['customer', 'dj_application', 'session', 'subscription', 'charge', 'ledger', 'invoice', 'download'],
  ...['download_transfer', 'listen', 'playlist', 'playlist_song', 'favourite', 'crate_item', 'notification'],
  ...[
    'ticket',
    'reply',
    'audit',
    'curated_list',
    'curated_list_song',
    'top20',
    'top20_song',
    'own_library_entry',
    'outgoing_mail',
    'song_total',
    'chart_count',
    'listen_count',
  ],
]

type Size = ReturnType<typeof historySize> & {
  songs: number
  /** Members have the ids from the first one on, without gaps. */
  firstMember: number
  versions: number
}

async function readLastIds(sql: Sql): Promise<{ firstMember: number; versions: number }> {
  const [row] = await sql<{ firstMember: number | null; versions: number }[]>`
    select (select customer_id from customer where email = ${memberEmail(1)}) as "firstMember",
      (select max(song_version_id) from song_version) as versions`
  return { firstMember: row?.firstMember ?? 0, versions: row?.versions ?? 0 }
}

/** A moment of the last years, more often a recent one. Rows are inserted in the order of time, as in a pool that grew. */
const moment = (sql: Sql) => sql`now() - make_interval(secs => ${YEARS * 365 * 86_400} * random() ^ 2)`

/** The artists of the songs, and a label of about two hundred songs for each. */
async function addCredits(sql: Sql, { songs }: Size): Promise<void> {
  await creditMissing(sql, new AbortController().signal)
  await sql`
    insert into song_credit (entity_id, kind, credit_key, name, song_section_id)
    select entity_id, 'label', 'label ' || number, 'Label ' || number, song_section_id
    from (select *, entity_id * 7919 % ${Math.ceil(songs / SONGS_PER_LABEL)}::int as number from song) numbered`
}

async function addMembers(sql: Sql, { members }: Size): Promise<void> {
  await sql`
    insert into customer (email, dj_name, password_hash, group_id, payment_profile_status, status, staff_role, created_at,
      firstname, lastname, country_id)
    select 'member-' || n || '@example.test', 'DJ ' || md5(n::text), '!', 2, case when n % 3 = 0 then 'unpaid' else 'paid' end,
      case when n % 500 = 0 then 'suspended' else 'active' end, case when n <= 8 then 'support' end,
      now() - make_interval(secs => ${YEARS * 365 * 86_400}::float * (1 - n::float / ${members}::int)),
      'First ' || n, 'Last ' || n, 'DE'
    from generate_series(1, ${members}::int) n`
  const first = sql`(select customer_id - 1 from customer where email = ${memberEmail(1)})`
  await sql`
    insert into dj_application (customer_id, state, applied_at)
    select ${first} + n, case when n % 400 = 0 then 'pending' else 'approved' end, now() - make_interval(hours => n % 9000)
    from generate_series(1, ${members}::int) n`
  await sql`
    insert into session (token_hash, customer_id, created_at, seen_at, expires_at, user_agent, ip)
    select decode(md5(n::text) || md5((-n)::text), 'hex'), ${first} + 1 + n % ${members}::int, now() - interval '20 days',
      now() - make_interval(hours => n % 480), now() + interval '10 days', 'Mozilla/5.0', '192.0.2.1'
    from generate_series(1, ${members * 2}::int) n`
}

/** Two of three members pay for one of three plans each month; one in fifty of them is past due. */
async function addPayments(sql: Sql, { members, firstMember }: Size): Promise<void> {
  await sql`
    insert into plan (title, price_minor, position)
    select 'Plan ' || n, 1000 * n, n from generate_series(1, 3) n`
  await sql`
    insert into subscription (customer_id, plan_id, gateway, gateway_ref, method, card_brand, card_last_four, price_minor,
      first_price_minor, currency, interval, checkout_ends_at, confirmed_at, status, paid_until, access_until, next_check_at, created_at)
    select ${firstMember} - 1 + n, plan_id, 'sandbox', 'bench-' || n, 'credit_card', 'visa', '4242', price_minor, price_minor,
      'USD', 'month', created, created, case when n % 50 = 1 then 'past_due' else 'active' end, now() + interval '9 days',
      now() + interval '12 days', now() + interval '9 days', created
    from (
      select n, now() - make_interval(months => n % ${YEARS * 12}::int, mins => n * 7919 % ${MINUTES_OF_A_MONTH}::int) as created
      from generate_series(1, ${members}::int) n where n % 3 <> 0) one
    join lateral (select plan_id, price_minor from plan order by plan_id desc offset n % 3 limit 1) p on true
    order by created`
  await sql`
    insert into charge (subscription_id, customer_id, plan_id, gateway, gateway_ref, reason, status, amount_minor, currency,
      period_start, period_end, method, at)
    select subscription_id, customer_id, plan_id, gateway, gateway_ref || '-' || m, case when m = 0 then 'first' else 'renewal' end,
      case when (subscription_id + m) % 40 = 0 then 'failed' else 'paid' end, price_minor, 'USD',
      created_at + make_interval(months => m), created_at + make_interval(months => m + 1), method,
      created_at + make_interval(months => m)
    from subscription, generate_series(0, ${YEARS * 12}::int) m
    where gateway_ref like 'bench-%' and created_at + make_interval(months => m) < now()
    order by created_at + make_interval(months => m)`
  await sql`
    update subscription s set paid_since = first_paid.start from (
      select subscription_id, min(period_start) as start from charge where status = 'paid' group by subscription_id) first_paid
    where s.subscription_id = first_paid.subscription_id and gateway_ref like 'bench-%'`
  await sql`
    insert into ledger (customer_id, charge_id, amount_minor, currency, at)
    select customer_id, charge_id, amount_minor, currency, at from charge where status = 'paid' order by charge_id`
  await sql`
    insert into invoice (kind, year, serial, charge_id, customer_id, issued_at, seller, buyer, lines, currency, net_minor,
      tax_minor, total_minor, tax_percent, tax_label, mailed_at)
    select 'invoice', extract(year from at), row_number() over (partition by extract(year from at) order by charge_id),
      charge_id, customer_id, at, '{"name": "Dubplate", "lines": [], "tax_number": ""}',
      jsonb_build_object('name', firstname || ' ' || lastname, 'dj_name', dj_name, 'street', '', 'postcode', '', 'city', '',
        'region', '', 'country', 'Germany', 'email', email),
      jsonb_build_array(jsonb_build_object('text', 'Membership', 'amount_minor', amount_minor, 'plan_title', 'Plan')),
      currency, amount_minor, 0, amount_minor, 0, '', at
    from charge join customer using (customer_id) where charge.status = 'paid' order by charge_id`
}

async function addDownloads(sql: Sql, { downloads, members, firstMember, versions }: Size): Promise<void> {
  await sql`
    insert into download (download_id, customer_id, song_version_id, entity_id, at, completed_at)
    select row_number() over (order by at), customer_id, song_version_id, entity_id, at, at + interval '9 seconds'
    from (
      select ${firstMember} + floor(${members}::int * random() ^ 2)::bigint as customer_id,
        1 + floor(${versions}::int * random() ^ 3)::bigint as song_version_id, ${moment(sql)} as at
      from generate_series(1, ${downloads}::int) n offset 0) drawn
    join song_version using (song_version_id)
    order by at`
  await sql`
    insert into download_transfer (customer_id, download_id, bytes, sent_bytes, sent_at, created_at)
    select customer_id, download_id, 9000000, 9000000, completed_at, at from download
    where at > now() - interval '30 days' order by download_id`
}

async function addListens(sql: Sql, { listens, members, firstMember, versions }: Size): Promise<void> {
  await sql`
    insert into listen (listen_key, customer_id, song_version_id, entity_id, at)
    select md5(n::text), customer_id, song_version_id, entity_id, at
    from (
      select n, ${firstMember} + floor(${members}::int * random() ^ 2)::bigint as customer_id,
        1 + floor(${versions}::int * random() ^ 3)::bigint as song_version_id, ${moment(sql)} as at
      from generate_series(1, ${listens}::int) n offset 0) drawn
    join song_version using (song_version_id)
    order by at`
}

/** Playlists, favourites, crates and notifications. */
async function addCollections(sql: Sql, size: Size): Promise<void> {
  const { playlists, publicPlaylists, members, firstMember, songs, versions } = size
  await sql`
    insert into playlist (customer_id, title, folded_title, public, changed_at, created_at)
    select ${firstMember} + n % ${members}::int, 'Playlist ' || n, 'playlist ' || n, n <= ${publicPlaylists}::int, ${moment(sql)}, ${moment(sql)}
    from generate_series(1, ${playlists}::int) n`
  await sql`
    insert into playlist_song (playlist_id, position, entity_id)
    select playlist_id, position, 1 + (playlist_id * 7919 + position * 104729) % ${songs}::int
    from playlist, generate_series(1, ${Math.min(SONGS_PER_PLAYLIST, songs)}::int) position where title like 'Playlist %'`
  await sql`
    insert into favourite (customer_id, entity_id, added_at)
    select ${firstMember} - 1 + member, 1 + (member::bigint * 7919 + n * 104729) % ${songs}::int, ${moment(sql)}
    from generate_series(1, ${members}::int) member, generate_series(1, ${Math.min(FAVOURITES_PER_MEMBER, songs)}::int) n`
  await sql`
    insert into crate_item (customer_id, song_version_id, entity_id, added_at)
    select distinct on (customer_id, song_version_id) customer_id, song_version_id, entity_id, now() - make_interval(hours => n)
    from (
      select ${firstMember} - 1 + member as customer_id, n, 1 + (member::bigint * 6101 + n * 98689) % ${versions}::int as song_version_id
      from generate_series(1, ${members}::int) member, generate_series(1, ${CRATE_VERSIONS_PER_MEMBER}::int) n) drawn
    join song_version using (song_version_id)`
  await sql`
    insert into notification (customer_id, kind, text, address, subject, created_at, read_at)
    select ${firstMember} - 1 + member, 'reply', 'Your ticket was answered.', '/helpdesk/' || n, 'ticket ' || n, ${moment(sql)}, now()
    from generate_series(1, ${members}::int) member, generate_series(1, ${NOTIFICATIONS_PER_MEMBER}::int) n`
}

/** Curated genres with spotlights, and top 20 collections. */
async function addCuratedLists(sql: Sql, { songs }: Size): Promise<void> {
  const spotlights = Math.ceil(songs / 500)
  const top20s = Math.ceil(songs / 5000)
  await sql`
    insert into curated_genre (title, position) select 'Curated ' || n, n from generate_series(1, ${CURATED_GENRES}::int) n`
  await sql`
    insert into curated_list (curated_genre_id, title, created_by, published_at, first_shown_at)
    select (select min(curated_genre_id) from curated_genre) + n % ${CURATED_GENRES}::int, 'Spotlight ' || n, 'Dubplate',
      now() - make_interval(hours => n), now() - make_interval(hours => n)
    from generate_series(1, ${spotlights}::int) n`
  await sql`
    insert into curated_list_song (curated_list_id, position, entity_id)
    select curated_list_id, position, 1 + (curated_list_id * 7919 + position * 104729) % ${songs}::int
    from curated_list, generate_series(1, 40) position where title like 'Spotlight %'`
  await sql`
    insert into top20 (title, published_at, first_shown_at)
    select 'Top 20 ' || n, now() - make_interval(days => n), now() - make_interval(days => n)
    from generate_series(1, ${top20s}::int) n`
  await sql`
    insert into top20_song (top20_track_id, rank, entity_id)
    select top20_track_id, rank, 1 + (top20_track_id * 7919 + rank * 104729) % ${songs}::int
    from top20, generate_series(1, 20) rank where title like 'Top 20 %'`
}

/** A thousand matched files of their own for one in a hundred members. */
async function addLibraries(sql: Sql, { members, firstMember, versions }: Size): Promise<void> {
  await sql`
    insert into own_library (customer_id, name, format, state, is_listed, entries, done, imported_at, matched_at)
    select ${firstMember} - 1 + n, 'rekordbox', 'rekordbox', 'ready', true, ${FILES_PER_LIBRARY}, ${FILES_PER_LIBRARY}, now(), now()
    from generate_series(1, ${members}::int) n where n % 100 = ${MEMBER_WITH_LIBRARY}`
  await sql`
    insert into own_library_entry (library_id, n, artist, title, version, remixer, isrc, duration_seconds, bytes, path_parts,
      found, entity_id, song_version_id)
    select library_id, n, 'Artist ' || n, 'Title ' || n, '', '', '', 200, 9000000, array['Music', 'File ' || n || '.mp3'],
      case when n % 10 = 0 then 'review' when n % 10 = 1 then 'none' else 'certain' end,
      case when n % 10 <> 1 then v.entity_id end, case when n % 10 > 1 then v.song_version_id end
    from own_library join generate_series(1, ${FILES_PER_LIBRARY}::int) n on true
      join song_version v on v.song_version_id = 1 + (library_id * 6101 + n * 98689) % ${versions}::int`
}

async function addMail(sql: Sql, { members }: Size): Promise<void> {
  await sql`
    insert into outgoing_mail (to_address, subject, html, body, state, created_at, sent_at)
    select 'member-' || 1 + n % ${members}::int || '@example.test', 'Subject ' || n, '<p>Text</p>', 'Text',
      case when n % 2000 = 0 then 'failed' else 'sent' end, ${moment(sql)}, now()
    from generate_series(1, ${members * 2}::int) n`
}

/**
 * One in a thousand tickets waits for staff, one in five hundred for the member; the others are closed. The first ones are
 * of member 10.
 */
async function addTickets(sql: Sql, { tickets, members, firstMember }: Size): Promise<void> {
  await sql`
    insert into ticket (customer_id, department_id, priority_id, subject, details, status, awaiting_reply_from, waiting_since,
      created_at, modified_at, closed_at)
    select customer_id, (select min(department_id) from department), (select min(priority_id) from priority), 'Question ' || n,
      'How does it work? ' || md5(n::text), case when is_open then 'open' else 'close' end,
      case when n % 1000 = 0 then 'staff' else 'customer' end, at, at, at, case when not is_open then at end
    from (
      select n, ${firstMember} + case when n <= 20 then 9 else floor(${members}::int * random()) end::bigint as customer_id,
        n % 500 = 0 as is_open,
        now() - make_interval(secs => case when n % 500 = 0 then 3600 * (n % 70) else ${YEARS * 365 * 86_400}::int * random() end) as at
      from generate_series(1, ${tickets}::int) n) drawn`
  await sql`
    insert into reply (ticket_number, by_staff, staff_id, details, created_at)
    select ticket_number, n = 1, case when n = 1 then ${firstMember}::int end, 'Reply ' || n, created_at + make_interval(hours => n)
    from ticket, generate_series(1, 2) n where subject like 'Question %'`
  await sql`update ticket set first_reply_at = created_at + interval '1 hour' where subject like 'Question %'`
}

async function addAudit(sql: Sql, { auditEntries, members, firstMember, songs }: Size): Promise<void> {
  await sql`
    insert into audit (at, staff_id, action, subject, before, after, ip)
    select now() - make_interval(secs => 90 * (${auditEntries}::int - n)), ${firstMember} + n % 8,
      (array['song edited', 'member suspended', 'ticket reply', 'application approved', 'settings changed'])[1 + n % 5],
      case when n % 2 = 0 then 'song ' || 1 + floor(${songs}::int * random() ^ 2) else 'customer ' || ${firstMember} + floor(${members}::int * random() ^ 2) end,
      '{"title": "Before"}', '{"title": "After"}', '192.0.2.7'
    from generate_series(1, ${auditEntries}::int) n`
}

/** Fills the counters of songs and charts. */
async function addCounts(sql: Sql): Promise<void> {
  await sql`truncate song_total, chart_count, listen_count`
  await sql`
    insert into chart_count (period, start, entity_id, n)
    select 'day', date_trunc('day', at, 'UTC'), entity_id, count(*) from download group by 2, 3
    union all
    select 'hour', date_trunc('hour', at, 'UTC'), entity_id, count(*) from download
    where at > now() - interval '2 days' group by 2, 3`
  await sql`
    insert into listen_count (day, entity_id, n)
    select (at at time zone 'UTC')::date, entity_id, count(*) from listen group by 1, 2`
  await sql`
    insert into song_total (entity_id, downloads, listens)
    select entity_id, sum(downloads), sum(listens)
    from (
      select entity_id, count(*) as downloads, 0 as listens from download group by 1
      union all select entity_id, 0, count(*) from listen group by 1) counted
    group by 1`
}
