import { notices, type ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { rich } from '../format/message.ts'
import { AccountPage } from '../membership/account/AccountPage.tsx'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ListRowSkeleton } from '../membership/account/Skeletons.tsx'
import { callApi } from '../platform/api.ts'
import { ErrorState } from '../platform/ErrorState.tsx'
import { apiQuery, queryClient, useApiQuery } from '../platform/queries.ts'
import { Switch } from '../ui/Switch.tsx'
import { toastError } from '../ui/toast.ts'
import { DigestChoice } from './DigestChoice.tsx'
import css from './NotificationSettings.module.css'
import * as texts from './texts.ts'

/** Chooses which notifications are also sent by email. */
export const NotificationSettings = () => (
  <AccountPage title={texts.notifications} skeleton={<ListRowSkeleton count={3} height_px={56} />}>
    {() => (
      <>
        <EmailNotificationChoices />
        <DigestChoice />
      </>
    )}
  </AccountPage>
)

type Kind = (typeof notices.CHOSEN_KINDS)[number]
type NotificationChoicesData = ReplyOf<typeof notices.getChoices>

const KINDS: Record<Kind, { name: string; note: string }> = {
  reply: { name: texts.ticketReplies, note: texts.theEmailIncludesTheFull },
  upload: { name: texts.myUploads, note: texts.aSongIsPublishedDeclined },
  search: { name: texts.savedSearches, note: texts.savedSearchEmailFrequency },
}

const { queryKey } = apiQuery(notices.getChoices, {})

/** Applies at once; reverted visibly if the request fails. */
async function choose(choices: NotificationChoicesData['by_email'], kind: Kind, on: boolean) {
  const emailChoices = { ...choices, [kind]: on }
  queryClient.setQueryData(queryKey, { by_email: emailChoices })
  try {
    queryClient.setQueryData(queryKey, await callApi(notices.saveChoices, { by_email: emailChoices }))
  } catch (error) {
    queryClient.setQueryData(queryKey, { by_email: choices })
    void toastError(texts.couldntSaveYourChanges, error)
  }
}

function EmailNotificationChoices() {
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
      {data && (
        <div className={css.choices}>
          {notices.CHOSEN_KINDS.map((kind) => (
            <Switch
              key={kind}
              checked={data.by_email[kind]}
              note={KINDS[kind].note}
              onChange={(on) => void choose(data.by_email, kind, on)}
            >
              {KINDS[kind].name}
            </Switch>
          ))}
        </div>
      )}
    </AccountSection>
  )
}
