// How the tables would be divided among several PostgreSQL servers with Citus, and what in the schema prevents it. The result is
// in docs/distribution.md: node scripts/check-distribution.mjs

/** Every distributed table is divided by this column, so that the rows of a member are on one server. */
export const DISTRIBUTION_COLUMN = 'customer_id'

/**
 * Every table. `distributed`: divided by member, because members write them all the time. `reference`: a copy on every server,
 * because statements join them with the rows of a member; they change seldom. `local`: on the first server only.
 */
export const TABLES = {
  distributed: [
    ...['bundle', 'crate_item', 'crate_order', 'dig_decision', 'download', 'download_grant', 'download_link'],
    ...['download_outbox', 'download_transfer', 'favourite', 'listen', 'listen_outbox', 'mute', 'notification'],
    ...['own_library', 'own_library_candidate', 'own_library_entry', 'playlist', 'playlist_song', 'transfer_report'],
  ],
  reference: [
    ...['artwork', 'customer', 'customer_group', 'file', 'genre', 'genre_alias', 'merged_song', 'plan', 'song'],
    ...['song_credit', 'song_genre', 'song_version', 'version_kind'],
  ],
  local: [
    // Measurements of files
    ...['analysis', 'beat_grid', 'beat_grid_correction', 'conversion', 'fingerprint', 'peaks', 'preview', 'reanalysis'],
    ...['spectrum', 'version_comparison'],
    // Lists, search and charts
    ...['chart_count', 'chart_refresh', 'chart_snapshot', 'curated_genre', 'curated_list', 'curated_list_song'],
    ...['genre_counter', 'list_anchor', 'listen_count', 'search_word', 'search_word_del', 'song_edit'],
    ...['song_edit_song', 'song_search', 'song_total', 'top20', 'top20_song', 'trending_override'],
    // Accounts
    ...['announcement_hidden', 'cloud_connection', 'cloud_delivery', 'cloud_delivery_file', 'cloud_revocation'],
    ...['dj_application', 'download_profile', 'external_identity', 'followed_genre', 'followed_list', 'followed_name'],
    ...['mail_request', 'mailed_link', 'notification_preference', 'recovery_code', 'saved_search', 'session'],
    ...['sign_in_attempt', 'sign_up', 'totp'],
    // Payments
    ...['cancel_feedback', 'charge', 'coupon', 'coupon_use', 'gateway_failure', 'gateway_health', 'gateway_plan'],
    ...['invoice', 'invoice_number', 'ledger', 'payment_event', 'payment_review', 'promotion', 'refund'],
    ...['sandbox_account', 'sandbox_charge', 'sandbox_clock', 'sandbox_refund', 'subscription', 'subscription_event'],
    // Uploads and imports
    ...['analysis_usage', 'import_cover', 'import_file', 'import_run', 'import_sheet', 'upload', 'upload_duplicate'],
    ...['upload_review', 'upload_song', 'upload_version'],
    // Site, staff and operation
    ...['announcement', 'audit', 'backup', 'bounced_address', 'daily_metric', 'damaged_file', 'department', 'faq'],
    ...['inbound_mail', 'job_opening', 'mail_hold', 'merchandise', 'migration', 'newsletter_digest'],
    ...['newsletter_subscriber', 'outgoing_mail', 'page', 'pool_check', 'priority', 'rate_counter', 'reply'],
    ...['restore_rehearsal', 'saved_reply', 'setting', 'staff_note', 'storage_scrub', 'storage_usage', 'store_sync'],
    ...['ticket', 'ticket_file', 'worker_heartbeat'],
  ],
}

/**
 * Parses server/schema.sql. Returns each table with its columns, its unique keys (primary keys, unique constraints and unique
 * indexes, as lists of columns) and its foreign keys.
 */
