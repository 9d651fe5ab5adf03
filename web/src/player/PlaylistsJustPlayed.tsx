import type { playlists, ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { formatExactDate } from '../format/format.ts'
import { format } from '../format/message.ts'
import { Mosaic } from '../library/Mosaic.tsx'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { type QueryState, SidebarBlock } from '../site/SidebarBlock.tsx'
import { useStableWhileInUse } from '../ui/useStableWhileInUse.ts'
import css from './JustPlayed.module.css'
import * as texts from './texts.ts'

const VISIBLE_COUNT = 4

type Reply = ReplyOf<typeof playlists.playlistsJustPlayed>

/** The pool's playlists that members listened to last. */
export function PlaylistsJustPlayed({ queryResult }: { queryResult: QueryState<Reply> }) {
  const now = useCurrentMinute()
  const { value: visible, holdHandlers } = useStableWhileInUse(queryResult.data, 'playlists')
  return (
    <div {...holdHandlers}>
      <SidebarBlock
        title={texts.playlistJustPlayed}
        queryResult={{ ...queryResult, data: visible }}
        rows={VISIBLE_COUNT}
      >
        {({ playlists }) =>
          playlists.length > 0 && (
            <ul>
              {playlists.slice(0, VISIBLE_COUNT).map((playlist) => (
                <li key={playlist.playlist_id}>
                  <Link
                    to="/playlist/$playlistId"
                    params={{ playlistId: playlist.playlist_id }}
                    className={css.playlist}
                  >
                    <span className={css.covers}>
                      <Mosaic images={playlist.images} width={96} />
                    </span>
                    <span className={css.words}>
                      <b title={playlist.title}>{playlist.title}</b>
                      <small>{format(texts.songCount, { count: playlist.song_count })}</small>
                    </span>
                    <time className={css.ago} dateTime={playlist.played_at} title={formatExactDate(playlist.played_at)}>
                      {formatTimeAgo(playlist.played_at, now)}
                    </time>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </SidebarBlock>
    </div>
  )
}
