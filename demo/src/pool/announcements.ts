/** `message` is HTML. */
export type WorldAnnouncement = {
  page_name: 'mp3_home' | 'mp3_chart' | 'mp3_latest'
  message: string
  hours_ago: number
}

/** Short announcements on three pages. */
export const ANNOUNCEMENTS: readonly WorldAnnouncement[] = [
  {
    page_name: 'mp3_home',
    message:
      '<strong>New transitions:</strong> tempo changes from 88 to 176 BPM. <a href="/search/result/transition">Listen now</a>',
    hours_ago: 5,
  },
  {
    page_name: 'mp3_home',
    message: 'Show keys as Camelot, Open Key or notes. Choose your notation in your profile menu.',
    hours_ago: 30,
  },
  {
    page_name: 'mp3_chart',
    message:
      'Charts rank downloads over the last <strong>24 hours</strong>, 7 days or 30 days, with the change since last time.',
    hours_ago: 96,
  },
  {
    page_name: 'mp3_latest',
    message: 'New music every weekday. <em>Intro</em> versions start with sixteen bars of drums.',
    hours_ago: 150,
  },
]