export function parseSchema(text) {
  const tables = new Map()
  for (const [, name, body] of text.matchAll(/^create table (\w+) \(\n(.*?)\n\);$/gms)) {
    const columns = [...body.matchAll(/^ {2}(?!constraint )"?(\w+)"? /gm)].map(([, column]) => column)
    const uniqueKeys = [...body.matchAll(/^ {2}constraint (\w+) (?:PRIMARY KEY|UNIQUE)[^(\n]*\(([^)]*)\)/gm)].map(
      ([, constraint, list]) => ({ name: constraint, columns: list.split(', ') }),
    )
    const foreignKeys = [
      ...body.matchAll(/^ {2}constraint (\w+) FOREIGN KEY \(([^)]*)\) REFERENCES (\w+)\(([^)]*)\)/gm),
    ].map(([, constraint, from, to, target]) => ({
      name: constraint,
      columns: from.split(', '),
      table: to,
      targetColumns: target.split(', '),
    }))
    tables.set(name, { columns, uniqueKeys, foreignKeys })
  }
  // An expression such as lower(email) is kept as it is: it is no column.
  for (const [, index, table, list] of text.matchAll(
    /^CREATE UNIQUE INDEX (\w+) ON public\.(\w+) USING btree \((.*?)\)(?: INCLUDE .*| NULLS .*| WHERE .*)?;$/gm,
  ))
    tables.get(table)?.uniqueKeys.push({ name: index, columns: list.split(', ') })
  return tables
}

const isIncluded = (key) => key.columns.includes(DISTRIBUTION_COLUMN)

/**
 * Lists what prevents the distribution, as { table, problem }, by the rules of Citus: a distributed table has the distribution
 * column, also in every unique key; its foreign keys lead to reference tables, or to distributed tables with the column on
 * both sides; foreign keys of reference tables lead to reference tables, and those of local tables to no distributed one.
 */
export function findProblems(tables, lists = TABLES) {
  const kinds = new Map(Object.entries(lists).flatMap(([kind, names]) => names.map((name) => [name, kind])))
  const problems = []
  for (const [table, { columns, uniqueKeys, foreignKeys }] of tables) {
    const kind = kinds.get(table)
    const add = (problem) => problems.push({ table, problem })
    if (kind === undefined) continue
    if (kind === 'distributed') {
      if (!columns.includes(DISTRIBUTION_COLUMN)) add(`has no column ${DISTRIBUTION_COLUMN}`)
      for (const key of uniqueKeys.filter((one) => !isIncluded(one)))
        add(`${key.name} (${key.columns.join(', ')}) is unique without ${DISTRIBUTION_COLUMN}`)
    }
    for (const key of foreignKeys) {
      const target = kinds.get(key.table)
      const isColocated =
        isIncluded(key) && key.targetColumns[key.columns.indexOf(DISTRIBUTION_COLUMN)] === DISTRIBUTION_COLUMN
      const isAllowed =
        target === 'reference' ||
        (kind === 'distributed' && target === 'distributed' && isColocated) ||
        (kind === 'local' && target === 'local')
      if (!isAllowed) add(`${key.name} (${key.columns.join(', ')}) refers to ${key.table}, which is ${target}`)
    }
  }
  return problems
}

/** Lists tables that are in no list or in several, and names in the lists that are no tables, as sentences. */
export function findListErrors(tables, lists = TABLES) {
  const names = Object.values(lists).flat()
  const isListedTwice = (name, n) => names.indexOf(name) !== n
  return [
    ...[...tables.keys()].filter((name) => !names.includes(name)).map((name) => `The table ${name} is in no list.`),
    ...names.filter((name) => !tables.has(name)).map((name) => `${name} is listed, but there is no such table.`),
    ...names.filter(isListedTwice).map((name) => `${name} is listed twice.`),
  ]
}

/** The part of docs/distribution.md that is generated, as Markdown. */
export function describeDistribution(tables, lists = TABLES) {
  const problems = findProblems(tables, lists)
  const list = (kind) => lists[kind].map((name) => `\`${name}\``).join(', ')
  return [
    `**Distributed by \`${DISTRIBUTION_COLUMN}\`** (${lists.distributed.length}): ${list('distributed')}`,
    `**Reference** (${lists.reference.length}): ${list('reference')}`,
    `**Local** (${lists.local.length}): all others`,
    `What the schema must change first (${problems.length}):`,
    ['| Table | Problem |', '|---|---|', ...problems.map((one) => `| \`${one.table}\` | ${one.problem} |`)].join('\n'),
  ].join('\n\n')
}
