import type { Endpoint } from '@dubplate/contract'
import type { Sql } from '../server/src/platform/db.ts'
import { allEndpoints } from '../server/test/all-endpoints.ts'

/** Who makes a call: a visitor, a paying member with many downloads, or an admin. */
export type Caller = 'visitor' | 'member' | 'admin'

/** A call by its path, who makes it, and inputs of which each round uses another one. */
export type MeasuredCall = { path: string; caller: Caller; inputs: object[]; what?: string }

/** Rows of a pool that inputs refer to. */
export type SampleRows = {
  songs: number[]
  versions: number[]
  genres: number[]
  artists: string[]
  titles: string[]
  labels: string[]
  /** The member who makes the calls, and others. */
  member: number
  members: number[]
  publicPlaylists: number[]
  ownPlaylists: number[]
  tickets: number[]
  ownTickets: number[]
  subscriptions: number[]
  charges: number[]
  staff: number
  plans: number[]
  curatedGenres: number[]
  spotlights: number[]
  top20s: number[]
}

const SAMPLES = 20

/** Reads rows for inputs. `memberId` is the member who makes the calls. */
export async function readSampleRows(sql: Sql, memberId: number): Promise<SampleRows> {
  const ids = async (query: ReturnType<Sql>): Promise<number[]> =>
    ((await query) as unknown as { id: number }[]).map(({ id }) => id)
  const songs = await ids(sql`
    select entity_id as id from (select max(entity_id) as last from song) s, generate_series(1, ${SAMPLES}::int) n,
      lateral (select entity_id from song where song_section_id = 1 and entity_id >= last * n / ${SAMPLES + 1}::int order by entity_id limit 1) one`)
  const named = await sql<{ artist: string; title: string; label: string }[]>`
    select distinct on (entity_id) a.name as artist, title, l.name as label
    from song s join song_credit a using (entity_id) join song_credit l using (entity_id)
    where s.entity_id = any(${songs}::bigint[]) and a.kind = 'artist' and l.kind = 'label'`
  const customers = await ids(sql`
    select customer_id as id from (select max(customer_id) as last from customer) c, generate_series(1, ${SAMPLES}::int) n,
      lateral (select customer_id from customer where customer_id >= last * n / ${SAMPLES + 1}::int order by customer_id limit 1) one`)
  return {
    songs,
    versions: await ids(sql`
      select distinct on (entity_id) song_version_id as id from song_version where entity_id = any(${songs}::bigint[])`),
    genres: await ids(sql`select genre_id as id from genre where genre_id > 30 order by genre_id limit ${SAMPLES}`),
    artists: named.map(({ artist }) => artist),
    titles: named.map(({ title }) => title),
    labels: named.map(({ label }) => label),
    member: memberId,
    members: customers,
    publicPlaylists: await ids(
      sql`select playlist_id as id from playlist where public order by playlist_id limit ${SAMPLES}`,
    ),
    ownPlaylists: await ids(sql`select playlist_id as id from playlist where customer_id = ${memberId}`),
    tickets: await ids(sql`select ticket_number as id from ticket order by ticket_number desc limit ${SAMPLES}`),
    ownTickets: await ids(sql`select ticket_number as id from ticket where customer_id = ${memberId}`),
    subscriptions: await ids(
      sql`select subscription_id as id from subscription order by subscription_id desc limit ${SAMPLES}`,
    ),
    charges: await ids(sql`select charge_id as id from charge order by charge_id desc limit ${SAMPLES}`),
    plans: await ids(sql`select plan_id as id from plan where is_published order by 1`),
    curatedGenres: await ids(sql`select curated_genre_id as id from curated_genre order by 1 limit ${SAMPLES}`),
    spotlights: await ids(sql`select curated_list_id as id from curated_list order by 1 desc limit ${SAMPLES}`),
    top20s: await ids(sql`select top20_track_id as id from top20 order by 1 desc limit ${SAMPLES}`),
    staff:
      (await ids(sql`select staff_id as id from audit where staff_id is not null order by audit_id desc limit 1`))[0] ??
      0,
  }
}

const pages = (count: number): number[] => Array.from({ length: count }, (_, n) => n + 1)
const ORDERS = ['entity_id', 'title', 'artist', 'min_bpm', 'song_key', 'year', 'created_at'] as const
const CHARTS = ['daily', 'weekly', 'monthly'] as const
/** Days without leading zeros, as the forms send them. */
const day = (date: Date) => ({ day: date.getUTCDate(), month: date.getUTCMonth() + 1, year: date.getUTCFullYear() })
const DAY_MS = 86_400_000
const daysAgo = (count: number) => day(new Date(Date.now() - count * DAY_MS))

