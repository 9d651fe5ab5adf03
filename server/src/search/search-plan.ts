/**
 * A search as groups that must all match, each with the number of songs it is expected to find. `match` is the tsquery
 * for the index; `filter` (if given) is a cheaper one for rows that are already fetched. `share` is the share of the songs of
 * the other groups that this one matches, where it is known better than from the number of its own.
 */
export type TermGroup = { match: string; filter?: string; expected: number; share?: number; onlyFilter?: boolean }

/** Further conditions, checked on the rows that the groups have found, never with the index. */
export type RowChecks = {
  /** The fastest tempo in BPM: at least the first, below the second value. */
  fastest?: [number, number] | undefined
  /** A tempo that must not match. */
  notOverlapping?: { match: string; bpmBelow: number } | undefined
  /** tsqueries that must not match. */
  without?: readonly string[] | undefined
  /** Consecutive words that its artist, title or remix must contain, or must not. */
  phrases?: readonly { phrase: string; negated: boolean }[] | undefined
  /** Whether this member has downloaded one of its versions. */
  downloads?: { customer_id: number; downloaded: boolean } | undefined
  /** Leaves out this member's favourites, the songs of their own playlists and what they have downloaded. */
  notInLibraryOf?: number | undefined
  /** Leaves out the songs among this member's own files, and what they have downloaded. */
  notOwnedBy?: number | undefined
  excludedIds?: readonly number[] | undefined
  /** When it was added to the pool. */
  added?: AddedRange | undefined
}

/** A time range, both ends as PostgreSQL writes them, to the microsecond: after the first, up to the second. */
export type AddedRange = {
  after: string
  until?: string | undefined
  /** Every song of this range has a larger entity_id. */
  above: number
}

export type SearchPlan = { text: string; values: (string | number)[] }
type BindValue = (given: string | number) => string

const quote = (word: string): string => `'${word}'`
export const anyOf = (words: readonly string[]): string => words.map(quote).join('|')
export const allOf = (words: readonly string[]): string => words.map(quote).join('&')
export const prefixOf = (word: string): string => `${quote(word)}:*`
const matches = (query: string, value: BindValue): string => `r.tsv @@ ${value(query)}::tsquery`

/** Comparing two numbers is faster than searching for a word, so the tempo is checked first. */
const tempoChecks = ({ fastest }: RowChecks, value: BindValue): string[] =>
  fastest ? [`r.max_bpm >= ${value(fastest[0])}::real`, `r.max_bpm < ${value(fastest[1])}::real`] : []

const isDownloadedBy = (member: string): string =>
  `exists (select 1 from song_version v join download_grant g using (song_version_id)
    where v.entity_id = r.entity_id and g.customer_id = ${member} and g.used > 0 offset 0)`

/** A member's playlists are read once, because each row would otherwise look into every one of them. */
const notInLibrary = (member: string): string[] => [
  `not exists (select 1 from favourite f where f.customer_id = ${member} and f.entity_id = r.entity_id offset 0)`,
  `not ${isDownloadedBy(member)}`,
  `r.entity_id not in (select ps.entity_id from playlist p join playlist_song ps using (playlist_id)
    where p.customer_id = ${member} and p.deleted_at is null)`,
]

const isOwnFileOf = (member: string): string =>
  `exists (select 1 from own_library l join own_library_entry e using (library_id)
    where l.customer_id = ${member} and l.is_listed and e.entity_id = r.entity_id offset 0)`

const notOwned = (member: string): string[] => [`not ${isOwnFileOf(member)}`, `not ${isDownloadedBy(member)}`]

/** OFFSET 0 prevents the subquery from being joined to all rows: it runs only for the few rows that are left. */
function checksOf(checks: RowChecks, value: BindValue): string[] {
  const { notOverlapping, without = [], phrases = [], downloads, excludedIds = [], added } = checks
  const { notInLibraryOf, notOwnedBy } = checks
  const below = (bpm: number) => `r.max_bpm < ${value(bpm)}::real`
  return [
    ...(notOverlapping ? [`not (${matches(notOverlapping.match, value)} and ${below(notOverlapping.bpmBelow)})`] : []),
    ...without.map((query) => matches(`!(${query})`, value)),
    ...(excludedIds.length > 0 ? [`r.entity_id <> all(${value(`{${excludedIds.join()}}`)}::text::bigint[])`] : []),
    ...phrases.map(
      ({ phrase, negated }) => `(select ' ' || replace(s.song_identity, '|', ' | ') || ' ' from song s
        where s.entity_id = r.entity_id) ${negated ? 'not like' : 'like'} ${value(`% ${phrase} %`)}`,
    ),
    ...(downloads
      ? [`${downloads.downloaded ? '' : 'not '}${isDownloadedBy(`${value(downloads.customer_id)}::bigint`)}`]
      : []),
    ...(notInLibraryOf === undefined ? [] : notInLibrary(`${value(notInLibraryOf)}::bigint`)),
    ...(notOwnedBy === undefined ? [] : notOwned(`${value(notOwnedBy)}::bigint`)),
    ...(added
      ? [
          `exists (select 1 from song s where s.entity_id = r.entity_id and s.created_at > ${value(added.after)}::text::timestamptz
        ${added.until === undefined ? '' : `and s.created_at <= ${value(added.until)}::text::timestamptz`} offset 0)`,
        ]
      : []),
  ]
}

