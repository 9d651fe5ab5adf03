export type WorldAnnouncement = { page_name: 'mp3_home' | 'mp3_chart' | 'mp3_latest'; message: string }

/** Short notices over three pages; `message` is HTML. */
export const ANNOUNCEMENTS: readonly WorldAnnouncement[] = [
  {
    page_name: 'mp3_home',
    message:
      '<strong>New transitions are in:</strong> tempo tools from 88 to 176 BPM. <a href="/search/result/transition">Hear them</a>',
  },
  {
    page_name: 'mp3_home',
    message: 'Keys can be shown as Camelot, Open Key or notes: choose in the menu behind your initials.',
  },
  {
    page_name: 'mp3_chart',
    message: 'Charts follow the downloads within seconds and turn over at <strong>midnight UTC</strong>.',
  },
  {
    page_name: 'mp3_latest',
    message: 'Fresh cuts every weekday. <em>Intro</em> versions begin with sixteen bars of drums.',
  },
]
