import { IconMusic } from '@tabler/icons-react'
import { rich } from '../format/message.ts'
import { imageAt } from '../platform/media.ts'
import { lazyOptional } from '../ui/lazyOnDemand.tsx'
import { SectionHead } from '../ui/SectionHead.tsx'
import { SongLinks, Tags } from './NowPlaying.tsx'
import css from './NowPlayingBlock.module.css'
import { currentEntry, usePlayer } from './store.ts'
import * as texts from './texts.ts'

const MixesWith = lazyOptional(() => import('../catalogue/MixesWith.tsx').then(({ MixesWith }) => MixesWith))

/** The playing song, with the songs that mix with it below. Its height is the same while nothing plays. */
export function NowPlayingBlock() {
  const entry = usePlayer(currentEntry)
  return (
    <section className={css.block} aria-label={texts.nowPlaying}>
      <SectionHead title={texts.nowPlaying} />
      {entry ? (
        <>
          <div className={css.now}>
            <img key={entry.song.image} src={imageAt(entry.song.image, 320)} alt="" width={72} height={72} />
            <div className={css.words}>
              <SongLinks entry={entry} />
              <Tags entry={entry} />
            </div>
          </div>
          <div className={css.mixes}>
            <MixesWith song={entry.song} />
          </div>
        </>
      ) : (
        <>
          <div className={css.now}>
            <span className={css.noCover} aria-hidden>
              <IconMusic size={22} />
            </span>
            <p className={css.nothing}>{rich(texts.nothingPlayingPlayASong, { b: (inside) => <b>{inside}</b> })}</p>
          </div>
          <div className={css.room} />
        </>
      )}
    </section>
  )
}
