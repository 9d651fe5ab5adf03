import type { Sql } from '../platform/db.ts'

/**
 * A statement that compares a stored count with the rows it is counted from; `message` names the count. All counts are
 * right at any moment, also while the pool runs.
 */
type CountCheck = { message: string; statement: string }

/** A download that counts in the charts: not a free one for corrected tags. */
const COUNTED = 'not free'

export const COUNT_CHECKS: readonly CountCheck[] = [
  {
    message: 'songs per genre',
    statement: `
      select format('genre %s, section %s: %s counted, %s there', genre_id, song_section_id, coalesce(c.songs, 0), coalesce(r.songs, 0)) as what
      from genre_counter c full join (
        select 0 as genre_id, song_section_id, count(*) as songs from song where status = 'published' group by 2
        union all select genre_id, listed_section, count(*) from song_genre where listed_section is not null group by 1, 2) r
      using (genre_id, song_section_id) where coalesce(c.songs, 0) <> coalesce(r.songs, 0)`,
  },
  {
    message: 'where a song is listed',
    statement: `
      select format('song %s in genre %s: listed in section %s', entity_id, genre_id, coalesce(listed_section::text, 'none')) as what
      from song_genre join song s using (entity_id)
      where listed_section is distinct from case when s.status = 'published' then s.song_section_id end`,
  },
  {
    message: 'year and tempo of a song in its lists',
    statement: `
      select format('song %s in genre %s: year %s and %s BPM, but the song has %s and %s', entity_id, genre_id,
        coalesce(g.year::text, 'none'), coalesce(g.max_bpm::text, 'no'), coalesce(s.year::text, 'none'), coalesce(s.max_bpm::text, 'no')) as what
      from song_genre g join song s using (entity_id)
      where s.status = 'published' and (g.year, g.min_bpm, g.max_bpm) is distinct from (s.year, s.min_bpm, s.max_bpm)`,
  },
  {
    message: 'searchable songs',
    statement: `
      select format('song %s: %s, but %s', entity_id, s.status, case when i.entity_id is null then 'not in the search' else 'in the search' end) as what
      from song s left join song_search i using (entity_id) where (s.status = 'published') <> (i.entity_id is not null)`,
  },
  {
    message: 'downloads per member',
    statement: `
      select format('member %s, version %s: %s used, %s in the ledger', customer_id, song_version_id, coalesce(g.used, 0), coalesce(d.n, 0)) as what
      from download_grant g full join (
        select customer_id, song_version_id, count(*) filter (where ${COUNTED} and refunded_at is null) as n from download group by 1, 2) d
      using (customer_id, song_version_id) where coalesce(g.used, 0) <> coalesce(d.n, 0)`,
  },
  {
    message: 'downloads per day',
    statement: `
      select format('song %s on %s: %s in the charts, %s in the ledger', entity_id, start::date, coalesce(c.n, 0), coalesce(d.n, 0)) as what
      from (
        select start, entity_id, sum(n) as n from (
          select start, entity_id, n from chart_count where period = 'day'
          union all select date_trunc('day', at, 'UTC'), entity_id, 1 from download_outbox) kept group by 1, 2) c
      full join (
        select date_trunc('day', at, 'UTC') as start, entity_id, count(*) as n from download where ${COUNTED} group by 1, 2) d
      using (start, entity_id) where coalesce(c.n, 0) <> coalesce(d.n, 0)`,
  },
  {
    message: 'downloads per hour',
    statement: `
      with since as (select min(start) as start from chart_count where period = 'hour')
      select format('song %s at %s: %s in the charts, %s in the ledger', entity_id, start, coalesce(c.n, 0), coalesce(d.n, 0)) as what
      from (
        select start, entity_id, sum(n) as n from (
          select start, entity_id, n from chart_count where period = 'hour'
          union all select date_trunc('hour', at, 'UTC'), entity_id, 1 from download_outbox, since where at >= since.start) kept
        group by 1, 2) c
      full join (
        select date_trunc('hour', at, 'UTC') as start, entity_id, count(*) as n from download, since
        where ${COUNTED} and at >= since.start group by 1, 2) d
      using (start, entity_id) where coalesce(c.n, 0) <> coalesce(d.n, 0)`,
  },
  {
    // The charts keep the listens of deleted members, so there may be more than rows but never fewer.
    message: 'listens per day',
    statement: `
      select format('song %s on %s: %s counted, %s listened', entity_id, day, coalesce(c.n, 0), coalesce(l.n, 0)) as what
      from (
        select day, entity_id, sum(n) as n from (
          select day, entity_id, n from listen_count
          union all select (at at time zone 'UTC')::date, entity_id, 1 from listen_outbox) kept group by 1, 2) c
      full join (select (at at time zone 'UTC')::date as day, entity_id, count(*) as n from listen group by 1, 2) l
      using (day, entity_id) where coalesce(c.n, 0) < coalesce(l.n, 0)`,
  },
  {
    message: 'total downloads and listens per song',
    statement: `
      select format('song %s: %s downloads and %s listens in all, %s and %s by day', entity_id, coalesce(t.downloads, 0),
        coalesce(t.listens, 0), coalesce(d.downloads, 0), coalesce(d.listens, 0)) as what
      from song_total t full join (
        select entity_id, sum(downloads) as downloads, sum(listens) as listens from (
          select entity_id, n as downloads, 0 as listens from chart_count where period = 'day'
          union all select entity_id, 0, n from listen_count) days group by 1) d
      using (entity_id)
      where (coalesce(t.downloads, 0), coalesce(t.listens, 0)) is distinct from (coalesce(d.downloads, 0), coalesce(d.listens, 0))`,
  },
  {
    message: 'chart positions',
    statement: `
      select format('%s chart of genre %s: %s songs on %s places up to %s', chart, genre_id, count(distinct entity_id), count(*), max(rank)) as what
      from chart_snapshot group by chart, genre_id, song_section_id having count(*) <> max(rank) or count(distinct entity_id) <> count(*)`,
  },
  {
    message: 'previews of published songs',
    statement: `
      select format('version %s of song %s: its file has no preview', song_version_id, v.entity_id) as what
      from song_version v join song s using (entity_id) left join preview p using (file_id)
      where v.status = 'published' and s.status = 'published' and v.file_id is not null and p.file_id is null`,
  },
]

