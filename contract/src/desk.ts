import * as z from 'zod/mini'
import { endpoint, fileAddress, nothing } from './endpoint.ts'

/** The first page of the back office: what waits, and how the pool does; what its store holds, and its backups. */

/** What may wait for somebody, in the order of the desk. */
export const WAITING_KINDS = [
  'storage_full',
  'backup_old',
  'files_missing',
  'files_damaged',
  'mail_held',
  'jobs_failed',
  'analyses_given_up',
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
export type WaitingKind = (typeof WAITING_KINDS)[number]

const waitingWork = z.object({
  what: z.enum(WAITING_KINDS),
  /** How many (of `mail_held` the emails that wait, which may be none); of `storage_full` the bytes that are free, of `backup_old` the days since the last one (0: there is none). */
  n: z.number(),
  /** Since when the oldest waits, where that is known. */
  since: z.nullable(z.string()),
  /** What is broken, or late: the others are a day's work. */
  is_trouble: z.boolean(),
  /** Of `mail_bounced`: the ticket of the newest. */
  ticket_number: z.nullable(z.number()),
})
export type WaitingWork = z.output<typeof waitingWork>

/** What a new pool needs before anybody comes, in this order. */
export const STEPS = ['name', 'plans', 'music', 'mail'] as const
export type SetupStep = (typeof STEPS)[number]

export const getWaitingWork = endpoint({
  path: 'staff/waits.json',
  access: 'staff',
  summary: 'Get the items that need attention for the caller’s role and, for admins, the remaining setup steps.',
  input: nothing,
  reply: z.object({
    waits: z.array(waitingWork),
    steps: z.array(z.object({ step: z.enum(STEPS), is_done: z.boolean() })),
    as_of: z.string(),
  }),
})

/**
 * `day`: the hours of today beside those of the same weekday last week. The others are 7, 30 and 90 days with today, and 52
 * weeks, each beside as many before.
 */
export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const
export type Period = (typeof PERIODS)[number]

export const FIGURES = [
  'listens',
  'downloads',
  'new_members',
  'applications',
  'revenue',
  'subscribers',
  'churn',
  'uploads',
  'tickets_answered',
  'first_answer',
] as const
export type Figure = (typeof FIGURES)[number]

const figure = z.object({
  figure: z.enum(FIGURES),
  /** Of revenue: 'EUR'; '' of everything else. */
  currency: z.string(),
  /**
   * Of the whole period. Revenue is in the smallest unit of its currency, the first answer in seconds (the median), churn a
   * share from 0 to 1; subscribers are those at its end. Null where there is nothing to say.
   */
  now: z.nullable(z.number()),
  /** Of the period before, up to the same time of its last day. */
  before: z.nullable(z.number()),
  /** One for each point of `starts`. Of churn: how many subscribers were lost. */
  points: z.array(z.nullable(z.number())),
  points_before: z.array(z.nullable(z.number())),
})
export type FigureShown = z.output<typeof figure>

export const getFigures = endpoint({
  path: 'staff/figures.json',
  access: 'staff',
  summary:
    'Get the dashboard metrics for a period ending now, compared with the previous period, for the caller’s role. Days are in UTC.',
  input: z.object({ period: z._default(z.enum(PERIODS), 'week') }),
  reply: z.object({
    period: z.enum(PERIODS),
    unit: z.enum(['hour', 'day', 'week']),
    /** Where each point begins. */
    starts: z.array(z.string()),
    starts_before: z.array(z.string()),
    figures: z.array(figure),
    as_of: z.string(),
  }),
})

export const getFiguresFile = endpoint({
  path: 'staff/figures-file.json',
  access: 'staff',
  summary:
    'Get a signed CSV download link for daily metrics for the caller’s role. The link expires with the session or after 15 minutes.',
  input: nothing,
  reply: fileAddress,
})

export const STORED_KINDS = [
  'originals',
  'previews',
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
  /** How long it took. */
  seconds: z.number(),
  kinds: z.array(storedKind),
  database_bytes: z.number(),
  /** The largest, with their indexes. */
  tables: z.array(z.object({ table: z.string(), bytes: z.number(), rows: z.number() })),
  /** Files that are named and not there. */
  missing: z.number(),
  /** Files nobody names, older than an hour. */
  orphans: z.number(),
  orphan_bytes: z.number(),
})
export type StorageMeasurement = z.output<typeof storageMeasurement>

