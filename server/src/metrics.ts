import type { PoolGauge } from './platform/metrics-gauges.ts'

const ageInSeconds = (statement: string): string => `select extract(epoch from now() - (${statement}))`

/**
 * Metrics of the pool beyond its process: what an operator monitors, each from an index or a table that stays small.
 */
export const poolMetrics: readonly PoolGauge[] = [
  {
    name: 'dubplate_mail_due',
    help: 'Number of emails due to be sent.',
    statement: `select count(*) from outgoing_mail where state = 'waiting' and next_attempt_at <= now()`,
  },
  {
    name: 'dubplate_mail_due_age_seconds',
    help: 'Age of the oldest email due to be sent, in seconds. Absent if there is none.',
    statement: ageInSeconds(
      `select min(next_attempt_at) from outgoing_mail where state = 'waiting' and next_attempt_at <= now()`,
    ),
  },
  {
    name: 'dubplate_mail_failed',
    help: 'Number of emails that failed permanently in the last 90 days.',
    statement: `select count(*) from outgoing_mail where state = 'failed'`,
  },
  {
    name: 'dubplate_mail_bounced',
    help: 'Number of emails that bounced in the last 90 days.',
    statement: 'select count(*) from outgoing_mail where bounced_at is not null',
  },
  {
    name: 'dubplate_uploads_queued',
    help: 'Number of uploaded files queued for or in analysis.',
    statement: `select count(*) from upload where state in ('queued', 'running') and removed_at is null`,
  },
  {
    name: 'dubplate_uploads_age_seconds',
    help: 'Age of the oldest uploaded file awaiting analysis, in seconds. Absent if there is none.',
    statement: ageInSeconds(
      `select min(uploaded_at) from upload where state in ('queued', 'running') and removed_at is null`,
    ),
  },
  {
    name: 'dubplate_reviews_waiting',
    help: 'Number of uploaded songs awaiting review.',
    statement: `select count(*) from upload_song where review = 'open' and submitted_at is not null and deleted_at is null`,
  },
  {
    name: 'dubplate_applications_waiting',
    help: 'Number of applications awaiting review.',
    statement: `select count(*) from dj_application where state = 'pending'`,
  },
  {
    name: 'dubplate_tickets_waiting',
    help: 'Number of tickets awaiting a staff reply.',
    statement: `select count(*) from ticket where status = 'open' and awaiting_reply_from = 'staff'`,
  },
  {
    name: 'dubplate_tickets_age_seconds',
    help: 'Age of the oldest ticket awaiting a staff reply, in seconds. Absent if there is none.',
    statement: ageInSeconds(
      `select min(waiting_since) from ticket where status = 'open' and awaiting_reply_from = 'staff'`,
    ),
  },
  {
    name: 'dubplate_payment_events_waiting',
    help: 'Number of payment events from the last 30 days that match no known payment.',
    statement: `select count(*) from payment_event where applied_at is null and received_at > now() - interval '30 days'`,
  },
  {
    name: 'dubplate_gateway_up',
    help: '1 if the payment provider responds and accepts this pool’s keys, otherwise 0.',
    labels: ['gateway'],
    statement: `select json_agg(json_build_object('gateway', gateway, 'value', is_up::int)) from gateway_health`,
  },
  {
    name: 'dubplate_gateway_failures_total',
    help: 'Number of failed requests to a payment provider, by reason.',
    labels: ['gateway', 'reason'],
    statement: `select json_agg(json_build_object('gateway', gateway, 'reason', reason, 'value', n)) from gateway_failure`,
  },
  {
    name: 'dubplate_payments_in_review',
    help: 'Number of payments awaiting staff review because the amount differs or no checkout matches.',
    statement: `select count(*) from payment_review where state = 'open'`,
  },
  {
    name: 'dubplate_folding_waiting',
    help: 'Number of downloads and listens not yet included in the charts.',
    statement: 'select (select count(*) from download_outbox) + (select count(*) from listen_outbox)',
  },
  {
    name: 'dubplate_charts_age_seconds',
    help: 'Seconds since the daily chart was last updated. A worker updates it every minute.',
    statement: ageInSeconds(`select counted_at from chart_refresh where chart = 'daily'`),
  },
  {
    name: 'dubplate_jobs_due',
    help: 'Number of jobs due or running.',
    statement: 'select count(*) from graphile_worker.jobs where run_at <= now() and attempts < max_attempts',
    from: 'graphile_worker.jobs',
  },
  {
    name: 'dubplate_jobs_failed',
    help: 'Number of jobs that failed after their last attempt.',
    statement: 'select count(*) from graphile_worker.jobs where attempts >= max_attempts',
    from: 'graphile_worker.jobs',
  },
  {
    name: 'dubplate_backup_age_seconds',
    help: 'Age of the newest backup, in seconds. Absent if there is none.',
    statement: ageInSeconds('select max(taken_at) from backup'),
  },
  {
    name: 'dubplate_backup_failed',
    help: '1 if the last backup failed, otherwise 0. Absent if there was none.',
    statement: `select (error_message <> '')::int from backup order by ended_at desc, backup_id desc limit 1`,
  },
  {
    name: 'dubplate_restore_rehearsal_age_seconds',
    help: 'Seconds since a restore rehearsal last succeeded. Absent if there was none.',
    statement: ageInSeconds(`select max(ended_at) from restore_rehearsal where error_message = ''`),
  },
  {
    name: 'dubplate_restore_rehearsal_failed',
    help: '1 if the last restore rehearsal failed, otherwise 0. Absent if there was none.',
    statement: `select (error_message <> '')::int from restore_rehearsal order by ended_at desc, restore_rehearsal_id desc limit 1`,
  },
  {
    name: 'dubplate_check_age_seconds',
    help: 'Seconds since `pool check` last completed. Absent if it never did.',
    statement: ageInSeconds('select max(at) from pool_check'),
  },
  {
    name: 'dubplate_check_problems',
    help: 'Number of problems found by the last `pool check`, at most 20. Absent if it never ran.',
    statement: 'select jsonb_array_length(problems) from pool_check order by pool_check_id desc limit 1',
  },
  {
    name: 'dubplate_scrub_age_seconds',
    help: 'Seconds since the workers last verified every stored file. Absent if they never did.',
    statement: ageInSeconds('select finished_at from storage_scrub'),
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
    help: 'Seconds since a worker was last seen. Absent if the last one was stopped deliberately.',
    statement: ageInSeconds('select max(seen_at) from worker_heartbeat'),
  },
  {
    name: 'dubplate_mail_held',
    help: '1 while email is on hold after a restore.',
    statement: 'select count(*) from mail_hold',
  },
  {
    name: 'dubplate_files_missing',
    help: 'Number of original files that were missing from storage when requested.',
    statement: 'select count(*) from file where missing_since is not null',
  },
  {
    name: 'dubplate_store_bytes',
    help: 'Storage usage at the last measurement, in bytes. Measured every night.',
    statement: `
      select (select sum((k->>'bytes')::bigint) from jsonb_array_elements(kinds) k where k->>'kind' <> 'waveforms')
      from storage_usage order by day desc limit 1`,
  },
  {
    name: 'dubplate_store_orphans',
    help: 'Number of unreferenced files in storage at the last measurement.',
    statement: 'select orphans from storage_usage order by day desc limit 1',
  },
  {
    name: 'dubplate_database_bytes',
    help: 'Database size in bytes.',
    statement: 'select pg_database_size(current_database())',
  },
]