/** Checks of payments: every movement of money has one ledger entry and one invoice, and the sums match. */
export const LEDGER_CHECKS: readonly CountCheck[] = [
  {
    message: 'ledger entries for payments',
    statement: `
      select format('charge %s of %s %s: %s lines of the ledger, %s in all', c.charge_id, c.amount_minor, c.currency, count(l), coalesce(sum(l.amount_minor), 0)) as what
      from charge c left join ledger l on l.charge_id = c.charge_id and l.refund_id is null
      group by c.charge_id having count(l) <> (c.status = 'paid')::int
        or (c.status = 'paid' and (sum(l.amount_minor) <> c.amount_minor or min(l.currency) <> c.currency or min(l.customer_id) <> c.customer_id))`,
  },
  {
    message: 'ledger entries for refunds',
    statement: `
      select format('refund %s of %s: %s lines of the ledger, %s in all', r.refund_id, r.amount_minor, count(l), coalesce(sum(l.amount_minor), 0)) as what
      from refund r left join ledger l on l.refund_id = r.refund_id
      group by r.refund_id having count(l) <> 1 or sum(l.amount_minor) <> -r.amount_minor or min(l.charge_id) <> r.charge_id`,
  },
  {
    message: 'refunds not exceeding payments',
    statement: `
      select format('charge %s of %s: %s refunded', charge_id, c.amount_minor, sum(r.amount_minor)) as what
      from refund r join charge c using (charge_id) group by charge_id, c.amount_minor having sum(r.amount_minor) > c.amount_minor`,
  },
  {
    message: 'invoices for payments and refunds',
    statement: `
      select format('charge %s: %s invoices over %s in all, %s paid', c.charge_id, count(i), coalesce(sum(i.total_minor), 0), c.amount_minor) as what
      from charge c left join invoice i on i.charge_id = c.charge_id and i.kind = 'invoice' where c.status = 'paid'
      group by c.charge_id having count(i) <> 1 or sum(i.total_minor) <> c.amount_minor
      union all
      select format('refund %s of %s: %s credit notes over %s in all', r.refund_id, r.amount_minor, count(i), coalesce(sum(i.total_minor), 0))
      from refund r left join invoice i on i.refund_id = r.refund_id
      group by r.refund_id having count(i) <> 1 or sum(i.total_minor) <> -r.amount_minor`,
  },
  {
    message: 'invoice numbers',
    statement: `
      select format('%s: %s invoices, the highest number is %s, the last one given %s', year, coalesce(i.n, 0), coalesce(i.most, 0), coalesce(g.last_serial, 0)) as what
      from invoice_number g full join (select year, count(*) as n, max(serial) as most from invoice group by 1) i using (year)
      where coalesce(i.n, 0) <> coalesce(i.most, 0) or coalesce(i.most, 0) <> coalesce(g.last_serial, 0)`,
  },
  {
    message: 'starts of paid subscriptions',
    statement: `
      select format('subscription %s: paid since %s, its first payment is for %s', subscription_id, coalesce(paid_since::text, 'never'),
        coalesce(first_period::text, 'no period')) as what
      from subscription left join (
        select subscription_id, min(period_start) as first_period from charge where status = 'paid' group by 1) c
      using (subscription_id) where paid_since is distinct from first_period`,
  },
  {
    message: 'coupon redemptions',
    statement: `
      select format('coupon %s: used %s times of %s', code, count(*), max_uses) as what
      from coupon join coupon_use using (coupon_id) group by code, max_uses having count(*) > max_uses`,
  },
]

