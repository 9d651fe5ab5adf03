import * as z from 'zod/mini'
import { endpoint, fileAddress, nothing } from './endpoint.ts'

/** The dashboard of the back office: what needs attention and the metrics; also storage and backups. */

/** What may need attention, in the order of the dashboard. */
export const ATTENTION_KINDS = [
  'storage_full',
  'backup_old',
  'files_missing',
  'files_damaged',
  'mail_held',
  'jobs_failed',
  'analyses_failed',
  'mail_failed',
  'mail_unsent',
  'mail_bounced',
  'tickets_late',
  'tickets',
  'applications',
  'uploads',
  'gateway_down',
  'payments_in_review',
  'payments_failed',
  'past_due',
  'transfers',
  'songs_without_art',
  'songs_without_key',
  'songs_without_genre',
] as const
export type AttentionKind = (typeof ATTENTION_KINDS)[number]

const attentionItem = z.object({
  kind: z.enum(ATTENTION_KINDS),
  /**
   * A count (for `mail_held` the emails on hold, which may be 0); for `storage_full` the free bytes, for `backup_old`
   * the days since the last backup (0: there is none).
   */
  count: z.number(),
  /** When the oldest of them was added, if known. */
  since: z.nullable(z.string()),
  /** True for something broken or overdue; the others are everyday work. */
  is_urgent: z.boolean(),
  /** For `mail_bounced`: the ticket of the newest email. */
  ticket_number: z.nullable(z.number()),
})
export type AttentionItem = z.output<typeof attentionItem>

/**
 * What a pool needs before members arrive, in this order: email, a payment provider other than the sandbox, a published
 * plan, a backup, music other than the demo's, its own name or logo, and its own terms.
 */
export const SETUP_STEPS = ['mail', 'payments', 'plans', 'backup', 'music', 'name', 'terms'] as const
export type SetupStep = (typeof SETUP_STEPS)[number]

export const getAttentionItems = endpoint({
  path: 'staff/attention-items.json',
  access: 'staff',
  summary:
    'Get the items that need attention for the caller’s role and, for admins, the setup steps until all are done.',
  input: nothing,
  reply: z.object({
    items: z.array(attentionItem),
    /** All steps of the setup while one of them is missing; empty for other roles than admins. */
    steps: z.array(z.object({ step: z.enum(SETUP_STEPS), is_done: z.boolean() })),
    as_of: z.string(),
  }),
})

/**
 * `day`: the hours of today, compared with the same weekday last week. The others are 7, 30 and 90 days including
 * today, and 52 weeks, each compared with the same number before.
 */
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Period = (typeof PERIODS)[number]

export const METRICS = [
  'listens',
  'downloads',
  'new_members',
  'applications',
  'revenue',
  'subscribers',
  'churn',
  'uploads',
  'tickets_answered',
  'first_reply',
] as const
export type Metric = (typeof METRICS)[number]

const metric = z.object({
  metric: z.enum(METRICS),
  /** For revenue, such as 'EUR'; '' for all other metrics. */
  currency: z.string(),
  /**
   * For the whole period. Revenue is in the currency's smallest unit, the time to the first reply in seconds (median),
   * churn a share from 0 to 1; subscribers are counted at the end. Null if there is no data.
   */
  now: z.nullable(z.number()),
  /** For the previous period, up to the same time of its last day. */
  before: z.nullable(z.number()),
  /** One for each element of `starts`. For churn: how many subscribers were lost. */
  points: z.array(z.nullable(z.number())),
  previous_points: z.array(z.nullable(z.number())),
})
export type MetricValues = z.output<typeof metric>

export const getMetrics = endpoint({
  path: 'staff/metrics.json',
  access: 'staff',
  summary:
    'Get the dashboard metrics for a period ending now, compared with the previous period, for the caller’s role. Days are in UTC.',
  input: z.object({ period: z._default(z.enum(PERIODS), 'week') }),
  reply: z.object({
    period: z.enum(PERIODS),
    unit: z.enum(['hour', 'day', 'week']),
    /** Start of each point. */
    starts: z.array(z.string()),
    previous_starts: z.array(z.string()),
    metrics: z.array(metric),
    as_of: z.string(),
  }),
})

export const getMetricsFile = endpoint({
  path: 'staff/metrics-file.json',
  access: 'staff',
  summary:
    'Get a signed CSV download link for daily metrics for the caller’s role. The link expires with the session or after 15 minutes.',
  input: nothing,
  reply: fileAddress,
})

export const STORED_KINDS = [
  'originals',
  'previews',
  'conversions',
  'pictures',
  'attachments',
  'waveforms',
  'unfinished',
  'in_the_making',
] as const
export type StoredKind = (typeof STORED_KINDS)[number]

const storedKind = z.object({ kind: z.enum(STORED_KINDS), files: z.number(), bytes: z.number() })

const storageMeasurement = z.object({
  measured_at: z.string(),
  /** Duration of the measurement. */
  seconds: z.number(),
  kinds: z.array(storedKind),
  database_bytes: z.number(),
  /** The largest tables, including their indexes. */
  tables: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
  /** Files that the database refers to and storage lacks. */
  missing: z.number(),
  /** Files older than an hour that the database does not refer to. */
  orphans: z.number(),
  orphan_bytes: z.number(),
})
export type StorageMeasurement = z.output<typeof storageMeasurement>

