import { COVER_PIXELS, OPTIONAL_TAGS } from '@dubplate/contract/schemas/download-profiles'
import { commentText } from '@dubplate/contract/schemas/profile-comments'
import { NativeSelect, SimpleGrid, Text } from '@mantine/core'
import { format } from '../format/message.ts'
import { AccountSection } from '../membership/account/AccountSection.tsx'
import css from './Booth.module.css'
import type { ProfileFormState } from './ProfileForm.tsx'
import { EXAMPLE_SONGS } from './pathPreview.ts'
import { KEY_FIELD_NAMES, NOTATION_NAMES, optionsOf, RATING_NAMES, TAG_NAMES } from './profileNames.ts'
import { TemplateField } from './TemplateField.tsx'
import * as texts from './texts.ts'

type Props = { form: ProfileFormState }

/** What is written into the files, and into the library file of the DJ software. */
export const TagFields = ({ form }: Props) => (
  <AccountSection title={texts.tags}>
    <TagOptions form={form} />
    <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="lg" style={{ alignItems: 'start' }}>
      <NativeSelect label={texts.keyNotation} data={optionsOf(NOTATION_NAMES)} {...form.field('key_notation')} />
      <NativeSelect label={texts.writeKeyTo} data={optionsOf(KEY_FIELD_NAMES)} {...form.field('key_field')} />
      <NativeSelect label={texts.stars} data={optionsOf(RATING_NAMES)} {...form.field('rating')} />
      {form.values.tags.includes('cover') && <CoverSize form={form} />}
    </SimpleGrid>
    <TemplateField form={form} name="comment_template" label={texts.comment} hint={texts.commentHint} />
    <CommentPreview form={form} />
  </AccountSection>
)

function TagOptions({ form }: Props) {
  const { tags } = form.values
  return (
    <fieldset aria-describedby={TAGS_HINT}>
      <legend>{texts.tagsToWrite}</legend>
      <div className={css.options}>
        {OPTIONAL_TAGS.map((tag) => (
          <label key={tag}>
            <input
              type="checkbox"
              checked={tags.includes(tag)}
              onChange={({ target: { checked } }) =>
                form.setValues({ tags: OPTIONAL_TAGS.filter((each) => (each === tag ? checked : tags.includes(each))) })
              }
            />
            {TAG_NAMES[tag]}
          </label>
        ))}
      </div>
      <p id={TAGS_HINT} className={css.hint}>
        {texts.tagsHint}
      </p>
    </fieldset>
  )
}

const TAGS_HINT = 'profile-tags-hint'

const CoverSize = ({ form }: Props) => (
  <NativeSelect
    label={texts.coverSize}
    data={COVER_PIXELS.map((size) => ({ value: String(size), label: format(texts.pixels, { size }) }))}
    value={String(form.values.cover_pixels)}
    onChange={({ currentTarget: { value } }) =>
      form.setValues({ cover_pixels: COVER_PIXELS.find((size) => String(size) === value)! })
    }
  />
)

/** The comment of the first example song. */
function CommentPreview({ form: { values } }: Props) {
  const profile = { ...values, comment_template: values.comment_template.trim() }
  const comment = commentText(profile, EXAMPLE_SONGS[0]!, `[${texts.commentOfTheUploadedFile}]`)
  return (
    <div className={css.preview}>
      <Text fz="sm" c="var(--text-2)">
        {texts.commentPreview}
      </Text>
      <output className={css.path}>{comment}</output>
    </div>
  )
}
