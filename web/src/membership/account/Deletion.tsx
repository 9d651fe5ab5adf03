import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { goTo } from '../../platform/address.ts'
import { ask } from '../../platform/api.ts'
import { forgetSession } from '../../platform/session.ts'
import { Button } from '../../ui/Button.tsx'
import { toast } from '../../ui/toast.ts'
import css from './Deletion.module.css'
import { Part } from './Part.tsx'
import { PasswordAsked } from './PasswordAsked.tsx'
import { dropTyped } from './profileDraft.ts'

/** Deletes the account, after the password and the DJ name have been typed. */
export function Deletion({ profile }: { profile: membership.Profile }) {
  const [isAsked, setAsked] = useState(false)
  return (
    <Part title="Delete account" about={<WhatGoes />}>
      {isAsked ? (
        <Certain profile={profile} onCancel={() => setAsked(false)} />
      ) : (
        <div>
          <Button look="danger" onClick={() => setAsked(true)}>
            Delete account
          </Button>
        </div>
      )}
    </Part>
  )
}

const WhatGoes = () => (
  <div className={css.what}>
    <p>
      This immediately deletes your name, email, address, telephone, picture, password, application, sign-ins, crate,
      favourites, playlists and listening history. Your downloads stay in our statistics, anonymously.
    </p>
    <p>This can’t be undone. Download your data first if you want to keep a copy.</p>
  </div>
)

const isAlike = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

function Certain({ profile, onCancel }: { profile: membership.Profile; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [trouble, setTrouble] = useState('')
  const remove = async (password: string) => {
    if (!isAlike(name, profile.dj_name)) return setTrouble(`Enter ${profile.dj_name} to delete your account.`)
    await ask(account.deleteAccount, { password })
    dropTyped(profile)
    forgetSession()
    goTo('/')
    void toast({ message: 'Your account has been deleted.' })
  }
  return (
    <PasswordAsked label="Delete account" submit="Delete account" look="danger" onSend={remove} onCancel={onCancel}>
      <TextInput
        label={`Enter your DJ name (${profile.dj_name}) to confirm`}
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
