/** `message` is HTML. */
export type WorldAnnouncement = {
  page_name: 'mp3_home' | 'mp3_chart' | 'mp3_latest'
  message: string
  hours_ago: number
}

/** Short notices over three pages. */
export const ANNOUNCEMENTS: readonly WorldAnnouncement[] = [
  {
    page_name: 'mp3_home',
    message:
      '<strong>New transitions are in:</strong> tempo tools from 88 to 176 BPM. <a href="/search/result/transition">Hear them</a>',
    hours_ago: 5,
  },
  {
    page_name: 'mp3_home',
    message: 'Keys can be shown as Camelot, Open Key or notes: choose in the menu behind your initials.',
    hours_ago: 30,
  },
  {
    page_name: 'mp3_chart',
    message:
      'Charts follow the downloads of the last <strong>24 hours</strong>, 7 and 30 days, and say where a song stood before.',
    hours_ago: 96,
  },
  {
    page_name: 'mp3_latest',
    message: 'Fresh cuts every weekday. <em>Intro</em> versions begin with sixteen bars of drums.',
    hours_ago: 150,
  },
]
