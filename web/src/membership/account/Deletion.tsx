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
    <Part title="Delete the account" about={<WhatGoes />}>
      {isAsked ? (
        <Certain profile={profile} onCancel={() => setAsked(false)} />
      ) : (
        <div>
          <Button look="danger" onClick={() => setAsked(true)}>
            Delete my account
          </Button>
        </div>
      )}
    </Part>
  )
}

const WhatGoes = () => (
  <div className={css.what}>
    <p>
      Deleted at once: your name, addresses, telephone, picture, password, application, sign-ins, crate, favourites,
      playlists and what you listened to. Your downloads stay counted, without your name: labels are paid by them, and
      the charts are made of them.
    </p>
    <p>There is no way back. Take a copy first if you want to keep something.</p>
  </div>
)

const isAlike = (one: string, other: string) => one.trim().toLowerCase() === other.trim().toLowerCase()

function Certain({ profile, onCancel }: { profile: membership.Profile; onCancel: () => void }) {
  const [name, setName] = useState('')
  const [trouble, setTrouble] = useState('')
  const remove = async (password: string) => {
    if (!isAlike(name, profile.dj_name)) return setTrouble(`Type ${profile.dj_name} to delete the account.`)
    await ask(account.deleteAccount, { password })
    dropTyped(profile)
    forgetSession()
    goTo('/')
    void toast({ message: 'Your account has been deleted. Thank you for the music.' })
  }
  return (
    <PasswordAsked
      label="Delete the account"
      submit="Delete for ever"
      look="danger"
      onSend={remove}
      onCancel={onCancel}
    >
      <TextInput
        label={`Your DJ name, ${profile.dj_name}`}
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
