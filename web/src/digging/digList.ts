import { catalogue } from '@dubplate/contract'
import type { LinkProps } from '@tanstack/react-router'
import type { CollectionSource } from '../catalogue/collectionActions.ts'
import * as texts from './texts.ts'

const SONGS = catalogue.SECTIONS.songs
const ALL = catalogue.ALL_SECTIONS

const NAMES: Record<string, string> = {
  new: texts.newThisWeek,
  'chart-daily': texts.dailyChart,
  'chart-weekly': texts.weeklyChart,
  'chart-monthly': texts.monthlyChart,
}

/** The name of a list: the server's, or that of a list which every pool has. */
export const listName = (list: string, title = ''): string => title || NAMES[list] || texts.digging

/** The list of a collection's songs; undefined for those that have none. */
export function listOf({ playlist_id, reference }: CollectionSource): string | undefined {
  if (playlist_id !== undefined) return `playlist-${playlist_id}`
  if (!reference) return undefined
  const { type, id, chart_type = 'daily', song_section_id = SONGS } = reference
  // Kuts are not offered.
  if (song_section_id !== SONGS && song_section_id !== ALL) return undefined
  if (type === 'chart') return id ? undefined : `chart-${chart_type}`
  return id && (type === 'genre' || type === 'spotlight' || type === 'top20') ? `${type}-${id}` : undefined
}

/** The page that a list is on. */
export function listPage(list: string): LinkProps {
  const [kind, value = ''] = list.split('-')
  const id = Number(value)
  switch (kind) {
    case 'chart':
      return { to: '/charts', search: value === 'daily' ? {} : { chart: value } } as LinkProps
    case 'genre':
      return { to: '/genres/view/$genreId', params: { genreId: id } } as LinkProps
    case 'spotlight':
      return { to: '/spotlight/view/$listId', params: { listId: id } } as LinkProps
    case 'top20':
      return { to: '/top20/songs/$trackId', params: { trackId: id } } as LinkProps
    case 'playlist':
      return { to: '/playlist/$playlistId', params: { playlistId: id } } as LinkProps
    case 'search':
      return { to: '/searches' }
    default:
      return { to: '/newRelease' }
  }
}
