import '../styles/mantine-layout.css'
import { newsletter, notices, type ReplyOf } from '@dubplate/contract'
import { Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import type { FollowTarget } from '../catalogue/followedAfter.ts'
import { followedLink } from '../catalogue/followedLink.ts'
import { chooseDigest, follow, type Mailing } from '../catalogue/following.ts'
import { format, rich } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { ErrorState } from '../platform/ErrorState.tsx'
import { useApiQuery } from '../platform/queries.ts'
import { changeReplies, useApiMutation } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { IconButton } from '../ui/IconButton.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './SitePages.module.css'
import * as texts from './texts.ts'

type Kind = (typeof notices.CHOSEN_KINDS)[number]
type EmailChoices = ReplyOf<typeof notices.getChoices>

const KINDS: Record<Kind, { name: string; note: string }> = {
  reply: { name: texts.ticketReplies, note: texts.theEmailIncludesTheFull },
  upload: { name: texts.myUploads, note: texts.aSongIsPublishedDeclined },
  search: { name: texts.savedSearches, note: texts.savedSearchEmailFrequency },
}

/** Chooses which notifications are also sent by email. */
export const NotificationSettings = () => (
  <Mantine>
    <AccountPage title={texts.notifications} skeleton={<ListRowSkeleton count={3} height_px={56} />}>
      {() => (
        <>
          <EmailNotifications />
          <WeeklyDigest />
        </>
      )}
    </AccountPage>
  </Mantine>
)

function EmailNotifications() {
  const { data, error, refetch } = useApiQuery(notices.getChoices, {})
  return (
    <AccountSection
      title={texts.emailNotifications}
      description={
        <p>{rich(texts.everythingAppearsUnderTheBell, { link: (inside) => <Link to="/notices">{inside}</Link> })}</p>
      }
    >
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourNotificationSettings} retry={() => void refetch()} />
      )}
      {!error && !data && (
        <div aria-busy>
          <ListRowSkeleton count={3} height_px={52} />
        </div>
      )}
      {data && <EmailSwitches choices={data} />}
    </AccountSection>
  )
}

function EmailSwitches({ choices: { by_email } }: { choices: EmailChoices }) {
  const { mutate: save } = useApiMutation(notices.saveChoices, {
    optimistic: (choices) => changeReplies(notices.getChoices, () => choices),
    errorTitle: texts.couldntSaveYourChanges,
  })
  return (
    <Stack gap="lg">
      {notices.CHOSEN_KINDS.map((kind) => (
        <Switch
          key={kind}
          checked={by_email[kind]}
          note={KINDS[kind].note}
          onChange={(isOn) => save({ by_email: { ...by_email, [kind]: isOn } })}
        >
          {KINDS[kind].name}
        </Switch>
      ))}
    </Stack>
  )
}

/** Whether a member gets the weekly digest, and the genres they follow. */
function WeeklyDigest() {
  const { data, error, refetch } = useApiQuery(newsletter.getMailing, {})
  return (
    <AccountSection title={texts.weeklyDigest} description={texts.aWeeklyEmailWithNew}>
      {error && !data && (
        <ErrorState error={error} title={texts.couldntLoadYourDigestSettings} retry={() => void refetch()} />
      )}
      {!error && !data && <Skeleton height={140} aria-busy />}
      {data && <DigestSwitch isOn={data.state === 'subscribed'} />}
      {data && <FollowedGenres genres={data.followed} />}
      {data && <Followed title={texts.artistsAndLabelsYouFollow} targets={data.followed_names} />}
      {data && <Followed title={texts.listsYouFollow} targets={data.followed_lists} />}
    </AccountSection>
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
  <Stack gap={10} align="start">
    <Text component="h3" fw={600} lh={1.4}>
      {texts.genresYouFollow}
    </Text>
    {genres.length === 0 && <Text c="var(--text-2)">{texts.youDontFollowAnyGenres}</Text>}
    {genres.length > 0 && (
      <Group component="ul" gap="sm">
        {genres.map((genre) => (
          <Group component="li" key={genre.genre_id} className={css.genre}>
            <Link to="/genres/view/$genreId" params={{ genreId: genre.genre_id }} className={`${css.link} ellipsis`}>
              {genre.name}
            </Link>
            <IconButton label={format(texts.unfollow, { name: genre.name })} onClick={() => void follow(genre, false)}>
              <IconX size={15} />
            </IconButton>
          </Group>
        ))}
      </Group>
    )}
    <Link to="/genres/index" className={button.button}>
      {genres.length > 0 ? texts.seeMoreGenres : texts.seeGenres}
    </Link>
  </Stack>
)

const Followed = ({ title, targets }: { title: string; targets: FollowTarget[] }) =>
  targets.length > 0 && (
    <Stack gap={10} align="start">
      <Text component="h3" fw={600} lh={1.4}>
        {title}
      </Text>
      <Group component="ul" gap="sm">
        {targets.map((one) => (
          <Group component="li" key={JSON.stringify(one)} className={css.genre}>
            <Link {...followedLink(one)} className={`${css.link} ellipsis`}>
              {one.name}
            </Link>
            <IconButton label={format(texts.unfollow, { name: one.name })} onClick={() => void follow(one, false)}>
              <IconX size={15} />
            </IconButton>
          </Group>
        ))}
      </Group>
    </Stack>
  )
