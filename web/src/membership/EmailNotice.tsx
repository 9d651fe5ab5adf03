import '../styles/mantine-layout.css'
import { account } from '@dubplate/contract'
import { Group } from '@mantine/core'
import { IconMailX } from '@tabler/icons-react'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { format, rich } from '../format/message.ts'
import { callApi } from '../platform/api.ts'
import { changeProfile, useSession } from '../platform/session.ts'
import button from '../ui/Button.module.css'
import { Button } from '../ui/Button.tsx'
import { Mantine } from '../ui/Mantine.tsx'
import { toast, toastError } from '../ui/toast.ts'
import css from './EmailNotice.module.css'
import * as texts from './texts.ts'

/** Shown after emails to the member's address bounced, until it is confirmed or changed. It can be postponed. */
export function EmailNotice() {
  const email = useSession(({ profile }) => profile?.email)
  const [isBusy, setBusy] = useState(false)
  const [isHidden, setHidden] = useState(false)
  if (!email || isHidden) return null
  const confirm = async () => {
    setBusy(true)
    try {
      changeProfile((await callApi(account.confirmEmail, {})).profile)
      void toast({ message: format(texts.thankYouWellKeepUsing, { email }) })
    } catch (error) {
      void toastError(texts.couldntConfirmYourEmail, error)
      setBusy(false)
    }
  }
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
            <Button busy={isBusy} onClick={() => void confirm()}>
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
