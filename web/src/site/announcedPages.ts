import * as texts from './texts.ts'

/** The pages that can have announcements, by their names in the API. */
export const ANNOUNCED_PAGES: Record<string, { to: '/' | '/charts' | '/newRelease'; text: string }> = {
  mp3_home: { to: '/', text: texts.explore },
  mp3_chart: { to: '/charts', text: texts.charts },
  mp3_latest: { to: '/newRelease', text: texts.newReleases },
}
