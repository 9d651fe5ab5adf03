import { downloadProfiles } from '@dubplate/contract'
import { SOFTWARE_NAMES } from '@dubplate/contract/schemas/dj-software'
import { saveProfile } from '@dubplate/contract/schemas/download-profiles'
import { NativeSelect, TextInput } from '@mantine/core'
import css from '../../downloads/DownloadDialog.module.css'
import { ErrorMessages } from '../../membership/ErrorMessages.tsx'
import { useResourceForm } from '../../platform/useResourceForm.ts'
import { Button } from '../../ui/Button.tsx'
import { changeSystem, needsUserName, newProfile } from '../newProfile.ts'
import { optionsOf } from '../profileNames.ts'
import { SYSTEM_NAMES } from '../systems.ts'
import * as boothTexts from '../texts.ts'
import { closeKitChoice } from './kitChoice.ts'
import * as texts from './texts.ts'

/** The parts of a profile that have no useful default. The dialog then continues with the saved profile. */
export function FirstProfile() {
  const form = useResourceForm({
    call: saveProfile,
    draftName: 'download-profile.first',
    values: { ...newProfile(), name: texts.myComputer },
    toInput: (values) => values,
    invalidates: [downloadProfiles.getProfiles],
  })
  const { element, values, setValues } = form
  return (
    <form ref={element} noValidate className={css.options} onSubmit={form.submit}>
      <p>{texts.addYourMusicFolder}</p>
      <NativeSelect label={texts.djSoftware} data={optionsOf(SOFTWARE_NAMES)} {...form.field('software')} />
      <NativeSelect
        label={texts.system}
        data={optionsOf(SYSTEM_NAMES)}
        {...form.field('system')}
        onChange={({ target }) => setValues(changeSystem(values, target.value as typeof values.system))}
      />
      <TextInput
        label={texts.musicFolder}
        data-autofocus
        spellCheck={false}
        {...form.field('music_folder', needsUserName(values.music_folder) ? boothTexts.replaceUserName : undefined)}
      />
      <p className={css.note}>{texts.moreOptionsLater}</p>
      <ErrorMessages messages={form.messages} />
      <div className={css.actions}>
        <Button onClick={closeKitChoice}>{texts.cancel}</Button>
        <Button type="submit" variant="primary" busy={form.isBusy}>
          {texts.continueLabel}
        </Button>
      </div>
    </form>
  )
}
