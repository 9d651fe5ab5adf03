import type { player, ReplyOf } from '@dubplate/contract'
import { SongLine } from '../catalogue/SongLine.tsx'
import { ago, useMinute } from '../platform/ago.ts'
import { exactDate } from '../platform/format.ts'
import { type Asked, Block } from '../site/Block.tsx'
import { useStill } from '../ui/still.ts'
import css from './JustPlayed.module.css'
import * as texts from './texts.ts'

const SHOWN = 6

type Reply = ReplyOf<typeof player.justPlayed>

/** What members listened to last. */
export function SongsJustPlayed({ asked }: { asked: Asked<Reply> }) {
  const now = useMinute()
  const { shown, hold } = useStill(asked.data, 'songs')
  return (
    <div {...hold}>
      <Block title={texts.songJustPlayed} asked={{ ...asked, data: shown }} rows={SHOWN}>
        {({ songs }) =>
          songs.length > 0 && (
            <ul>
              {songs.slice(0, SHOWN).map((song) => (
                <SongLine key={song.entity_id} song={song} list={songs}>
                  <time className={css.ago} dateTime={song.played_at} title={exactDate(song.played_at)}>
                    {ago(song.played_at, now)}
                  </time>
                </SongLine>
              ))}
            </ul>
          )
        }
      </Block>
    </div>
  )
}