/**
 * How many songs the groups match together, by exponential back-off: words of one artist are not independent, so each
 * further group counts with half the weight of the one before (as in selectivity estimation of correlated predicates).
 */
function density(
  groups: readonly TermGroup[],
  songs: number,
): { correlated: number; independent: number; likely: number } {
  let correlated = 1
  let independent = 1
  groups.forEach((group, n) => {
    const share = group.share ?? Math.max(group.expected, 0.5) / songs
    independent *= share
    correlated *= share ** (1 / 2 ** Math.min(n, 3))
  })
  return { correlated, independent, likely: Math.sqrt(correlated * independent) }
}

/** How many songs probably match all of these groups, before further conditions. */
export const likelyMatches = (groups: readonly TermGroup[], catalogue: { songs: number }): number =>
  catalogue.songs *
  density(
    [...groups].sort((a, b) => a.expected - b.expected),
    catalogue.songs,
  ).likely

/** Fetching a row costs about as much as reading this many index entries. */
const ROW_COST = 15
/** One more list to read costs this much, however few of its entries are read. */
const LIST_COST = 1000

/**
 * The rarest group, and further ones while the rows they save cost more than reading them; a huge prefix is left to
 * filtering unless it is the only group.
 * @param enough rows after which nothing more is fetched, if their order does not matter
 */
function groupsForIndex(sorted: readonly TermGroup[], songs: number, enough: number): TermGroup[] {
  const share = (group: TermGroup) => group.share ?? Math.max(group.expected, 1) / songs
  const readable = sorted.filter((group) => !group.onlyFilter)
  const [rarest, ...others] = readable.length > 0 ? readable : sorted
  if (!rarest) return []
  const chosen = [rarest]
  let left = rarest.expected
  let unreadShare = others.reduce((product, group) => product * share(group), 1)
  for (const group of others) {
    const costWithout = Math.min(left, enough / unreadShare)
    unreadShare /= share(group)
    const costWith = Math.min(left * share(group), enough / unreadShare)
    if ((costWithout - costWith) * ROW_COST < rarest.expected + LIST_COST || chosen.length >= 4) break
    chosen.push(group)
    left *= share(group)
  }
  for (const group of sorted) {
    if (!group.onlyFilter || chosen.includes(group) || left <= Math.max(500, group.expected * 0.1)) continue
    chosen.push(group)
    left *= share(group)
  }
  return chosen
}

/**
 * How many of the newest songs to scan; none if that would hardly find enough. The scan must not cost more than the
 * index: in scanned songs, 0.6 for each entry read (1.2 if lists are merged) and 5 for each row fetched. The scan ends
 * once enough was found, so its limit matters only for songs that are close together far down.
 * @param enough rows after which the index need not fetch more
 */
function windowOf(sorted: readonly TermGroup[], songs: number, neededRows: number, enough: number): number {
  const { correlated, independent, likely } = density(sorted, songs)
  const rarest = sorted[0]
  const entries = (rarest?.expected ?? 0) * (rarest?.match.includes('|') ? 1.2 : 0.6)
  const maxWalk = Math.max(20_000, entries + 5 * Math.min(songs * likely, enough))
  const walkDepth = neededRows / likely
  const availableRows = songs * Math.max(independent, correlated * 0.02) > neededRows * 2
  return availableRows && walkDepth <= maxWalk ? Math.round(Math.min(maxWalk, Math.max(20_000, 12 * walkDepth))) : 0
}

const ROWS = 'select entity_id, tsv, max_bpm from song_search r'

const walkArm = (
  columns: string,
  { edge, newest }: { edge: string; newest: string },
  filters: readonly string[],
  neededRows: number,
): string =>
  `(select ${columns} from (${ROWS} where entity_id > ${edge}::bigint and entity_id <= ${newest}::bigint
    order by entity_id desc offset 0) r where ${filters.join(' and ')} limit ${neededRows})`

type WalkRange = { above: string | undefined; edge: string }

const indexArm = (
  columns: string,
  { above, edge }: WalkRange,
  indexed: readonly string[],
  filters: readonly string[],
  ending: string,
): string =>
  `(select ${columns} from (${ROWS} where ${indexed.join(' and ')} and entity_id <= ${edge}::bigint
    ${above === undefined ? '' : `and entity_id > ${above}::bigint`} offset 0) r
    ${filters.length > 0 ? `where ${filters.join(' and ')}` : ''} ${ending})`

function bindValues(): { values: (string | number)[]; value: BindValue } {
  const values: (string | number)[] = []
  const value: BindValue = (given) => {
    const known = values.indexOf(given)
    return `$${known >= 0 ? known + 1 : values.push(given)}`
  }
  return { values, value }
}

