/** The recurring jobs and their times (UTC), as cron lines with a short description. */
export const CRON_JOBS = [
  { times: '* * * * *', task: 'refresh_charts', about: 'Updates charts that are due.' },
  { times: '40 * * * *', task: 'forget_hours', about: 'Deletes hourly counts that charts no longer need.' },
  { times: '*/5 * * * *', task: 'find_returned_files', about: 'Rechecks missing and damaged files.' },
  { times: '*/5 * * * *', task: 'close_sent_downloads', about: 'Completes downloads that were sent in several parts.' },
  {
    times: '*/5 * * * *',
    task: 'renew_bodies',
    about: 'Re-reads stored files when the tag rules have changed.',
  },
  { times: '* * * * *', task: 'take_in_uploads', about: 'Deletes abandoned uploads.' },
  {
    times: '* * * * *',
    task: 'expire_songs',
    about: 'Unpublishes expired songs and sends expiry reminders.',
  },
  {
    times: '*/15 * * * *',
    task: 'tell_saved_searches',
    about: 'Notifies members about new matches for their saved searches.',
  },
  { times: '*/10 * * * *', task: 'refresh_store', about: 'Syncs products from Shopify.' },
  // Every hour, for weeks in which no process ran on Thursday: the digest determines the week.
  { times: '0 * * * *', task: 'send_digests', about: 'Sends the weekly newsletter.' },
  { times: '5 * * * *', task: 'count_figures', about: 'Calculates daily metrics.' },
  { times: '*/10 * * * *', task: 'schedule_backup', about: 'Starts the daily backup when it is due.' },
  {
    times: '0 2 * * *',
    task: 'scrub_files',
    about: 'Verifies some of the stored files against their checksums.',
  },
  { times: '0 3 * * *', task: 'reconcile_payments', about: 'Syncs open subscriptions with the payment providers.' },
  { times: '10 3 * * *', task: 'recount_words', about: 'Refreshes search term statistics.' },
  { times: '20 3 * * *', task: 'rebuild_anchors', about: 'Refreshes page positions of long lists.' },
  { times: '30 3 * * *', task: 'sweep', about: 'Deletes expired sessions, links and old emails.' },
  { times: '40 3 * * *', task: 'measure_storage', about: 'Measures storage and database size.' },
  { times: '50 3 * * *', task: 'recount_figures', about: 'Recalculates all daily metrics.' },
] as const

export type CronTask = (typeof CRON_JOBS)[number]['task']
