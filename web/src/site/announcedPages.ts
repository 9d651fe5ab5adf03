import * as texts from './texts.ts'

/** The pages announcements stand on, by the names the pool gives them. */
export const ANNOUNCED_PAGES: Record<string, { to: '/' | '/charts' | '/newRelease'; text: string }> = {
  mp3_home: { to: '/', text: 'Explore' },
  mp3_chart: { to: '/charts', text: 'Charts' },
  mp3_latest: { to: '/newRelease', text: texts.newReleases },
}