const backup = z.object({
  backup_id: z.number(),
  folder: z.string(),
  ended_at: z.string(),
  /** The moment it is a copy of; null where it failed. */
  taken_at: z.nullable(z.string()),
  seconds: z.number(),
  /** What its folder takes, with files it shares with others. */
  bytes: z.number(),
  rows: z.number(),
  files: z.number(),
  /** Files that were copied, the others are shared with the one before. */
  copied: z.number(),
  /** Files that were not to be had. */
  lost: z.number(),
  /** Why there is none; '' where there is. */
  trouble: z.string(),
  /** Who asked for it at the desk; null for the command. */
  made_by: z.nullable(z.string()),
  /** When it was last read through (`restore FOLDER --dry-run`), and what was wrong: '' for nothing. */
  checked_at: z.nullable(z.string()),
  check_trouble: z.string(),
  /** Made by a worker at BACKUP_TIME; such backups are removed after BACKUP_KEEP. */
  is_scheduled: z.boolean(),
  /** Where its files are: in the folder, or copied within the bucket. */
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
      /** Null for a folder of this machine. */
      bucket: z.nullable(z.string()),
      /** Of the disk of the data folder; null where it does not tell. */
      free_bytes: z.nullable(z.number()),
      disk_bytes: z.nullable(z.number()),
      is_nearly_full: z.boolean(),
    }),
    /** Null until it was measured once. */
    measured: z.nullable(storageMeasurement),
    /** One is due or runs. */
    is_measuring: z.boolean(),
    /** Oldest first, one for each day it was measured. */
    growth: z.array(z.object({ day: z.string(), store_bytes: z.number(), database_bytes: z.number() })),
    /** Originals that were found missing or damaged when they were wanted. */
    missing_originals: z.array(
      z.object({
        file_id: z.number(),
        sha256: z.string(),
        missing_since: z.string(),
        song: z.nullable(z.string()),
        /** Length of the original. */
        bytes: z.number(),
        /** Length of what the store has instead; null where it has nothing. Equal to `bytes` where the content is wrong. */
        found_bytes: z.nullable(z.number()),
      }),
    ),
    /** Stored files known to be missing or damaged, the longest known first; `song` is one they belong to. */
    damaged_files: z.array(
      z.object({
        stored_as: z.enum(['audio', 'previews', 'images', 'attachments']),
        sha256: z.string(),
        kind: z.enum(['missing', 'truncated', 'altered']),
        found_at: z.string(),
        song: z.nullable(z.string()),
      }),
    ),
    /** The reading of all stored files, a part each night; null where workers do not do it. */
    scrub: z.nullable(
      z.object({
        /** In how many days all are read once. */
        days: z.number(),
        last_run_at: z.nullable(z.string()),
        /** When all had been read once. */
        finished_at: z.nullable(z.string()),
        /** Of the round in progress, from 0 to 1. */
        done: z.number(),
      }),
    ),
    backups: z.array(backup),
    /** When workers make a backup each day, and how many they keep; null where they make none by themselves. */
    schedule: z.nullable(z.object({ time: z.string(), daily: z.number(), weekly: z.number() })),
    /** The last time a backup was restored into a scratch database; `trouble` is '' where that succeeded. */
    last_rehearsal: z.nullable(z.object({ folder: z.string(), ended_at: z.string(), trouble: z.string() })),
    /** Where the desk may put one (BACKUP_DIR); null where nothing was set. */
    backup_dir: z.nullable(z.string()),
    is_backing_up: z.boolean(),
    /** After how many days without one somebody is told. */
    backup_days: z.number(),
    is_backup_old: z.boolean(),
    /** The last look through the whole pool (`check`); null where it was never made. */
    last_check: z.nullable(
      z.object({ at: z.string(), read_files: z.boolean(), troubles: z.array(z.string()), unnamed: z.number() }),
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
