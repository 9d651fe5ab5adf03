/** What runs at which times, in UTC, as lines of cron; what it does, in a few words. */
export const TIMETABLE = [
  { times: '* * * * *', task: 'refresh_charts', about: 'Counts the charts that are due.' },
  { times: '40 * * * *', task: 'forget_hours', about: 'Lets go of hourly counts that no chart needs any more.' },
  { times: '*/5 * * * *', task: 'find_returned_files', about: 'Checks missing and damaged files again.' },
  { times: '*/5 * * * *', task: 'close_sent_downloads', about: 'Completes downloads that were sent whole in parts.' },
  {
    times: '*/5 * * * *',
    task: 'renew_bodies',
    about: 'Reads stored files again when the rules for tags have changed.',
  },
  { times: '* * * * *', task: 'take_in_uploads', about: 'Clears away uploads that were broken off.' },
  {
    times: '* * * * *',
    task: 'expire_songs',
    about: 'Takes songs out whose days are over, and reminds their uploaders.',
  },
  { times: '*/15 * * * *', task: 'tell_saved_searches', about: 'Tells members what is new in their saved searches.' },
  { times: '*/10 * * * *', task: 'refresh_store', about: 'Fetches the products of the store.' },
  // Each hour, for weeks whose Thursday found no process there: which week it is, the digest knows.
  { times: '0 * * * *', task: 'send_digests', about: 'Writes the weekly newsletter when its day has come.' },
  { times: '5 * * * *', task: 'count_figures', about: 'Counts the figures of days that are over.' },
  { times: '*/10 * * * *', task: 'schedule_backup', about: 'Starts the backup of the day once its time has come.' },
  {
    times: '0 2 * * *',
    task: 'scrub_files',
    about: 'Reads some of the stored files and compares them with their hashes.',
  },
  { times: '0 3 * * *', task: 'reconcile_payments', about: 'Reads every open subscription again from its provider.' },
  { times: '10 3 * * *', task: 'recount_words', about: 'Counts the words of search anew.' },
  { times: '20 3 * * *', task: 'rebuild_anchors', about: 'Marks the pages of long lists anew.' },
  { times: '30 3 * * *', task: 'sweep', about: 'Throws away what has run out: sessions, links, old mail.' },
  { times: '40 3 * * *', task: 'measure_storage', about: 'Measures what the store and the database hold.' },
  { times: '50 3 * * *', task: 'recount_figures', about: 'Counts the figures of every day again.' },
] as const

export type Task = (typeof TIMETABLE)[number]['task']
