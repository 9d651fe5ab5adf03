import '../../styles/mantine-forms.css'
import { account, type membership } from '@dubplate/contract'
import { updateProfile } from '@dubplate/contract/schemas/account'
import { SimpleGrid, Stack, TextInput } from '@mantine/core'
import { rich } from '../../format/message.ts'
import { InlineError } from '../../platform/InlineError.tsx'
import { useApiQuery } from '../../platform/queries.ts'
import { changeProfile, useSession } from '../../platform/session.ts'
import { useApiMutation } from '../../platform/useApiMutation.ts'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { ErrorMessages } from '../ErrorMessages.tsx'
import { PasswordField } from '../PasswordField.tsx'
import * as texts from '../texts.ts'
import { Alert } from './Alert.tsx'
import { PlaceField } from './PlaceField.tsx'
import { type ProfileForm, saveTyped, toFormValues, withDraft } from './profileDraft.ts'

type Profile = membership.Profile

const WHOLE_ROW = { gridColumn: '1 / -1' }

export function ProfileFields({ profile }: { profile: Profile }) {
  const { data, error, refetch } = useApiQuery(account.getCountries, {})
  const countries = data?.countries ?? []

  const regionsOf = (id: string) => countries.find((country) => country.id === id)?.region ?? []
  /** Addresses have a state except in countries without any; also while no country is chosen. */
  const needsState = ({ country_id }: ProfileForm) => country_id === '' || regionsOf(country_id).length > 0
  const form = useResourceForm<ProfileForm & { password: string }, typeof updateProfile, void>({
    call: updateProfile,
    values: { ...withDraft(profile), password: '' },
    toInput: (values) => values,
    validate: (values) => ({
      region_id: needsState(values) && !values.region_id ? texts.stateCannotBeBlank : undefined,
      password: isPasswordAsked(profile, values) && !values.password ? texts.passwordCannotBeBlank : undefined,
    }),
    // After a save, the profile of the session is newer than the one rendered here.
    onChange: (values) => saveTyped(useSession.getState().profile ?? profile, values),
    save: async (send, setValues) => {
      const { profile } = await send()
      changeProfile(profile)
      setValues({ ...toFormValues(profile), password: '' })
    },
  })
  const { element } = form
  const changeCountry = (country: string) => {
    form.field('country_id').onChange(country)
    form.field('region_id').onChange('')
  }
  const regions = regionsOf(form.values.country_id)
  const field = (name: keyof typeof form.values) => ({ name, ...form.field(name) })

  const place = (name: 'country_id' | 'region_id') => ({
    name,
    chosen: form.values[name],
    error: form.field(name).error,
  })
  return (
    <form ref={element} noValidate onSubmit={form.submit} aria-label={texts.profile}>
      <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
        <TextInput label={texts.firstName} autoComplete="given-name" {...field('firstname')} />
        <TextInput label={texts.lastName} autoComplete="family-name" {...field('lastname')} />
        <TextInput label={texts.djName} autoComplete="nickname" {...field('dj_name')} />
        <TextInput label={texts.telephone} type="tel" autoComplete="tel" {...field('telephone')} />
        <div style={WHOLE_ROW}>
          <TextInput label={texts.email} type="email" autoComplete="email" {...field('email')} />
          <PendingEmailChange profile={profile} />
        </div>
        {isPasswordAsked(profile, form.values) && (
          <div style={WHOLE_ROW}>
            <PasswordField
              label={texts.currentPassword}
              description={texts.enterYourPasswordToChange}
              autoComplete="current-password"
              {...field('password')}
            />
          </div>
        )}
        <TextInput style={WHOLE_ROW} label={texts.address} autoComplete="street-address" {...field('street')} />
        <TextInput label={texts.zipCode} autoComplete="postal-code" {...field('postcode')} />
        <TextInput label={texts.city} autoComplete="address-level2" {...field('city')} />
        <PlaceField
          label={texts.country}
          autoComplete="country-name"
          places={countries}
          onChoose={changeCountry}
          {...place('country_id')}
        />
        {needsState(form.values) && (
          <PlaceField
            key={form.values.country_id}
            label={texts.state}
            autoComplete="address-level1"
            places={regions}
            onChoose={form.field('region_id').onChange}
            {...place('region_id')}
          />
        )}
        <Stack style={WHOLE_ROW}>
          {error && (
            <InlineError
              error={error}
              title={texts.couldntLoadTheListOfCountriesInline}
              retry={() => void refetch()}
              alert
            />
          )}
          <ErrorMessages messages={form.messages} />
          <Alert tone="ok">{form.wasSaved && texts.profileSuccessfullyUpdated}</Alert>
          <div>
            <Button type="submit" variant="primary" busy={form.isBusy}>
              {texts.save}
            </Button>
          </div>
        </Stack>
      </SimpleGrid>
    </form>
  )
}

/** Changing the email address needs the password, in case someone else uses this browser. */
const isPasswordAsked = ({ email, has_password }: Profile, typed: ProfileForm) =>
  has_password && typed.email.trim().toLowerCase() !== email.toLowerCase()

/** Shows a new email address that is not confirmed yet, with a button to cancel the change. */
function PendingEmailChange({ profile }: { profile: Profile }) {
  const { mutate: cancelEmailChange, isPending } = useApiMutation(account.cancelEmailChange, {
    errorTitle: texts.couldntCancelTheChange,
  })
  return (
    <Stack gap="sm" align="flex-start" mt={profile.pending_email ? 'sm' : 0}>
      <Alert tone="note">
        {profile.pending_email &&
          rich(texts.emailChangeLinkSent, {
            pending_email: profile.pending_email,
            b: (inside) => <b>{inside}</b>,
            email: profile.email,
          })}
      </Alert>
      {profile.pending_email && (
        <Button
          busy={isPending}
          onClick={() => cancelEmailChange({}, { onSuccess: ({ profile }) => changeProfile(profile) })}
        >
          {texts.cancelChange}
        </Button>
      )}
    </Stack>
  )
}
