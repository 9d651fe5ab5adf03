import '../styles/mantine-layout.css'
import { account } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { IconMailX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format, rich } from '../format/message.ts'
import { changeProfile, useSession } from '../platform/session.ts'
import { useApiMutation } from '../platform/useApiMutation.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import css from './EmailNotice.module.css'
import * as texts from './texts.ts'

/** Shown after emails to the member's address bounced, until it is confirmed or changed. It can be postponed. */
export function EmailNotice() {
  const email = useSession(({ profile }) => profile?.email)
  const { mutate: confirm, isPending } = useApiMutation(account.confirmEmail, {
    success: ({ profile }) => ({ message: format(texts.thankYouWellKeepUsing, { email: profile.email }) }),
    errorTitle: texts.couldntConfirmYourEmail,
  })
  const [isHidden, setHidden] = useState(false)
  if (!email || isHidden) return null
  return (
    <Mantine>
      <aside className={css.place} aria-label={texts.yourEmailAddress}>
        <Group className={css.notice} gap="8px 12px">
          <IconMailX size={20} style={{ flex: 'none' }} aria-hidden />
          <p style={{ flex: '1 1 240px', overflowWrap: 'anywhere' }}>
            {rich(texts.emailUndeliverable, { email, b: (inside) => <b>{inside}</b> })}
          </p>
          <Group gap="sm">
            <Button onClick={() => setHidden(true)}>{texts.notNow}</Button>
            <Button
              busy={isPending}
              onClick={() => confirm({}, { onSuccess: ({ profile }) => changeProfile(profile) })}
            >
              {texts.itsCorrect}
            </Button>
            <Link to="/account/update" className={button.button} data-look="primary">
              {texts.changeEmail}
            </Link>
          </Group>
        </Group>
      </aside>
    </Mantine>
  )
}
