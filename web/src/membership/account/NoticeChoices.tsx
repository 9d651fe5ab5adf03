import { notices, type ReplyOf } from '@dubplate/contract'
import { Link } from '@tanstack/react-router'
import { ask } from '../../platform/api.ts'
import { Trouble } from '../../platform/errors.tsx'
import { asking, queryClient, useAsk } from '../../platform/queries.ts'
import { DigestChoice } from '../../site/DigestChoice.tsx'
import { Switch } from '../../ui/Switch.tsx'
import { toastTrouble } from '../../ui/toast.ts'
import { AccountPage } from './AccountPage.tsx'
import { RowBones } from './Bones.tsx'
import css from './NoticeChoices.module.css'
import { Part } from './Part.tsx'

/** Which notices come by mail as well. */
export const NoticeChoices = () => (
  <AccountPage title="Notifications" bones={<RowBones count={3} height_px={56} />}>
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
  reply: { name: 'Ticket replies', note: 'The email includes the full reply.' },
  upload: { name: 'My uploads', note: 'A song is published, declined or about to expire.' },
  search: { name: 'Saved searches', note: 'At most one email a day, for searches with email turned on.' },
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
    void toastTrouble('Couldn’t save your changes', error)
  }
}

function ByMail() {
  const { data, error, refetch } = useAsk(notices.getChoices, {})
  return (
    <Part
      title="Email notifications"
      about={
        <p>
          Everything appears under the bell (<Link to="/notices">see all notifications</Link>). Choose what we also
          email you. You’ll always get emails about your application and payments.
        </p>
      }
    >
      {error && !data && <Trouble error={error} what="your notification settings" retry={() => void refetch()} />}
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
