import { Stack } from '@mantine/core'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import { ChoiceCards } from '../membership/account/ChoiceCards.tsx'
import css from './Booth.module.css'
import { PathPreview } from './PathPreview.tsx'
import type { ProfileFormState } from './ProfileForm.tsx'
import { TemplateField } from './TemplateField.tsx'
import * as texts from './texts.ts'

const UNICODE_FORMS = [
  { value: 'nfc', name: texts.composed, note: texts.composedNote },
  { value: 'nfd', name: texts.decomposed, note: texts.decomposedNote },
] as const

/** Where files are stored in the music folder, with the paths of example songs. */
export const FileNameFields = ({ form }: { form: ProfileFormState }) => (
  <AccountSection title={texts.foldersAndFileNames}>
    <TemplateField
      form={form}
      name="folder_template"
      label={texts.folders}
      hint={texts.foldersHint}
      placeholder="{genre}/{artist}"
    />
    <TemplateField form={form} name="file_template" label={texts.fileName} hint={texts.fileNameHint} />
    <PathPreview values={form.values} />
    <details className={css.advanced}>
      <summary>{texts.advanced}</summary>
      <Stack gap="sm" pt="md">
        <ChoiceCards
          title={texts.encodingOfAccents}
          choices={UNICODE_FORMS}
          chosen={form.values.unicode_form}
          onChoose={(unicode_form) => form.setValues({ unicode_form })}
        />
        <p className={css.hint}>{texts.encodingOfAccentsHint}</p>
      </Stack>
    </details>
  </AccountSection>
)
