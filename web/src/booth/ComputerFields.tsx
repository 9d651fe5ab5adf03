import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import { MAX_FOLDER, MAX_NAME, TRAKTOR_VERSIONS } from '@dubplate/contract/schemas/download-profiles'
import { SYSTEMS } from '@dubplate/contract/schemas/file-paths'
import { NativeSelect, SimpleGrid, Text, TextInput } from '@mantine/core'
import { format, rich } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import css from './Booth.module.css'
import { changeSystem, needsUserName, type ProfileValues, suggestedFolder } from './newProfile.ts'
import type { ProfileFormState } from './ProfileForm.tsx'
import { optionsOf } from './profileNames.ts'
import { SYSTEM_NAMES } from './systems.ts'
import * as texts from './texts.ts'

type Props = { form: ProfileFormState }
type System = ProfileValues['system']

/** What a music folder on a stick looks like. */
const STICK_FOLDERS: Record<System, string> = {
  windows: 'E:\\Music',
  macos: '/Volumes/USB/Music',
  linux: '/media/you/USB/Music',
}

const SERATO_STICKS = { macos: '/Volumes/USB', linux: '/media/you/USB' }

/** A profile’s name and the DJ software it is for. */
export const SoftwareFields = ({ form }: Props) => (
  <AccountSection title={texts.nameAndSoftware}>
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <TextInput
        label={texts.name}
        maxLength={MAX_NAME}
        autoComplete="off"
        data-autofocus
        {...form.field('name', texts.nameHint)}
      />
      <NativeSelect label={texts.software} data={optionsOf(SOFTWARE_NAMES)} {...form.field('software')} />
    </SimpleGrid>
  </AccountSection>
)

/** The system, the music folder on it, and what a program needs to know of its disks. */
export function ComputerFields({ form }: Props) {
  const { values } = form
  return (
    <AccountSection title={texts.computer}>
      <ChoiceCards
        title={texts.system}
        choices={SYSTEMS.map((value) => ({
          value,
          name: SYSTEM_NAMES[value],
          note: <code>{suggestedFolder(value)}</code>,
        }))}
        chosen={values.system}
        onChoose={(system) => form.setValues(changeSystem(form.getValues(), system))}
      />
      <TextInput
        className={css.code}
        label={texts.musicFolder}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        {...form.field('music_folder')}
        description={
          needsUserName(values.music_folder) ? (
            <Text span inherit c="var(--warn)">
              {texts.replaceUserName}
            </Text>
          ) : (
            rich(texts.musicFolderHint, { example: <code>{STICK_FOLDERS[values.system]}</code> })
          )
        }
      />
      <DiskFields form={form} />
    </AccountSection>
  )
}

function DiskFields({ form }: Props) {
  const { system, software, traktor_version } = form.values
  if (software === 'serato' && system !== 'windows')
    return (
      <TextInput
        className={css.code}
        label={texts.seratoDrive}
        maxLength={MAX_FOLDER}
        autoComplete="off"
        spellCheck={false}
        {...form.field('serato_root')}
        description={rich(texts.seratoDriveHint, { example: <code>{SERATO_STICKS[system]}</code> })}
      />
    )
  if (software !== 'traktor') return null
  return (
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <NativeSelect
        label={texts.traktorVersion}
        data={TRAKTOR_VERSIONS.map((version) => ({
          value: String(version),
          label: format(texts.traktorVersionName, { version }),
        }))}
        value={String(traktor_version)}
        onChange={({ currentTarget: { value } }) =>
          form.setValues({ traktor_version: TRAKTOR_VERSIONS.find((version) => String(version) === value)! })
        }
      />
      {system === 'macos' && (
        <TextInput
          label={texts.traktorVolume}
          maxLength={MAX_NAME}
          autoComplete="off"
          spellCheck={false}
          {...form.field('traktor_volume', texts.traktorVolumeHint)}
        />
      )}
    </SimpleGrid>
  )
}
