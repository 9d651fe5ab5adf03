import { imports } from '@dubplate/contract'
import { Select, SimpleGrid, TextInput } from '@mantine/core'
import { formatList } from '../../format/formatList.ts'
import { format } from '../../format/message.ts'
import type { ResourceFormState } from '../../platform/useResourceForm.ts'
import { SECTION_CHOICES, sectionName } from '../uploads/uploadStates.ts'
import { ENCODING_CHOICES } from './tagEncodings.ts'
import * as texts from './texts.ts'

/** What applies to all files of a folder, and the folder itself. */
export type ImportValues = {
  folder: string
  song_section_id: string
  genre: string
  pattern: string
  tag_encoding: imports.TagEncoding
}

export const NEW_IMPORT: ImportValues = {
  folder: '',
  song_section_id: '1',
  genre: '',
  pattern: '',
  tag_encoding: 'automatic',
}

export const inputOf = ({ song_section_id, ...values }: ImportValues) => ({
  ...values,
  song_section_id: Number(song_section_id),
})

/** The names of fields are not translated. */
const PATTERN_FIELDS = formatList(imports.PATTERN_FIELDS.map((field) => `{${field}}`))
const PATTERN_EXAMPLE = '{label}/{artist} - {title}'

/** Options that apply to all files of a folder. */
export const ImportOptions = ({ form: { field } }: { form: ResourceFormState<ImportValues> }) => (
  <>
    <SimpleGrid cols={{ base: 1, sm: 2 }}>
      <Select
        label={texts.section}
        allowDeselect={false}
        data={SECTION_CHOICES.map((choice) => ({ value: String(choice), label: sectionName(choice) }))}
        {...field('song_section_id')}
      />
      <TextInput
        label={texts.defaultGenre}
        maxLength={60}
        autoComplete="off"
        placeholder={texts.noGenre}
        {...field('genre')}
      />
    </SimpleGrid>
    <TextInput
      label={texts.pathPatternOptional}
      maxLength={imports.MAX_PATTERN_LENGTH}
      autoComplete="off"
      spellCheck={false}
      placeholder={PATTERN_EXAMPLE}
      {...field('pattern', format(texts.whatFoldersAndFileNames, { fields: PATTERN_FIELDS }))}
    />
    <Select
      label={texts.tagEncoding}
      allowDeselect={false}
      data={ENCODING_CHOICES}
      {...field('tag_encoding', texts.tagEncodingHint)}
    />
  </>
)
