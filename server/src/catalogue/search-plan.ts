/**
 * One search as groups that must all match, each with how many songs it is expected to find.
 * `match` is the tsquery used against the index; `filter` (when given) the cheaper one used on rows already fetched.
 */
export type Group = { match: string; filter?: string; expected: number; onlyFilter?: boolean }

export type Plan = { text: string; values: (string | number)[] }

const quote = (word: string): string => `'${word}'`
export const anyOf = (words: readonly string[]): string => words.map(quote).join('|')
export const prefixOf = (word: string): string => `${quote(word)}:*`

/**
 * How many songs the groups find together, by exponential back-off: words of one artist are not independent, so each
 * further group counts with half the weight of the one before (as in "selectivity estimation" of correlated predicates).
 */
function density(groups: readonly Group[], songs: number): { correlated: number; independent: number } {
  let correlated = 1
  let independent = 1
  groups.forEach((group, n) => {
    const share = Math.max(group.expected, 0.5) / songs
    independent *= share
    correlated *= share ** (1 / 2 ** Math.min(n, 3))
  })
  return { correlated, independent }
}

/** The rarest groups, until they leave fewer than 500 songs; a huge prefix is left to filtering unless it stands alone. */
function groupsForIndex(sorted: readonly Group[], songs: number): Group[] {
  const chosen: Group[] = []
  let left = songs
  for (const group of sorted) {
    if (chosen.length > 0 && (left < 500 || chosen.length >= 4)) break
    if (group.onlyFilter && sorted.some((other) => !other.onlyFilter)) continue
    chosen.push(group)
    left *= Math.max(group.expected, 1) / songs
  }
  for (const group of sorted) {
    if (!group.onlyFilter || chosen.includes(group) || left <= Math.max(500, group.expected * 0.1)) continue
    chosen.push(group)
    left *= group.expected / songs
  }
  return chosen
}

/**
 * One statement with two lazy arms: first a walk over the newest songs, then the index for the rest. A common word is
 * answered by the walk alone, a rare one by the index alone. OFFSET 0 fences each arm's plan; separate @@ let the index
 * leap between its lists.
 * @param limit rows wanted after `offset` rows are skipped, newest first
 */
export function planSearch(
  groups: readonly Group[],
  catalogue: { songs: number; newest: number },
  wish: { limit: number; offset: number; maxBpm?: number | undefined; count?: boolean },
): Plan {
  const values: (string | number)[] = []
  const value = (given: string | number) => {
    const known = values.indexOf(given)
    return `$${known >= 0 ? known + 1 : values.push(given)}`
  }
  const query = (text: string) => `tsv @@ ${value(text)}::tsquery`
  const songs = Math.max(catalogue.songs, 1)
  const sorted = [...groups].sort((a, b) => a.expected - b.expected)
  const need = wish.limit + wish.offset
  const { correlated, independent } = density(sorted, songs)
  const window = Math.round(Math.min(20_000, Math.max(4096, (12 * need) / correlated)))
  const walks = songs * Math.max(independent, correlated * 0.02) > need * 2
  const indexed = groupsForIndex(sorted, songs)
  const bpm = wish.maxBpm === undefined ? [] : [`max_bpm <= ${value(wish.maxBpm)}::real`]
  const rows = 'select entity_id, tsv, max_bpm from song_search'
  const edge = catalogue.newest - window
  const arms: string[] = []
  if (walks) {
    const all = [...sorted.map((group) => query(group.filter ?? group.match)), ...bpm]
    arms.push(`(select entity_id from (${rows} where entity_id > ${value(edge)}::bigint and entity_id <= ${value(catalogue.newest)}::bigint
      order by entity_id desc offset 0) walked where ${all.join(' and ')} limit ${need})`)
  }
  const rest = [
    ...sorted.filter((group) => !indexed.includes(group)).map((group) => query(group.filter ?? group.match)),
    ...bpm,
  ]
  arms.push(`(select entity_id from (${rows} where ${indexed.map((group) => query(group.match)).join(' and ')}
      and entity_id <= ${value(walks ? edge : catalogue.newest)}::bigint offset 0) found
      ${rest.length > 0 ? `where ${rest.join(' and ')}` : ''} ${wish.count ? '' : 'order by entity_id desc'} limit ${need})`)
  const union = `select entity_id from (${arms.join(' union all ')}) both_arms limit ${wish.limit} offset ${wish.offset}`
  return { text: wish.count ? `select count(*)::int as n from (${union}) counted` : union, values }
}
