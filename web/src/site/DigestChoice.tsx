import { newsletter } from '@dubplate/contract'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { chooseDigest, followGenre, type Mailing } from '../catalogue/following.ts'
import { format } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import button from '../ui/Button.module.css'
import { IconButton } from '../ui/IconButton.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './DigestChoice.module.css'
import * as texts from './texts.ts'

/** Whether a member gets the weekly digest, and the genres they follow. A section of an account screen. */
export function DigestChoice() {
  const { data, error, refetch } = useApiQuery(newsletter.getMailing, {})
  return (
    <AccountSection title={texts.weeklyDigest} description={texts.aWeeklyEmailWithNew}>
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourDigestSettings} retry={() => void refetch()} />
      )}
      {!error && !data && <div className={css.skeleton} aria-busy />}
      {data && <Choice mailing={data} />}
    </AccountSection>
  )
}

function Choice({ mailing: { state, followed } }: { mailing: Mailing }) {
  return (
    <>
      <DigestSwitch isOn={state === 'subscribed'} />
      <div className={css.genres}>
        <h3>{texts.genresYouFollow}</h3>
        {followed.length > 0 && <FollowedGenres genres={followed} />}
        {followed.length === 0 && <p className={css.none}>{texts.youDontFollowAnyGenres}</p>}
        <div>
          <Link to="/genres/index" className={button.button}>
            {followed.length > 0 ? texts.seeMoreGenres : texts.seeGenres}
          </Link>
        </div>
      </div>
    </>
  )
}

function DigestSwitch({ isOn }: { isOn: boolean }) {
  /** The new choice until the server has replied. */
  const [pendingChoice, setPendingChoice] = useState<boolean>()
  const choose = async (isWanted: boolean) => {
    setPendingChoice(isWanted)
    await chooseDigest(isWanted)
    setPendingChoice(undefined)
  }
  return (
    <Switch checked={pendingChoice ?? isOn} onChange={(isWanted) => void choose(isWanted)}>
      {texts.sendMeTheWeeklyDigest}
    </Switch>
  )
}

const FollowedGenres = ({ genres }: { genres: Mailing['followed'] }) => (
  <ul className={css.followed}>
    {genres.map((genre) => (
      <li key={genre.genre_id}>
        <Link to="/genres/view/$genreId" params={{ genreId: genre.genre_id }}>
          {genre.name}
        </Link>
        <IconButton label={format(texts.unfollow, { name: genre.name })} onClick={() => void followGenre(genre, false)}>
          <IconX size={15} />
        </IconButton>
      </li>
    ))}
  </ul>
)
