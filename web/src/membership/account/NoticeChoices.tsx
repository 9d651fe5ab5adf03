import { notices, type ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { ask } from '../../platform/api.ts'
import { Trouble } from '../../platform/errors.tsx'
import { rich } from '../../platform/message.ts'
import { asking, queryClient, useAsk } from '../../platform/queries.ts'
import { DigestChoice } from '../../site/DigestChoice.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { toastTrouble } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import { AccountPage } from './AccountPage.tsx'
import { RowBones } from './Bones.tsx'
import css from './NoticeChoices.module.css'
import { Part } from './Part.tsx'

/** Which notices come by mail as well. */
export const NoticeChoices = () => (
  <AccountPage title={texts.notifications} bones={<RowBones count={3} height_px={56} />}>
    {() => (
      <>
        <ByMail />
        <DigestChoice />
      </>
    )}
  </AccountPage>
)

type Kind = (typeof notices.CHOSEN_KINDS)[number]
type Choices = ReplyOf<typeof notices.getChoices>

const KINDS: Record<Kind, { name: string; note: string }> = {
  reply: { name: texts.ticketReplies, note: texts.theEmailIncludesTheFull },
  upload: { name: texts.myUploads, note: texts.aSongIsPublishedDeclined },
  search: { name: texts.savedSearches, note: texts.atMostOneEmailA },
}

const { queryKey } = asking(notices.getChoices, {})

/** Holds at once; undone in sight where it is refused. */
async function choose(choices: Choices['by_mail'], kind: Kind, on: boolean) {
  const by_mail = { ...choices, [kind]: on }
  queryClient.setQueryData(queryKey, { by_mail })
  try {
    queryClient.setQueryData(queryKey, await ask(notices.saveChoices, { by_mail }))
  } catch (error) {
    queryClient.setQueryData(queryKey, { by_mail: choices })
    void toastTrouble(texts.couldntSaveYourChanges, error)
  }
}

function ByMail() {
  const { data, error, refetch } = useAsk(notices.getChoices, {})
  return (
    <Part
      title={texts.emailNotifications}
      about={
        <p>{rich(texts.everythingAppearsUnderTheBell, { link: (inside) => <Link to="/notices">{inside}</Link> })}</p>
      }
    >
      {error && !data && <Trouble error={error} what={texts.yourNotificationSettings} retry={() => void refetch()} />}
      {!error && !data && (
        <div aria-busy>
          <RowBones count={3} height_px={52} />
        </div>
      )}
      {data && (
        <div className={css.choices}>
          {notices.CHOSEN_KINDS.map((kind) => (
            <Switch
              key={kind}
              checked={data.by_mail[kind]}
              note={KINDS[kind].note}
              onChange={(on) => void choose(data.by_mail, kind, on)}
            >
              {KINDS[kind].name}
            </Switch>
          ))}
        </div>
      )}
    </Part>
  )
}
