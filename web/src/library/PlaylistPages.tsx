import { playlists } from '@dubplate/contract'
import type { ReactNode } from 'react'
import { InlineError } from '../platform/InlineError.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { useLoadedPages } from '../platform/useLoadedPages.ts'
import { Button } from '../ui/Button.tsx'
import { NearViewport } from '../ui/NearViewport.tsx'
import css from './Playlists.module.css'
import * as texts from './texts.ts'

type List = 'mine' | 'public'

/** One page of the member's own playlists or the public ones; `shown` and `total` are undefined until it has loaded. */
export function usePlaylistPage(list: List, search = '', page = 1) {
  // A longer text is in no name. Values that are the default are left out, so that each page is loaded once.
  const words = search.slice(0, playlists.PLAYLIST_TITLE_LENGTH)
  const input = { list, ...(words && { search: words }), ...(page > 1 && { page }) }
  const query = useApiQuery(playlists.getPlaylists, input, { keepPrevious: page === 1 })
  const { data } = query
  const [shown, pagination] =
    list === 'mine' ? [data?.playlists, data?.pagination] : [data?.public_playlists, data?.public_pagination]
  const total = data && (pagination?.totalCount ?? 0)
  const hasMore = !query.isPlaceholderData && pagination && page * pagination.perPageLimit < pagination.totalCount
  return { ...query, shown, total, hasMore }
}

type Props = {
  list: List
  /** Only playlists with these words. */
  search: string
  label?: string
  className: string | undefined
  /** The placeholders of a page, as `<li>`. */
  skeleton: ReactNode
  /** Loads more while scrolling, instead of with a button. It must then be the last of its column. */
  isEndless?: boolean
  /** A playlist as `<li>`. */
  children: (playlist: playlists.Playlist, place: number) => ReactNode
}

/** The playlists of a list with its loading and error states, one page at first. */
export function PlaylistPages({ list, search, label, className, skeleton, isEndless, children }: Props) {
  const [count, loadMore] = useLoadedPages(`${list} ${search}`)
  const last = usePlaylistPage(list, search, count)
  return (
    <>
      <ul className={className} aria-label={label} aria-busy={!last.data || last.isPlaceholderData || undefined}>
        {Array.from({ length: count }, (_, page) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: pages keep their place
          <PlaylistsOfPage key={page} {...{ list, search, skeleton, children }} page={page + 1} />
        ))}
        {last.hasMore && isEndless && (
          <li key={count} className={css.end} aria-hidden>
            <NearViewport onNear={loadMore} />
          </li>
        )}
      </ul>
      {!isEndless && (last.hasMore || (count > 1 && last.isLoading)) && (
        <Button className={css.showMore} busy={last.isLoading} onClick={loadMore}>
          {texts.showMore}
        </Button>
      )}
    </>
  )
}

type PageProps = Pick<Props, 'list' | 'search' | 'skeleton' | 'children'> & { page: number }

function PlaylistsOfPage({ list, search, page, skeleton, children }: PageProps) {
  const { shown, error, refetch } = usePlaylistPage(list, search, page)
  if (shown) return shown.map(children)
  if (!error) return skeleton
  return (
    <li className={css.end}>
      <InlineError error={error} title={texts.couldntLoadThesePlaylists} retry={() => void refetch()} />
    </li>
  )
}