const MAX_REPORTED = 20

/**
 * Returns what is inconsistent, one line each, and only the number of the rest when there are many of one kind.
 * Everything is read in one snapshot.
 */
export async function findWrongCounts(sql: Sql, counts: readonly CountCheck[], onDone: () => void): Promise<string[]> {
  const wrong: string[] = []
  for (const { message, statement } of counts) {
    const found = await sql.unsafe<{ what: string; n: number }[]>(
      `select what, count(*) over ()::int as n from (${statement}) wrong order by what limit ${MAX_REPORTED}`,
    )
    for (const { what } of found) wrong.push(`${message}: ${what}`)
    const more = (found[0]?.n ?? 0) - found.length
    if (more > 0) wrong.push(`${message}: and ${more} more`)
    onDone()
  }
  return wrong
}

type SequenceColumn = { table: string; column: string; sequence: string }

/** Sequences that are behind their table, and would assign a number again. */
export async function findSequenceConflicts(sql: Sql): Promise<string[]> {
  const columns = await sql<SequenceColumn[]>`
    select c.relname::text as table, a.attname::text as column, s.oid::regclass::text as sequence
    from pg_class s join pg_depend d on d.objid = s.oid and d.deptype in ('a', 'i')
    join pg_class c on c.oid = d.refobjid join pg_attribute a on a.attrelid = c.oid and a.attnum = d.refobjsubid
    where s.relkind = 'S' and s.relnamespace = 'public'::regnamespace order by 1`
  const used: string[] = []
  for (const { table, column, sequence } of [...columns, DOWNLOADS]) {
    const [found] = await sql.unsafe<{ highest: number; next: number }[]>(
      `select (select coalesce(max("${column}"), 0) from "${table}") as highest,
        (select last_value + is_called::int from ${sequence}) as next`,
    )
    if (found && found.next <= found.highest)
      used.push(`ids of “${table}”: the next value is ${found.next}, but ${found.highest} already exists`)
  }
  return used
}

/** Its sequence belongs to no column. */
const DOWNLOADS: SequenceColumn = { table: 'download', column: 'download_id', sequence: 'download_id' }