/** Filters of the song lists, from rare to common combinations. */
const FILTERS = [
  { bpm: '124' },
  { bpm: '118-128' },
  { bpm: '118-128', year: '2020-2022' },
  { key: '~8A' },
  { key: '8A,9A', bpm: '>120' },
  { year: '2024' },
  { bpm: '61' },
  { not_downloaded: true },
  { not_in_library: true, bpm: '120-130' },
  { key: '5B', year: '1965-1970', bpm: '170-180' },
]

/** The reading calls, and the writing ones that members make all day, with inputs for this pool. */
export function listMeasuredCalls(rows: SampleRows): MeasuredCall[] {
  const call =
    (caller: Caller) =>
    (path: string, inputs: object[] = [{}], what?: string) => ({
      path: `${path}.json`,
      caller,
      inputs,
      ...(what ? { what } : {}),
    })
  const [visitor, member, admin] = [call('visitor'), call('member'), call('admin')]
  const { songs, versions, genres, artists, titles, labels, members } = rows
  const songSource = { song_version_ids: versions.slice(0, 40) }
  return [
    // Browsing
    visitor(
      'artist/get',
      artists.map((name) => ({ name })),
    ),
    visitor(
      'artist/songs',
      artists.map((name) => ({ name })),
    ),
    visitor(
      'label/get',
      labels.map((name) => ({ name })),
    ),
    visitor(
      'label/songs',
      labels.map((name) => ({ name })),
    ),
    visitor('collection/get', [
      ...genres.map((id) => ({ type: 'genre', id })),
      ...CHARTS.map((chart_type) => ({ type: 'chart', chart_type })),
    ]),
    visitor('collection/songs', [
      ...genres.map((id) => ({ type: 'genre', id })),
      ...CHARTS.map((chart_type) => ({ type: 'chart', chart_type })),
    ]),
    visitor('curated/curated-category-list'),
    visitor(
      'curated/get-genre-item',
      rows.curatedGenres.map((genre_id) => ({ genre_id })),
    ),
    visitor('curated/get-mp3index-items'),
    visitor(
      'curated/get-songs',
      rows.spotlights.map((curated_list_id) => ({ curated_list_id })),
    ),
    visitor(
      'top20/index',
      rows.top20s.map((top20_track_id) => ({ top20_track_id })),
    ),
    visitor('curated/get-suggested-list'),
    visitor('curated/index'),
    visitor('download/get-most-downloaded-today'),
    visitor('genres/get-genres-with-count', [{ song_section_id: 1 }, { song_section_id: 2 }]),
    visitor('genres/get-song-genres', [{ song_section_id: 1 }, { song_section_id: 2 }]),
    visitor('genres/home-page-genres'),
    visitor(
      'genres/songs',
      genres.flatMap((genre_id) => pages(2).map((page) => ({ genre_id, page }))),
      'newest first',
    ),
    visitor(
      'genres/songs',
      genres.flatMap((genre_id) => [
        { genre_id, page: 60 },
        { genre_id, page: 400 },
      ]),
      'far pages',
    ),
    ...ORDERS.slice(1).map((order) =>
      visitor(
        'genres/songs',
        genres.flatMap((genre_id) =>
          (['ASC', 'DESC'] as const).map((orderDir) => ({ genre_id, order, orderDir, page: 2 })),
        ),
        `by ${order}`,
      ),
    ),
    member(
      'genres/songs',
      genres.slice(0, 4).flatMap((genre_id) => FILTERS.map((filter) => ({ genre_id, filter }))),
      'filtered',
    ),
    visitor('playlist/just-played'),
    visitor('song/just-played'),
    ...CHARTS.map((chart_type) =>
      visitor('song/chart', [{ chart_type }, ...genres.map((genre_id) => ({ chart_type, genre_id }))], chart_type),
    ),
    member(
      'song/details',
      songs.map((entity_id) => ({ entity_id })),
    ),
    member('song/filter-options', [
      { list: 'new_releases' },
      ...genres.slice(0, 6).map((id) => ({ list: 'genre', id })),
      { list: 'chart', chart_type: 'monthly' },
      { list: 'crate' },
      { list: 'favourites' },
      ...titles.slice(0, 4).map((title) => ({ list: 'search', searchTerm: title.split(' ')[0] })),
    ]),
    visitor(
      'song/get-genres-song',
      genres.map((genre_id) => ({ genre_id })),
    ),
    ...ORDERS.map((order) =>
      visitor(
        'song/get-new-release',
        pages(10).map((page) => ({ page, order, orderDir: page % 2 ? 'ASC' : 'DESC' })),
        `by ${order}`,
      ),
    ),
    member(
      'song/get-new-release',
      FILTERS.map((filter) => ({ filter })),
      'filtered',
    ),
    member(
      'song/get-song',
      songs.map((entity_id) => ({ entity_id })),
    ),
    member(
      'song/search',
      titles.map((searchTerm) => ({ searchTerm })),
      'titles',
    ),
    member(
      'song/search',
      artists.map((searchTerm) => ({ searchTerm })),
      'artists',
    ),
    member(
      'song/search',
      titles.map((title) => ({ searchTerm: title.split(' ')[0] })),
      'one word',
    ),
    member(
      'song/search',
      genres.flatMap((genre_id, n) => [
        { genre_id, SongEntitySearch: { bpm: `${100 + n}-${112 + n}`, year: `${2005 + n}-${2012 + n}` } },
      ]),
      'genre, tempo and years',
    ),
    member(
      'song/search',
      FILTERS.flatMap((filter, n) => [{ searchTerm: titles[n]?.split(' ')[0], filter }]),
      'filtered',
    ),
    visitor(
      'song/similar',
      songs.map((entity_id) => ({ entity_id })),
    ),
    visitor(
      'song/suggest',
      titles.map((title, n) => ({ text: title.slice(0, 2 + (n % 6)) })),
    ),
    visitor('top20/get-tracks'),
    visitor('trending-track/get-trending-tracks'),
    visitor(
      'version/beat-grid',
      versions.map((song_version_id) => ({ song_version_id })),
    ),
    // The site
    visitor('common/announcement', [{ page_name: 'mp3_home' }]),
    visitor('common/get-country-list'),
    visitor('common/get-faqs'),
    visitor(
      'common/news',
      pages(3).map((page) => ({ page })),
    ),
    visitor('common/openings'),
    visitor('common/page', [{ slug: 'terms' }, { slug: 'privacy' }]),
    visitor('common/pool'),
    visitor('common/shopify-products'),
    visitor('subscription/get-plans'),
    visitor(
      'subscription/get-plan',
      rows.plans.map((plan_id) => ({ plan_id })),
    ),
    // A member's own things
    member('cloud/connections'),
    member('cloud/deliveries'),
    member('cloud/send-summary', [{ source: { crate: true } }, { source: songSource }]),
    member('crate/arrange', [{ curve: 'warm_up' }, { curve: 'full_night' }]),
    member('crate/get-crates'),
    member('crate/index', [{}, { page: 1, filter: FILTERS[1] }]),
    member('crate/summary'),
    member('crate/tempos'),
    member('crate/version-kinds'),
    member('customer/download-profiles'),
    member('customer/get-profile'),
    member('customer/mutes'),
    member('customer/newsletter'),
    member('customer/sessions'),
    member('dig/songs', [{ list: 'new' }, ...genres.slice(0, 5).map((id) => ({ list: `genre-${id}` }))]),
    member(
      'download/check',
      versions.map((version) => ({ version })),
    ),
    member('download/collection-summary', [{ versions }]),
    member('download/customer-downloads'),
    member('download/download-rescue', [
      {},
      { page: 5 },
      { page: 40 },
      { startDate: daysAgo(90), endDate: daysAgo(30) },
    ]),
    member(
      'download/download-rescue',
      titles.map((title) => ({ search: title.split(' ')[0] })),
      'search',
    ),
    member('download/kit-summary', [
      { source: { crate: true } },
      { source: { history: {} } },
      { source: { chart_type: 'monthly' } },
      { source: songSource },
    ]),
    member(
      'download/song-summary',
      songs.map((entity_id) => ({ entity_id })),
    ),
    member('favourite-song/get-favourite-songs'),
    member('favourite-song/index', [{}, { filter: FILTERS[1] }]),
    member('helpdesk/get-recent-tickets'),
    member(
      'helpdesk/get-ticket',
      rows.ownTickets.map((ticket_number) => ({ ticket_number })),
    ),
    member('helpdesk/helpdesk-departments'),
    member('helpdesk/helpdesk-priorities'),
    member('helpdesk/tickets', [{ status: 'all' }, { status: 'open' }, { status: 'close' }]),
    member('library/better-versions'),
    member('library/collections'),
    member('library/count-owned', [
      ...genres.slice(0, 6).map((id) => ({ collection: { type: 'genre', id } })),
      { collection: { type: 'chart', chart_type: 'weekly' } },
    ]),
    member('library/matches'),
    member('library/owned'),
    member('notification/choices'),
    member('notification/index', [{}, { page: 2 }]),
    member('notification/unread'),
    member('playlist/index', [{}, { list: 'mine' }, { list: 'public', page: 2 }]),
    member('playlist/index', [{ search: 'playlist 1' }, { list: 'mine', search: 'playlist' }], 'search'),
    member(
      'playlist/view',
      [...rows.publicPlaylists, ...rows.ownPlaylists].map((playlist_id) => ({ playlist_id })),
    ),
    member('search/saved'),
    member('song/recent-played', [{}, { page: 2 }, { filter: FILTERS[1] }]),
    member('song/get-container-songs'),
    member('song/get-uploaded-songs'),
    member('song/get-versions'),
    member('subscription/get-customer-agreement'),
    member('subscription/get-customer-billing'),
    // What members write all day
    member(
      'crate/add-remove',
      songs.map((songId) => ({ songId })),
    ),
    member(
      'favourite-song/add-remove',
      songs.map((songId) => ({ songId })),
    ),
    member('notification/read', [{ notification_ids: [] }]),
    // The back office
    admin('staff/announcements', [{ state: 'current' }, { state: 'ended' }]),
    admin('staff/applications', [{ state: 'pending' }, { state: 'approved' }, { state: 'approved', page: 300 }]),
    admin(
      'staff/applications',
      members.map((id) => ({ state: 'approved', search: `member-${id}` })),
      'search',
    ),
    admin('staff/attention-items'),
    admin('staff/audit', [{}, { page: 2 }, { page: 40 }], 'newest first'),
    admin(
      'staff/audit',
      [
        { staff_id: rows.staff },
        { action: 'song edited' },
        { subject: 'song' },
        { subject: `song ${songs[0]}` },
        { from: daysAgo(30), to: daysAgo(10) },
        { staff_id: rows.staff, action: 'ticket reply', from: daysAgo(200), to: daysAgo(1) },
      ],
      'filtered',
    ),
    admin('staff/colleagues'),
    admin('staff/coupons'),
    admin('staff/curated-genres'),
    admin('staff/dashboard'),
    admin('staff/faqs'),
    admin('staff/gateway-states'),
    admin('staff/genres'),
    admin('staff/imports'),
    admin('staff/invoices', [{}, { page: 50 }, { customer_id: rows.member }, { from: daysAgo(60), to: daysAgo(30) }]),
    admin(
      'staff/invoices',
      members.map((id) => ({ search: `member-${id}` })),
      'search',
    ),
    admin('staff/jobs'),
    admin('staff/lists', [{ kind: 'spotlight' }, { kind: 'top20' }]),
    admin(
      'staff/list',
      rows.spotlights.map((list_id) => ({ kind: 'spotlight', list_id })),
    ),
    admin('staff/composer-songs', [{ entity_ids: songs }]),
    admin('staff/preview-list', [{ kind: 'spotlight', entity_ids: songs }]),
    admin(
      'staff/member',
      members.map((customer_id) => ({ customer_id })),
    ),
    admin('staff/members', [
      {},
      { state: 'paid' },
      { state: 'suspended', sort: '-joined' },
      { state: 'staff' },
      { sort: '-name', page: 40 },
      { sort: 'joined', page: 400 },
    ]),
    admin(
      'staff/members',
      members.flatMap((id) => [{ search: `member-${id}` }, { search: `mem` }, { search: `${id}` }]),
      'search',
    ),
    admin(
      'staff/merge-preview',
      songs.slice(0, 10).map((entity_id, n) => ({
        entity_ids: [entity_id, songs[n + 1] ?? 0, songs[n + 2] ?? 0],
        keep_entity_id: entity_id,
      })),
    ),
    admin('staff/metrics', [
      { period: 'day' },
      { period: 'week' },
      { period: 'month' },
      { period: 'quarter' },
      { period: 'year' },
    ]),
    admin('staff/month-chart', [{ month: new Date(Date.now() - 40 * DAY_MS).toISOString().slice(0, 7) }]),
    admin('staff/month-sheet', [{ from: daysAgo(60), to: daysAgo(30) }]),
    admin('staff/openings'),
    admin('staff/outgoing-mail', [{ state: 'waiting' }, { state: 'sent' }]),
    admin('staff/pages'),
    admin('staff/payment-reviews'),
    admin('staff/payments', [
      {},
      { state: 'paid' },
      { state: 'failed' },
      { state: 'paid', page: 50 },
      { customer_id: rows.member },
      { amount: '10' },
      { from: daysAgo(60), to: daysAgo(30) },
    ]),
    admin(
      'staff/payments',
      members.map((id) => ({ search: `member-${id}` })),
      'search',
    ),
    admin('staff/plans'),
    admin('staff/products'),
    admin('staff/saved-replies'),
    admin('staff/schedule'),
    admin('staff/select-songs', [
      { find: titles[0]?.split(' ')[0] ?? '' },
      { lacks: 'genre' },
      { genre_id: genres[0] },
    ]),
    admin('staff/settings'),
    admin(
      'staff/song',
      songs.map((entity_id) => ({ entity_id })),
    ),
    admin('staff/song-analyses'),
    admin('staff/song-counts', [{}, { find: titles[1]?.split(' ')[0] ?? '' }, { genre_id: genres[1] }]),
    admin('staff/song-edits', [{}, { mine: true }]),
    admin(
      'staff/song-quality',
      songs.map((entity_id) => ({ entity_id })),
    ),
    admin(
      'staff/songs',
      ['title', '-artist', 'bpm', 'key', '-year', 'added', '-added', '-changed'].flatMap((sort) => [
        { sort },
        { sort, page: 3 },
      ]),
      'sorted',
    ),
    admin(
      'staff/songs',
      [
        { lacks: 'key' },
        { lacks: 'genre' },
        { lacks: 'art' },
        { state: 'draft' },
        { state: 'unpublished' },
        ...genres.slice(0, 5).map((genre_id) => ({ genre_id, sort: 'bpm' })),
      ],
      'filtered',
    ),
    admin(
      'staff/songs',
      titles.map((title) => ({ find: title.split(' ')[0] ?? '' })),
      'find',
    ),
    admin(
      'staff/split-preview',
      songs.map((entity_id) => ({ entity_id })),
    ),
    admin('staff/storage'),
    admin(
      'staff/subscription',
      rows.subscriptions.map((subscription_id) => ({ subscription_id })),
    ),
    admin('staff/subscriptions', [
      {},
      { state: 'active' },
      { state: 'past_due' },
      { state: 'active', page: 100 },
      { customer_id: rows.member },
    ]),
    admin(
      'staff/subscriptions',
      members.map((id) => ({ search: `member-${id}` })),
      'search',
    ),
    admin('staff/suggested'),
    admin(
      'staff/ticket',
      rows.tickets.map((ticket_number) => ({ ticket_number })),
    ),
    admin('staff/tickets', [
      { state: 'waiting' },
      { state: 'answered' },
      { state: 'close' },
      { state: 'all' },
      { state: 'all', page: 50 },
      { state: 'waiting', mine: true },
    ]),
    admin(
      'staff/tickets',
      members.flatMap((id) => [
        { state: 'all', search: `member-${id}` },
        { state: 'all', search: `Question ${id}` },
      ]),
      'search',
    ),
    admin('staff/trending'),
    admin('staff/uploads'),
    admin(
      'staff/why-no-download',
      members.map((customer_id) => ({ customer_id })),
    ),
  ]
}

