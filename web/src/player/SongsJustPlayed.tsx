import type { player, ReplyOf } from '@dubplate/contract'
import { SongLine } from '../catalogue/SongLine.tsx'
import { formatExactDate } from '../format/format.ts'
import { formatTimeAgo, useCurrentMinute } from '../platform/timeAgo.ts'
import { type QueryState, SidebarBlock } from '../site/SidebarBlock.tsx'
import { useStableWhileInUse } from '../ui/useStableWhileInUse.ts'
import css from './JustPlayed.module.css'
import * as texts from './texts.ts'

const VISIBLE_COUNT = 6

type Reply = ReplyOf<typeof player.justPlayed>

/** The songs members listened to last. */
export function SongsJustPlayed({ queryResult }: { queryResult: QueryState<Reply> }) {
  const now = useCurrentMinute()
  const { value: visible, holdHandlers } = useStableWhileInUse(queryResult.data, 'songs')
  return (
    <div {...holdHandlers}>
      <SidebarBlock title={texts.songJustPlayed} queryResult={{ ...queryResult, data: visible }} rows={VISIBLE_COUNT}>
        {({ songs }) =>
          songs.length > 0 && (
            <ul>
              {songs.slice(0, VISIBLE_COUNT).map((song) => (
                <SongLine key={song.entity_id} song={song} list={songs}>
                  <time className={css.ago} dateTime={song.played_at} title={formatExactDate(song.played_at)}>
                    {formatTimeAgo(song.played_at, now)}
                  </time>
                </SongLine>
              ))}
            </ul>
          )
        }
      </SidebarBlock>
    </div>
  )
}
