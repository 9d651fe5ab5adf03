import type { LinkProps } from '@tanstack/react-router'
import { artistLink, labelLink } from './addresses.ts'
import { type FollowTarget, isGenre, isList } from './followedAfter.ts'

/** The page of a followed genre, artist, label or list. */
export function followedLink(target: FollowTarget): LinkProps {
  if (isGenre(target)) return { to: '/genres/view/$genreId', params: { genreId: target.genre_id } }
  if (!isList(target)) return (target.kind === 'artist' ? artistLink : labelLink)(target.name)
  const { kind, id, chart_type, song_section_id } = target
  switch (kind) {
    case 'playlist':
      return { to: '/playlist/$playlistId', params: { playlistId: id } }
    case 'spotlight':
      return { to: '/spotlight/view/$listId', params: { listId: id } }
    case 'top20':
      return { to: '/top20/songs/$trackId', params: { trackId: id } }
    default:
      return {
        to: '/charts',
        search: {
          chart: chart_type === 'daily' ? undefined : chart_type,
          genre: id || undefined,
          section: ({ 0: 'all', 2: 'kuts' } as const)[song_section_id],
        },
      }
  }
}
