import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { updateProfile } from '@dubplate/contract/schemas/account'
import { TextInput } from '@mantine/core'
import { schemaResolver } from '@mantine/form'
import { useState } from 'react'
import { ask } from '../../platform/api.ts'
import { rich } from '../../platform/message.ts'
import { useAsk } from '../../platform/queries.ts'
import { changeProfile } from '../../platform/session.ts'
import { TroubleLine } from '../../platform/TroubleLine.tsx'
import { Button } from '../../ui/Button.tsx'
import { Mantine } from '../../ui/Mantine.tsx'
import { toastTrouble } from '../../ui/toast.ts'
import { Complaints } from '../Complaints.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { useDialogForm } from '../useDialogForm.ts'
import { Alert } from './Alert.tsx'
import css from './EditProfile.module.css'
import { PlaceField } from './PlaceField.tsx'
import { dropTyped, formOf, keepTyped, type ProfileForm, withDraft } from './profileDraft.ts'

type Profile = membership.Profile

const check = schemaResolver(updateProfile.input, { sync: true })

export function ProfileFields({ profile }: { profile: Profile }) {
  const { data, error, refetch } = useAsk(account.getCountries, {})
  const countries = data?.countries ?? []
  const [isSaved, setSaved] = useState(false)

  const regionsOf = (id: string) => countries.find((country) => country.id === id)?.region ?? []
  /** A state belongs to every address but those of countries without any, also before a country is chosen. */
  const takesState = ({ country_id }: ProfileForm) => country_id === '' || regionsOf(country_id).length > 0
  const { form, submit, isBusy, complaints } = useDialogForm<ProfileForm & { password: string }>({
    initialValues: { ...withDraft(profile), password: '' },
    validate: (typed) => ({
      ...check(typed),
      ...(takesState(typed) && !typed.region_id ? { region_id: texts.stateCannotBeBlank } : {}),
      ...(isPasswordAsked(profile, typed) && !typed.password ? { password: 'password cannot be blank!' } : {}),
    }),
    keep: (typed) => {
      keepTyped(profile, typed)
      setSaved(false)
    },
    send: async (typed) => {
      const saved = await ask(account.updateProfile, typed)
      form.setValues({ ...formOf(saved.profile), password: '' })
      dropTyped(profile)
      changeProfile(saved.profile)
      setSaved(true)
    },
  })
  const changeCountry = (country: string) => {
    form.setFieldValue('country_id', country)
    form.setFieldValue('region_id', '')
  }
  const regions = regionsOf(form.values.country_id)
  const field = (name: keyof typeof form.values) => ({ name, ...form.getInputProps(name) })

  const place = (name: 'country_id' | 'region_id') => ({ name, chosen: form.values[name], error: form.errors[name] })
  return (
    <Mantine>
      <form noValidate className={css.form} onSubmit={submit} aria-label={texts.profile}>
        <TextInput label={texts.firstName} autoComplete="given-name" {...field('firstname')} />
        <TextInput label={texts.lastName} autoComplete="family-name" {...field('lastname')} />
        <TextInput label={texts.djName} autoComplete="nickname" {...field('dj_name')} />
        <TextInput label={texts.telephone} type="tel" autoComplete="tel" {...field('telephone')} />
        <div className={css.wide}>
          <TextInput label={texts.email} type="email" autoComplete="email" {...field('email')} />
          <PendingAddress profile={profile} />
        </div>
        {isPasswordAsked(profile, form.values) && (
          <div className={css.wide}>
            <PasswordField
              label={texts.currentPassword}
              description={texts.enterYourPasswordToChange}
              autoComplete="current-password"
              {...field('password')}
            />
          </div>
        )}
        <TextInput className={css.wide} label={texts.address} autoComplete="street-address" {...field('street')} />
        <TextInput label={texts.zipCode} autoComplete="postal-code" {...field('postcode')} />
        <TextInput label={texts.city} autoComplete="address-level2" {...field('city')} />
        <PlaceField
          label={texts.country}
          autoComplete="country-name"
          places={countries}
          onChoose={changeCountry}
          {...place('country_id')}
        />
        {takesState(form.values) && (
          <PlaceField
            key={form.values.country_id}
            label={texts.state}
            autoComplete="address-level1"
            places={regions}
            onChoose={(region) => form.setFieldValue('region_id', region)}
            {...place('region_id')}
          />
        )}
        <div className={css.end}>
          {error && <TroubleLine error={error} what={texts.theListOfCountries} retry={() => void refetch()} alert />}
          <Complaints sentences={complaints} />
          <Alert tone="ok">{isSaved && texts.profileSuccessfullyUpdated}</Alert>
          <Button type="submit" look="primary" busy={isBusy}>
            {texts.save}
          </Button>
        </div>
      </form>
    </Mantine>
  )
}

/** Another address is for its owner alone to set, who may have left this browser open. */
const isPasswordAsked = ({ email, has_password }: Profile, typed: ProfileForm) =>
  has_password && typed.email.trim().toLowerCase() !== email.toLowerCase()

/** Where a changed address stands until its link is opened, and the way back for a slip. */
function PendingAddress({ profile }: { profile: Profile }) {
  const [isBusy, setBusy] = useState(false)
  const withdraw = async () => {
    setBusy(true)
    try {
      const reply = await ask(account.withdrawAddress, {})
      changeProfile(reply.profile)
    } catch (error) {
      void toastTrouble(texts.couldntCancelTheChange, error)
    }
    setBusy(false)
  }
  return (
    <div className={css.pending}>
      <Alert tone="note">
        {profile.pending_email &&
          rich(texts.weSentALinkToYour, {
            pending_email: profile.pending_email,
            b: (inside) => <b>{inside}</b>,
            email: profile.email,
          })}
      </Alert>
      {profile.pending_email && (
        <Button busy={isBusy} onClick={() => void withdraw()}>
          {texts.cancelChange}
        </Button>
      )}
    </div>
  )
}