const backup = z.object({
  backup_id: z.number(),
  folder: z.string(),
  ended_at: z.string(),
  /** The time of the copied state; null if the backup failed. */
  taken_at: z.nullable(z.string()),
  seconds: z.number(),
  /** Size of its folder, including files shared with other backups. */
  bytes: z.number(),
  rows: z.number(),
  files: z.number(),
  /** Files that were copied; the others are shared with the previous backup. */
  copied: z.number(),
  /** Files that could not be read. */
  lost: z.number(),
  /** Why it failed; '' if it succeeded. */
  error_message: z.string(),
  /** Who requested it in the back office; null for the command. */
  requested_by: z.nullable(z.string()),
  /** When it was last verified (`restore FOLDER --dry-run`), and what was wrong: '' for nothing. */
  checked_at: z.nullable(z.string()),
  check_error: z.string(),
  /** True if a worker made it at BACKUP_TIME; such backups are removed according to BACKUP_KEEP. */
  is_scheduled: z.boolean(),
  /** Where its files are: in the backup's folder, or copied within the bucket. */
  files_in: z.enum(['folder', 'bucket']),
})
export type Backup = z.output<typeof backup>

export const getStorage = endpoint({
  path: 'staff/storage.json',
  access: 'staff',
  roles: [],
  summary: 'Get storage and database usage as last measured, its growth and the latest backups.',
  input: nothing,
  reply: z.object({
    place: z.object({
      /** Null if storage is a folder on this machine. */
      bucket: z.nullable(z.string()),
      /** Free space on the disk of the data folder; null if unknown. */
      free_bytes: z.nullable(z.number()),
      disk_bytes: z.nullable(z.number()),
      is_nearly_full: z.boolean(),
    }),
    /** Null until the first measurement. */
    measured: z.nullable(storageMeasurement),
    /** True if a measurement is queued or running. */
    is_measuring: z.boolean(),
    /** Oldest first, one for each measured day. */
    growth: z.array(z.object({ day: z.string(), store_bytes: z.number(), database_bytes: z.number() })),
    /** Source files that were found missing or damaged when they were read. */
    missing_originals: z.array(
      z.object({
        file_id: z.number(),
        sha256: z.string(),
        missing_since: z.string(),
        song: z.nullable(z.string()),
        /** Expected size. */
        bytes: z.number(),
        /** Actual size in storage; null if the file is missing. Equal to `bytes` if the content is wrong. */
        found_bytes: z.nullable(z.number()),
      }),
    ),
    /**
     * Stored files known to be missing or damaged, those known longest first; `song` is one of the songs that use the
     * file.
     */
    damaged_files: z.array(
      z.object({
        stored_as: z.enum(['audio', 'previews', 'images', 'attachments']),
        sha256: z.string(),
        kind: z.enum(['missing', 'truncated', 'altered']),
        found_at: z.string(),
        song: z.nullable(z.string()),
      }),
    ),
    /** The scrub of all stored files, a part each night; null if workers do not run it. */
    scrub: z.nullable(
      z.object({
        /** Number of days in which every file is read once. */
        days: z.number(),
        last_run_at: z.nullable(z.string()),
        /** When the last full round finished. */
        finished_at: z.nullable(z.string()),
        /** Progress of the current round, from 0 to 1. */
        done: z.number(),
      }),
    ),
    backups: z.array(backup),
    /** When workers make a daily backup, and how many are kept; null if scheduled backups are off. */
    schedule: z.nullable(z.object({ time: z.string(), daily: z.number(), weekly: z.number() })),
    /** The last restore rehearsal into a scratch database; `error_message` is '' if it succeeded. */
    last_rehearsal: z.nullable(z.object({ folder: z.string(), ended_at: z.string(), error_message: z.string() })),
    /** Where the back office can write backups (BACKUP_DIR); null if it is not set. */
    backup_dir: z.nullable(z.string()),
    is_backing_up: z.boolean(),
    /** After how many days without a backup staff are notified. */
    backup_days: z.number(),
    is_backup_old: z.boolean(),
    /** The last check of the whole pool (`check`); null if it has never run. */
    last_check: z.nullable(
      z.object({ at: z.string(), read_files: z.boolean(), problems: z.array(z.string()), unnamed: z.number() }),
    ),
    as_of: z.string(),
  }),
})

export const measureStorage = endpoint({
  path: 'staff/measure-storage.json',
  access: 'staff',
  roles: [],
  summary: 'Queue a storage measurement.',
  input: nothing,
  reply: nothing,
  errors: ['worker_not_running'],
})

export const backUp = endpoint({
  path: 'staff/back-up.json',
  access: 'staff',
  roles: [],
  summary: 'Queue a backup to a folder in BACKUP_DIR.',
  input: nothing,
  reply: z.object({ folder: z.string() }),
  errors: ['worker_not_running', 'backup_folder_not_configured', 'backup_in_progress'],
})