export function endpointOf({ path }: MeasuredCall): Endpoint {
  const endpoint = allEndpoints.find((one) => one.path === path)
  if (!endpoint) throw new Error(`The contract has no call ${path}.`)
  return endpoint
}

/** The call's path and what its inputs have in common. */
export const nameOf = ({ path, what }: MeasuredCall): string =>
  `${path.replace('.json', '')}${what ? ` (${what})` : ''}`

const FILE = 'It makes a file, whose time depends on what is in it.'
const ANALYSIS = 'It needs an analysed file, which the songs of a benchmark do not have.'
const PREPARED = 'It needs an import, an upload, a delivery or a payment that no other call needs.'
const NO_TABLE = 'It reads no table that grows.'

const because = (reason: string, names: string[]) => names.map((name) => [`${name}.json`, reason] as const)

/** Reading calls that are not measured, and why. */
export const NOT_MEASURED: Record<string, string> = Object.fromEntries([
  ...because(FILE, ['staff/audit-file', 'staff/books-file', 'staff/codes-file', 'staff/import-report']),
  ...because(FILE, ['staff/invoice-file', 'staff/metrics-file']),
  ...because(ANALYSIS, [
    'upload/beat-grid',
    'upload/spectrum',
    'version/spectrum',
    'staff/beat-grid',
    'staff/spectrum',
  ]),
  ...because(PREPARED, ['cloud/delivery-files', 'subscription/get-payment', 'staff/import', 'staff/import-files']),
  ...because(PREPARED, ['song/get-song-entry', 'song/get-song-figures', 'song/get-song-versions', 'staff/upload']),
  ...because(NO_TABLE, [
    'staff/draw-cover',
    'staff/import-folders',
    'staff/make-coupon-code',
    'staff/preview-markdown',
  ]),
])
