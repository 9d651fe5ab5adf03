import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { goTo } from '../../platform/address.ts'
import { ask } from '../../platform/api.ts'
import { format } from '../../platform/message.ts'
import { forgetSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import * as texts from '../texts.ts'
import css from './Deletion.module.css'
import { Part } from './Part.tsx'
import { PasswordAsked } from './PasswordAsked.tsx'
import { dropTyped } from './profileDraft.ts'

/** Deletes the account, after the password and the DJ name have been typed. */
export function Deletion({ profile }: { profile: membership.Profile }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <Part title={texts.deleteAccount} about={<WhatGoes />}>
      {isAsked ? (
        <Certain profile={profile} onCancel={() => setAsked(false)} />
      ) : (
        <div>
          <Button look="danger" onClick={() => setAsked(true)}>
            {texts.deleteAccount}
          </Button>
        </div>
      )}
    </Part>
  )
}

const WhatGoes = () => (
  <div className={css.what}>
    <p>{texts.thisImmediatelyDeletesYourName}</p>
    <p>{texts.thisCantBeUndoneDownload}</p>
  </div>
)

const isAlike = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

function Certain({ profile, onCancel }: { profile: membership.Profile; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [trouble, setTrouble] = useState('')
  const remove = async (password: string) => {
    if (!isAlike(name, profile.dj_name))
      return setTrouble(format(texts.enterToDeleteYourAccount, { dj_name: profile.dj_name }))
    await ask(account.deleteAccount, { password })
    dropTyped(profile)
    forgetSession()
    goTo('/')
    void toast({ message: texts.yourAccountHasBeenDeleted })
  }
  return (
    <PasswordAsked
      label={texts.deleteAccount}
      submit={texts.deleteAccount}
      look="danger"
      onSend={remove}
      onCancel={onCancel}
    >
      <TextInput
        label={format(texts.enterYourDjNameTo, { dj_name: profile.dj_name })}
        autoComplete="off"
        autoFocus
        value={name}
        error={trouble}
        onChange={({ currentTarget }) => {
          setName(currentTarget.value)
          setTrouble('')
        }}
      />
    </PasswordAsked>
  )
}