/** The statement for the songs of a short list that match: it checks each row and never reads the index of words. */
export function planWithin(
  entityIds: readonly number[],
  groups: readonly Pick<TermGroup, 'match'>[],
  checks: RowChecks,
): SearchPlan {
  const { values, value } = bindValues()
  const ids = value(`{${entityIds.join()}}`)
  const conditions = [
    ...tempoChecks(checks, value),
    ...groups.map(({ match }) => matches(match, value)),
    ...checksOf(checks, value),
  ]
  return {
    text: `select entity_id from (${ROWS} where entity_id = any(${ids}::text::bigint[]) offset 0) r
      ${conditions.length > 0 ? `where ${conditions.join(' and ')}` : ''}`,
    values,
  }
}

/** Songs that are listed in one genre and are of some years. */
export type GenreYears = { genreId: number; sections: readonly number[]; years: readonly number[] }

/**
 * The statement for the songs of a genre and some years that pass the checks, newest first. The index of a genre's songs by
 * year has their tempo as well, so no other row is read, except for checks that look into other tables.
 */
export function planGenreYears(
  { genreId, sections, years }: GenreYears,
  { limit, offset, checks, count }: { limit: number; offset: number; checks: RowChecks; count: boolean },
): SearchPlan {
  const { values, value } = bindValues()
  const conditions = [
    ...(checks.fastest ? [`r.min_bpm >= ${value(checks.fastest[0])}::real`] : []),
    ...tempoChecks(checks, value),
    ...checksOf(checks, value),
  ]
  const found = `
    select entity_id from unnest(${value(`{${years.join()}}`)}::text::smallint[]) given (year)
    cross join unnest(${value(`{${sections.join()}}`)}::text::smallint[]) of (section)
    cross join lateral (
      select entity_id from song_genre r
      where r.genre_id = ${value(genreId)}::int and r.listed_section = of.section and r.year = given.year
        ${conditions.map((condition) => `and ${condition}`).join(' ')}
      order by entity_id desc limit ${limit + offset}) newest_of_year`
  return count
    ? { text: `select count(*)::int as n from (${found} limit ${limit} offset ${offset}) counted`, values }
    : { text: `${found} order by entity_id desc limit ${limit} offset ${offset}`, values }
}

/** This few songs are always scanned, whatever the search. */
const SHORT_WALK = 2000

/**
 * One statement with two lazy branches: first a scan of the newest songs, then the index for the rest. A common word is
 * answered by the scan alone, a rare one by the index alone. OFFSET 0 isolates the plan of each branch; separate @@
 * conditions let the index skip within its lists.
 * @param limit rows wanted after `offset` rows are skipped, newest first
 * @param leading a tsquery; each row says whether it matches
 */
export function planSearch(
  groups: readonly TermGroup[],
  catalogue: { songs: number; newest: number },
  params: { limit: number; offset: number; checks?: RowChecks; count?: boolean; leading?: string | undefined },
): SearchPlan {
  const { values, value } = bindValues()
  const filter = (group: TermGroup) => matches(group.filter ?? group.match, value)
  const songs = Math.max(catalogue.songs, 1)
  const sorted = [...groups].sort((a, b) => a.expected - b.expected)
  const neededRows = params.limit + params.offset
  // Sorted by age, all rows must be fetched before the first is known.
  const enough = params.count ? neededRows : Number.POSITIVE_INFINITY
  const above = params.checks?.added?.above
  // There are few recently added songs to scan, and none below them.
  const reach = above === undefined ? Number.POSITIVE_INFINITY : Math.max(1, catalogue.newest - above)
  const window = reach <= SHORT_WALK ? reach : Math.min(reach, windowOf(sorted, songs, neededRows, enough))
  const edge = value(catalogue.newest - window)
  const indexed = groupsForIndex(sorted, songs, enough)
  const tempo = tempoChecks(params.checks ?? {}, value)
  const checks = checksOf(params.checks ?? {}, value)
  const leading = params.leading === undefined ? '' : ', is_leading'
  const columns =
    params.leading === undefined ? 'entity_id' : `entity_id, ${matches(params.leading, value)} as is_leading`
  const walk =
    window > 0 &&
    walkArm(
      columns,
      { edge, newest: value(catalogue.newest) },
      [...tempo, ...sorted.map(filter), ...checks],
      neededRows,
    )
  const index = indexArm(
    columns,
    { edge, above: above === undefined ? undefined : value(above) },
    indexed.map((group) => matches(group.match, value)),
    [...tempo, ...sorted.filter((group) => !indexed.includes(group)).map(filter), ...checks],
    params.count ? `limit ${neededRows}` : `order by entity_id desc limit ${neededRows}`,
  )
  const arms = !walk ? index : window === reach ? walk : `${walk} union all ${index}`
  const union = `select entity_id${leading} from (${arms}) both_arms limit ${params.limit} offset ${params.offset}`
  return { text: params.count ? `select count(*)::int as n from (${union}) counted` : union, values }
}
