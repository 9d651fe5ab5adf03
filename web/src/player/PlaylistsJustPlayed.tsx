import type { playlists, ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { Mosaic } from '../library/Mosaic.tsx'
import { ago, useMinute } from '../platform/ago.ts'
import { exactDate, plural } from '../platform/format.ts'
import { type Asked, Block } from '../site/Block.tsx'
import { useStill } from '../ui/still.ts'
import css from './JustPlayed.module.css'
import * as texts from './texts.ts'

const SHOWN = 4

type Reply = ReplyOf<typeof playlists.playlistsJustPlayed>

/** The pool's playlists that members listened to last. */
export function PlaylistsJustPlayed({ asked }: { asked: Asked<Reply> }) {
  const now = useMinute()
  const { shown, hold } = useStill(asked.data, 'playlists')
  return (
    <div {...hold}>
      <Block title={texts.playlistJustPlayed} asked={{ ...asked, data: shown }} rows={SHOWN}>
        {({ playlists }) =>
          playlists.length > 0 && (
            <ul>
              {playlists.slice(0, SHOWN).map((playlist) => (
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
                      <small>{plural(playlist.song_count, 'song')}</small>
                    </span>
                    <time className={css.ago} dateTime={playlist.played_at} title={exactDate(playlist.played_at)}>
                      {ago(playlist.played_at, now)}
                    </time>
                  </Link>
                </li>
              ))}
            </ul>
          )
        }
      </Block>
    </div>
  )
}
