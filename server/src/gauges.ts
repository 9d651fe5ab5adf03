import type { PoolGauge } from './platform/gauges.ts'

const ageOf = (statement: string): string => `select extract(epoch from now() - (${statement}))`

/** What /metrics tells of a pool beyond its process: what an operator watches, each from an index or a table that stays small. */
export const gauges: readonly PoolGauge[] = [
  {
    name: 'dubplate_mail_due',
    help: 'Letters that should be on their way.',
    statement: `select count(*) from outgoing_mail where state = 'waiting' and next_attempt_at <= now()`,
  },
  {
    name: 'dubplate_mail_due_age_seconds',
    help: 'For how long the letter that waits longest should be on its way; not there where none waits.',
    statement: ageOf(
      `select min(next_attempt_at) from outgoing_mail where state = 'waiting' and next_attempt_at <= now()`,
    ),
  },
  {
    name: 'dubplate_mail_failed',
    help: 'Letters that were given up, of the last 90 days.',
    statement: `select count(*) from outgoing_mail where state = 'failed'`,
  },
  {
    name: 'dubplate_mail_bounced',
    help: 'Mail that came back, of the last 90 days.',
    statement: 'select count(*) from outgoing_mail where bounced_at is not null',
  },
  {
    name: 'dubplate_uploads_queued',
    help: 'Uploaded files that wait for their analysis or are in it.',
    statement: `select count(*) from upload where state in ('queued', 'running') and removed_at is null`,
  },
  {
    name: 'dubplate_uploads_age_seconds',
    help: 'How long ago the uploaded file came that waits longest; not there where none waits.',
    statement: ageOf(`select min(uploaded_at) from upload where state in ('queued', 'running') and removed_at is null`),
  },
  {
    name: 'dubplate_reviews_waiting',
    help: 'Uploaded songs that wait for staff.',
    statement: `select count(*) from upload_song where review = 'open' and submitted_at is not null and deleted_at is null`,
  },
  {
    name: 'dubplate_applications_waiting',
    help: 'Applications that wait for staff.',
    statement: `select count(*) from dj_application where state = 'pending'`,
  },
  {
    name: 'dubplate_tickets_waiting',
    help: 'Tickets that wait for an answer of staff.',
    statement: `select count(*) from ticket where status = 'open' and waits_for = 'staff'`,
  },
  {
    name: 'dubplate_tickets_age_seconds',
    help: 'How long the ticket waits that waits longest for staff; not there where none waits.',
    statement: ageOf(`select min(waits_since) from ticket where status = 'open' and waits_for = 'staff'`),
  },
  {
    name: 'dubplate_payment_events_waiting',
    help: 'Payment events of the last 30 days that could not be taken in: what they are about is not known.',
    statement: `select count(*) from payment_event where applied_at is null and received_at > now() - interval '30 days'`,
  },
  {
    name: 'dubplate_gateway_up',
    help: '1 while a payment provider answers and accepts the keys of this pool.',
    labels: ['gateway'],
    statement: `select json_agg(json_build_object('gateway', gateway, 'value', is_up::int)) from gateway_health`,
  },
  {
    name: 'dubplate_gateway_failures_total',
    help: 'Requests to a payment provider that failed, by reason.',
    labels: ['gateway', 'reason'],
    statement: `select json_agg(json_build_object('gateway', gateway, 'reason', reason, 'value', n)) from gateway_failure`,
  },
  {
    name: 'dubplate_payments_in_review',
    help: 'Payments that differ from what was agreed, or belong to no checkout, until staff decide.',
    statement: `select count(*) from payment_review where state = 'open'`,
  },
  {
    name: 'dubplate_folding_waiting',
    help: 'Downloads and listens that are not in the charts yet.',
    statement: 'select (select count(*) from download_outbox) + (select count(*) from listen_outbox)',
  },
  {
    name: 'dubplate_charts_age_seconds',
    help: 'How long ago a worker counted the daily chart, which it does each minute.',
    statement: ageOf(`select counted_at from chart_refresh where chart = 'daily'`),
  },
  {
    name: 'dubplate_jobs_due',
    help: 'Jobs that should be running or are.',
    statement: 'select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts',
    from: 'graphile_worker.jobs',
  },
  {
    name: 'dubplate_jobs_failed',
    help: 'Jobs given up after their last attempt.',
    statement: 'select count(*) from graphile_worker.jobs where attempts >= max_attempts',
    from: 'graphile_worker.jobs',
  },
  {
    name: 'dubplate_backup_age_seconds',
    help: 'How long ago the moment is that the newest backup is a copy of; not there where none was made.',
    statement: ageOf('select max(taken_at) from backup_made'),
  },
  {
    name: 'dubplate_backup_failed',
    help: '1 when the last backup that was tried failed; not there where none was.',
    statement: `select (trouble <> '')::int from backup_made order by ended_at desc, backup_id desc limit 1`,
  },
  {
    name: 'dubplate_restore_rehearsal_age_seconds',
    help: 'How long ago a backup was last restored into a scratch database and found good; not there before the first time.',
    statement: ageOf(`select max(ended_at) from restore_rehearsal where trouble = ''`),
  },
  {
    name: 'dubplate_restore_rehearsal_failed',
    help: '1 when the last restore rehearsal failed; not there where none was.',
    statement: `select (trouble <> '')::int from restore_rehearsal order by ended_at desc, restore_rehearsal_id desc limit 1`,
  },
  {
    name: 'dubplate_check_age_seconds',
    help: 'How long ago `pool check` last went through the whole pool; not there before the first time.',
    statement: ageOf('select max(at) from pool_check'),
  },
  {
    name: 'dubplate_check_troubles',
    help: 'What the last `pool check` found wrong, twenty at most; not there before the first time.',
    statement: 'select jsonb_array_length(troubles) from pool_check order by pool_check_id desc limit 1',
  },
  {
    name: 'dubplate_scrub_age_seconds',
    help: 'How long ago the workers had last read every stored file; not there before the first time.',
    statement: ageOf('select finished_at from storage_scrub'),
  },
  {
    name: 'dubplate_files_damaged',
    help: 'Stored files known to be missing, truncated or altered.',
    statement: 'select count(*) from damaged_file',
  },
  {
    name: 'dubplate_workers',
    help: 'Worker processes seen within the last minute.',
    statement: `select count(*) from worker_heartbeat where seen_at > now() - interval '60 seconds'`,
  },
  {
    name: 'dubplate_worker_heartbeat_age_seconds',
    help: 'How long ago a worker was last seen; not there where the last one was stopped on purpose.',
    statement: ageOf('select max(seen_at) from worker_heartbeat'),
  },
  {
    name: 'dubplate_mail_held',
    help: '1 while email is on hold after a restore.',
    statement: 'select count(*) from mail_hold',
  },
  {
    name: 'dubplate_files_missing',
    help: 'Originals that were not in the store when they were wanted.',
    statement: 'select count(*) from file where missing_since is not null',
  },
  {
    name: 'dubplate_store_bytes',
    help: 'What the store held when it was last measured, which a worker does each night.',
    statement: `
      select (select sum((k->>'bytes')::bigint) from jsonb_array_elements(kinds) k where k->>'kind' <> 'waveforms')
      from storage_day order by day desc limit 1`,
  },
  {
    name: 'dubplate_store_orphans',
    help: 'Files of the store that nobody named when it was last measured.',
    statement: 'select orphans from storage_day order by day desc limit 1',
  },
  {
    name: 'dubplate_database_bytes',
    help: 'What the database takes.',
    statement: 'select pg_database_size(current_database())',
  },
]
