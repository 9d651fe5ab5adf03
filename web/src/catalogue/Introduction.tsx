import { catalogue, type ReplyOf } from '@dubplate/contract'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { money } from '../billing/money.ts'
import { count } from '../format/format.ts'
import { format } from '../format/message.ts'
import { openDialog } from '../platform/address.ts'
import { useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { IconButton } from '../ui/IconButton.tsx'
import css from './Tiles.module.css'
import * as texts from './texts.ts'

const DISMISSED_KEY = 'dubplate.introduction-dismissed'

function readDismissed(): boolean {
  try {
    return localStorage.getItem(DISMISSED_KEY) !== null
  } catch {
    return false
  }
}

function saveDismissed() {
  try {
    localStorage.setItem(DISMISSED_KEY, 'yes')
  } catch {
    // Without storage it stays away until the page is reloaded.
  }
}

type Figures = ReplyOf<typeof catalogue.homePageGenres>

/** For visitors: what the pool is, its figures, what it costs and how to join. Dismissed once, it stays away. */
export function Introduction({ figures }: { figures: Figures | undefined }) {
  const isVisitor = useSession((session) => session.token === null)
  const [isDismissed, setDismissed] = useState(readDismissed)
  if (!isVisitor || isDismissed) return null
  const dismiss = () => {
    saveDismissed()
    setDismissed(true)
    // The focused button disappears.
    document.getElementById('main')?.focus({ preventScroll: true })
  }
  return (
    <section className={css.band} aria-labelledby="introduction">
      <IconButton label={texts.dismiss} className={css.dismiss} onClick={dismiss}>
        <IconX size={17} />
      </IconButton>
      <div>
        <h2 id="introduction">{texts.theRecordPoolForWorkingDjs}</h2>
        <p>{texts.introsCleanEdits}</p>
        <div className={css.join}>
          <Button variant="primary" onClick={() => openDialog('create-account')}>
            {texts.joinFree}
          </Button>
          <Link to="/subscription/plans" className={button.button}>
            {texts.seePlans}
          </Link>
          <p>{figures ? priceText(figures.lowest_price) : '\u00a0'}</p>
        </div>
      </div>
      <dl className="num">
        <Figure name={texts.songsLowercase} value={figures && count(figures.song_count)} />
        <Figure name={texts.genresLowercase} value={figures && count(figures.genre_count)} />
        <Figure name={texts.newSongsThisWeek} value={figures && newSongs(figures.new_song_count)} />
      </dl>
    </section>
  )
}

function priceText(lowest: Figures['lowest_price']): string {
  if (!lowest) return texts.freeToUse
  const price = money(lowest.price, lowest.currency)
  return format(lowest.interval === 'year' ? texts.fromPriceAYear : texts.fromPriceAMonth, { price })
}

const newSongs = (n: number) => (n < catalogue.MAX_NEW_SONGS ? count(n) : `${count(n)}+`)

const Figure = ({ name, value = '\u00a0' }: { name: string; value: string | undefined }) => (
  <div>
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
