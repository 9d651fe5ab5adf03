import '../styles/mantine-forms.css'
import { downloadProfiles } from '@dubplate/contract'
import { saveProfile } from '@dubplate/contract/schemas/download-profiles'
import { Group, Stack, Text } from '@mantine/core'
import { IconArrowLeft } from '@tabler/icons-react'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { formatTime } from '../format/format.ts'
import { format } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ErrorMessages } from '../membership/ErrorMessages.tsx'
import { type ResourceFormState, useResourceForm } from '../platform/useResourceForm.ts'
import { Button } from '../ui/Button.tsx'
import { Switch } from '../ui/Switch.tsx'
import css from './Booth.module.css'
import { ComputerFields, SoftwareFields } from './ComputerFields.tsx'
import { draftNameOf } from './draftNames.ts'
import { FileNameFields } from './FileNameFields.tsx'
import { FormatFields } from './FormatFields.tsx'
import { copyOf, type DownloadProfile, newProfile, type ProfileValues, toValues } from './newProfile.ts'
import { TagFields } from './TagFields.tsx'
import * as texts from './texts.ts'

type Props = {
  /** Missing for a new profile. */
  edited?: DownloadProfile
  /** The profile that a new one is a copy of. */
  original?: DownloadProfile | undefined
  profiles: readonly DownloadProfile[]
}

/** The settings of a new or existing profile. What was typed is kept as a draft until it is saved or discarded. */
export function ProfileForm({ edited, original, profiles }: Props) {
  const navigate = useNavigate()
  const showList = () => void navigate({ to: '/account/download-profiles', replace: true })
  const form = useResourceForm({
    call: saveProfile,
    draftName: draftNameOf(edited?.profile_id ?? (original ? `copy.${original.profile_id}` : 'new')),
    values: edited ? toValues(edited) : original ? copyOf(original) : newProfile(),
    toInput: (values) => (edited ? { profile_id: edited.profile_id, ...values } : values),
    invalidates: [downloadProfiles.getProfiles],
    success: ({ profile: { name } }) => ({ message: format(texts.profileSaved, { name }) }),
    isCheckedOnLeave: true,
    onSaved: showList,
  })
  const { element, draftAt, isChanged } = form
  const isNew = edited === undefined
  useEffect(() => {
    if (isNew) element.current?.querySelector<HTMLElement>('[data-autofocus]')?.focus()
  }, [element, isNew])
  return (
    <Stack gap="xl">
      <Link to="/account/download-profiles" className={css.back}>
        <IconArrowLeft size={16} aria-hidden />
        {texts.downloadProfiles}
      </Link>
      {draftAt && isChanged && (
        <Text fz="sm" c="var(--text-2)">
          {format(texts.unsavedDraftFrom, { time: formatTime(draftAt) })}
        </Text>
      )}
      <form
        ref={element}
        className={css.form}
        noValidate
        aria-label={isNew ? texts.addDownloadProfile : texts.editDownloadProfile}
        onSubmit={form.submit}
      >
        <Stack gap={32}>
          <SoftwareFields form={form} />
          <ComputerFields form={form} />
          <FileNameFields form={form} />
          <TagFields form={form} />
          <FormatFields form={form} />
          <DefaultSwitch form={form} others={profiles.filter(({ profile_id }) => profile_id !== edited?.profile_id)} />
          <FormActions form={form} onClose={showList} />
        </Stack>
      </form>
    </Stack>
  )
}

export type ProfileFormState = ResourceFormState<ProfileValues>

/** Whether the profile is the default. There is always one: only another profile can replace it. */
function DefaultSwitch({ form, others }: { form: ProfileFormState; others: readonly DownloadProfile[] }) {
  const isOnly = others.length === 0
  const isDefault = isOnly || !others.some(({ is_default }) => is_default)
  const note = isOnly
    ? texts.onlyProfileIsDefault
    : isDefault
      ? texts.otherProfileToBeDefault
      : texts.defaultProfileHint
  return (
    <AccountSection title={texts.defaultProfile}>
      <Switch
        checked={isDefault || form.values.is_default}
        disabled={isDefault}
        note={note}
        onChange={(is_default) => form.setValues({ is_default })}
      >
        {texts.useByDefault}
      </Switch>
    </AccountSection>
  )
}

/** The buttons, at the bottom of the window while the form is longer, with the errors that concern no field. */
function FormActions({ form, onClose }: { form: ProfileFormState; onClose: () => void }) {
  const { isBusy, isChanged, messages } = form
  const close = () => {
    form.discard()
    onClose()
  }
  return (
    <div className={css.actions}>
      <ErrorMessages messages={messages} />
      <Group gap="sm">
        <Button type="submit" variant="primary" busy={isBusy}>
          {texts.saveProfile}
        </Button>
        <Button disabled={isBusy} onClick={close}>
          {isChanged ? texts.discard : texts.cancel}
        </Button>
        <Text role="status" fz="sm" c="var(--text-2)" ml="auto">
          {isBusy ? texts.saving : isChanged ? texts.unsavedChanges : ''}
        </Text>
      </Group>
    </div>
  )
}
